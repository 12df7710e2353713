import { join } from 'node:path'
import { fixedLimits } from '../../core/limits.js'
import { repositoryStateDir } from '../../io/git/open-repository.js'
import { RecordFile } from '../../io/state/record-file.js'
import { removeUnused } from '../../io/state/remove-unused.js'
import { readersVersion } from '../../io/workers/readers-version.js'
import type { OutlineStore } from '../repository/symbol-index.js'
import type { GatewayOptions } from './gateway-options.js'

const bounds = {
  fileBytes: fixedLimits.storedOutlineBytes,
  recordBytes: fixedLimits.storedOutlineEachBytes,
  records: fixedLimits.storedOutlines,
}

/**
 * The outlines of one repository on the disk, whatever worktree or process they were read for. Each version of the
 * readers has a file of its own; one that nobody has used for days is removed.
 */
export function openOutlineStore(
  commonDir: string,
  { stateDir, onFault }: Pick<GatewayOptions, 'stateDir' | 'onFault'>,
): OutlineStore {
  const folder = repositoryStateDir(commonDir, stateDir)
  const find = async (): Promise<string> => {
    const path = join(folder, `${prefix}${await readersVersion()}.ndjson`)
    await removeUnused(folder, { prefix, except: path, unusedMs: fixedLimits.storedOutlineMs })
    return path
  }
  let path: Promise<string> | undefined
  const pathOf = (): Promise<string> => {
    path ??= find()
    return path
  }
  return new RecordFile(pathOf, bounds, onFault)
}

const prefix = 'symbols-'
