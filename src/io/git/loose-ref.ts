import { join } from 'node:path'
import { isOid, type Oid } from '../../core/oid.js'
import { readRegular } from './read-regular.js'

const refBytes = 1_024

/**
 * Where a ref stands, read from its loose file: the file counts before packed-refs, so what it says is what git would
 * say. Undefined where git must be asked: no such file, a symbolic ref, another ref format.
 */
export function readLooseRef(commonDir: string, ref: string): Oid | undefined {
  try {
    const text = readRegular(join(commonDir, ref), refBytes)?.toString('latin1').trimEnd() ?? ''
    return isOid(text) ? text : undefined
  } catch {
    return undefined
  }
}
