import { type Oid, parseOid } from '../../core/oid.js'
import { type GitPlace, runGit } from './run-git.js'

/** A regular file as the index names it. */
export interface IndexedFile {
  readonly path: string
  readonly oid: Oid
}

/** Lines between two turns of others: a few milliseconds. */
const turnLines = 1_000

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The regular files of an index, those in conflict and names that are no UTF-8 left out. It gives way while it reads. */
export async function* listIndex(place: GitPlace): AsyncGenerator<readonly IndexedFile[]> {
  const { stdout } = await runGit(place, ['ls-files', '--stage', '-z'])
  let files: IndexedFile[] = []
  let lines = 0
  for (let at = 0, end = stdout.indexOf(0); end >= 0; at = end + 1, end = stdout.indexOf(0, at)) {
    const file = parseLine(stdout.subarray(at, end))
    if (file !== undefined) files.push(file)
    lines += 1
    if (lines % turnLines !== 0) continue
    yield files
    files = []
    await new Promise(resolve => setImmediate(resolve))
  }
  yield files
}

/** `<mode> <oid> <stage>\t<path>`; undefined for what is no plain file of stage 0. */
function parseLine(line: Buffer): IndexedFile | undefined {
  const tab = line.indexOf(9)
  const [mode, oid = '', stage] = line.toString('latin1', 0, tab).split(' ')
  if (stage !== '0' || (mode !== '100644' && mode !== '100755')) return undefined
  try {
    return { path: strict.decode(line.subarray(tab + 1)), oid: parseOid(oid) }
  } catch {
    return undefined
  }
}
