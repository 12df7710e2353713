import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** The file system that a path lies on. */
export interface FileSystem {
  readonly type: string
  readonly mountPoint: string
  /** True where another machine may write to it too, and locks and renames may mean less. */
  readonly isShared: boolean
}

/** File systems of a network or of the machine around this one. */
const sharedTypes =
  /^(?:nfs\d?|cifs|smb\d?|smbfs|9p|afs|ceph|glusterfs|lustre|gpfs|beegfs|davfs|ncpfs|drvfs|virtiofs|vboxsf|fuse\.(?:sshfs|glusterfs|s3fs|rclone|davfs2?|portal))$/

/** The file system of a path, told from the mounts; undefined where they cannot be read. */
export function fileSystemOf(path: string): FileSystem | undefined {
  const real = nearest(path)
  let found: FileSystem | undefined
  for (const line of readMounts()) {
    const [left = '', right = ''] = line.split(' - ')
    const mountPoint = unescapeOctal(left.split(' ')[4] ?? '')
    const isAbove = mountPoint === '/' || real === mountPoint || real.startsWith(`${mountPoint}/`)
    // Of two mounts at one place the later one is seen.
    if (!isAbove || mountPoint.length < (found?.mountPoint.length ?? 0)) continue
    const type = right.split(' ')[0] ?? ''
    found = { type, mountPoint, isShared: sharedTypes.test(type) }
  }
  return found
}

/** Bytes and files that may still be made where a path lies; undefined for files where the file system does not count them. */
export function spaceAt(path: string): {
  readonly bytes: number
  readonly files: number | undefined
} {
  const { bavail, bsize, files, ffree } = statfsSync(nearest(path))
  return { bytes: bavail * bsize, files: files === 0 ? undefined : ffree }
}

/** What a file system can do that we rely on. */
export interface Abilities {
  readonly exclusiveCreate: boolean
  readonly hardLinks: boolean
  readonly renameOver: boolean
  readonly directorySync: boolean
  readonly caseSensitive: boolean
}

/** Tries out what a directory of ours can do, made for it where it is missing; nothing is left behind. */
export function tryAbilities(directory: string): Abilities {
  const isNew = !existsSync(directory)
  if (isNew) mkdirSync(directory)
  try {
    const place = mkdtempSync(join(directory, 'probe-'))
    try {
      return tryIn(place)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  } finally {
    if (isNew) rmdirSync(directory)
  }
}

function tryIn(place: string): Abilities {
  const [file, other] = [join(place, 'file'), join(place, 'other')]
  writeFileSync(file, 'a')
  const hardLinks = works(() => linkSync(file, join(place, 'link')))
  return {
    exclusiveCreate: !works(() => writeFileSync(file, 'b', { flag: 'wx' })),
    hardLinks,
    caseSensitive: !existsSync(join(place, 'FILE')),
    directorySync: works(() => syncDirectory(place)),
    renameOver: works(() => {
      writeFileSync(other, 'c')
      renameSync(other, file)
    }),
  }
}

function works(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

function readMounts(): readonly string[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8').trimEnd().split('\n')
  } catch {
    return []
  }
}

/** The path itself or the nearest directory above it that exists, without links. */
function nearest(path: string): string {
  for (let here = path; ; here = dirname(here)) {
    if (existsSync(here)) return realpathSync(here)
    if (dirname(here) === here) return here
  }
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}
