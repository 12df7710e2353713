import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type CrashWorld, type Files, readFiles } from './crash-world.js'

/** What stands in a worktree, and what git says of it. */
export interface Seen {
  readonly head: string
  readonly files: Files
  readonly status: string
  /** `head` where the index holds what head does. */
  readonly index: string
  readonly fsck: string
  /** The keys in the commits since a given one, newest first, with their commits. */
  readonly keyed: readonly (readonly [commit: string, key: string])[]
}

const execute = promisify(execFile)

export interface LookOptions {
  /** The commit since which keys are looked for. */
  readonly since?: string
  /** False where only the state is of interest: objects are looked through at the end. */
  readonly fsck?: boolean
}

/** One shell for all gits: a test would else wait mostly for the start of processes. Status repairs nothing. */
export async function look(
  { worktree }: CrashWorld,
  { since = 'HEAD', fsck: withFsck = true }: LookOptions = {},
): Promise<Seen> {
  const format = '%H %(trailers:key=Editlatch-Key,valueonly,separator=%x20)'
  const script = [
    'git rev-parse HEAD',
    'git --no-optional-locks status --porcelain --untracked-files=all',
    // Another index, because the real one may be locked.
    'cp "$(git rev-parse --git-path index)" "$COPY"; test "$(GIT_INDEX_FILE=$COPY git write-tree)" = "$(git rev-parse \'HEAD^{tree}\')" && echo head; rm "$COPY"',
    withFsck ? 'git fsck --no-dangling --no-progress 2>&1' : 'true',
    `git log --format='${format}' ${since}..HEAD`,
  ].join("; printf '\\f\\n'; ")
  const env = { ...process.env, COPY: `${worktree.path}-index` }
  const { stdout } = await execute('sh', ['-c', script], { cwd: worktree.path, env })
  const [head = '', status = '', index = '', fsck = '', log = ''] = stdout.split('\f\n')
  const keyed = log.split('\n').flatMap(line => {
    const [commit = '', key = ''] = line.split(' ')
    return key === '' ? [] : [[commit, key] as const]
  })
  const files = readFiles(worktree.path)
  return { head: head.trim(), files, status, index: index.trim(), fsck, keyed }
}

/** Says where the fields of one state differ from those of another, and for objects in which of their own. */
export function differences(
  what: string,
  found: object,
  expected: Readonly<Record<string, unknown>>,
): readonly string[] {
  const fields = new Map<string, unknown>(Object.entries(found))
  return Object.entries(expected).flatMap(([name, value]) => {
    const is = fields.get(name)
    const [text, shallBe] = [JSON.stringify(is), JSON.stringify(value)]
    if (text === shallBe) return []
    const isNested = isPlain(is) && isPlain(value)
    if (!isNested) return [`${what}: ${name} is ${text} instead of ${shallBe}`]
    const missing = Object.fromEntries(Object.keys(is).map(key => [key, undefined]))
    return differences(`${what}: ${name}`, is, { ...missing, ...value })
  })
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
