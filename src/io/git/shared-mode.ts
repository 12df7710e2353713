/** What `core.sharedRepository` adds to the mode of what is written, or sets it to; undefined where the umask decides. */
export type Sharing = { readonly add: number } | { readonly set: number } | undefined

const group = { add: 0o660 }
const everybody = { add: 0o664 }
const named: Readonly<Record<string, Sharing>> = {
  group,
  true: group,
  yes: group,
  on: group,
  '1': group,
  all: everybody,
  world: everybody,
  everybody,
  '2': everybody,
}

/** Reads the setting as git does; a value that git would refuse counts for nothing. */
export function parseSharing(value: string | undefined): Sharing {
  const text = value?.toLowerCase() ?? ''
  if (Object.hasOwn(named, text)) return named[text]
  if (!/^0?[0-7]{3,4}$/.test(text)) return undefined
  const mode = Number.parseInt(text, 8)
  return (mode & 0o600) === 0o600 ? { set: mode & 0o666 } : undefined
}

const typeBits = 0o170000
const directoryType = 0o040000

/** The permissions of a new file or directory, from its mode as it is: what git makes of them. */
export function sharedMode(mode: number, sharing: NonNullable<Sharing>): number {
  const isDirectory = (mode & typeBits) === directoryType
  const given = 'add' in sharing ? sharing.add : sharing.set
  // Objects are written once: who may write there still may not write to them.
  const readable = (mode & 0o200) === 0 ? given & ~0o222 : given
  const tweak = (mode & 0o100) === 0 ? readable : readable | executeBits(readable)
  const shared = 'add' in sharing ? (mode & 0o7777) | tweak : (mode & 0o7000) | tweak
  if (!isDirectory) return shared
  const setGroup = (shared & 0o060) === 0 ? 0 : 0o2000
  return shared | executeBits(shared) | setGroup
}

function executeBits(mode: number): number {
  return (mode & 0o444) >> 2
}
