import { createHash } from 'node:crypto'
import { type ObjectFormat, type Oid, parseOid } from '../../core/oid.js'

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag'

/** The id git gives to an object. */
export function hashObject(format: ObjectFormat, type: ObjectType, body: Uint8Array): Oid {
  const hash = createHash(format).update(objectHeader(type, body.length)).update(body)
  return parseOid(hash.digest('hex'))
}

/** What stands before the body in git's hash and in a loose object. */
export function objectHeader(type: ObjectType, bodyBytes: number): Buffer {
  return Buffer.from(`${type} ${bodyBytes}\0`, 'latin1')
}
