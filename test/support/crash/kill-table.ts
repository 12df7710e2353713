import { execFile } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import type { EditInput } from '#src/edit/batch.js'
import type { TestWorktree } from '../gateway.js'
import {
  type CrashWorld,
  type Durability,
  type Files,
  findLeftovers,
  makeCrashWorld,
  readFiles,
  revOf,
  type When,
} from './crash-world.js'

/** A batch that can be sent again and again, each time doing the same steps on other bytes. */
export interface Variant {
  /** What a person does before it. */
  readonly drift?: (world: CrashWorld, round: number) => void
  readonly edits: (world: CrashWorld, round: number) => readonly EditInput[]
}

/** What wakes the recovery. */
export type Trigger = 'read' | 'next batch' | 'same batch'

export interface KillTable {
  readonly variant: keyof typeof variants
  readonly durability: Durability
  readonly when: When
  /** `all`: every step until the batch completes; `names`: one step of each name that is not in `known`. */
  readonly steps: 'all' | 'names'
  readonly known?: Set<string>
}

/** How often a process was killed at the steps of a name, and how often the batch was done all the same. */
export interface KillRow {
  readonly name: string
  kills: number
  done: number
}

export const firstFiles = {
  'a.txt': 'round 0\nkept\n',
  'drift.txt': 'agent\n',
  'm.txt': 'moved\n',
  'old/gone.txt': 'gone\n',
  'other.txt': 'other\n',
  'run.sh': 'true\n',
}

const executable = (world: CrashWorld): boolean =>
  readFiles(world.worktree.path)['run.sh']?.startsWith('x ') === true

/** One file made, one removed, one moved, in this direction or back. */
function moves(world: CrashWorld): readonly EditInput[] {
  const isBack = !existsSync(join(world.worktree.path, 'old/gone.txt'))
  const [made, gone] = isBack
    ? ['old/gone.txt', 'new/deep/made.txt']
    : ['new/deep/made.txt', 'old/gone.txt']
  const [from, to] = isBack ? ['moved/m.txt', 'm.txt'] : ['m.txt', 'moved/m.txt']
  return [
    { op: 'write_file', path: made, expected_rev: null, text: `${made}\n` },
    { op: 'delete_file', path: gone, expected_rev: revOf(world, gone) },
    { op: 'move_file', path: from, expected_rev: revOf(world, from), to },
  ]
}

function nextRound(world: CrashWorld, round: number): EditInput {
  const path = 'a.txt'
  const [find = ''] = readFiles(world.worktree.path)[path]?.split('\n') ?? []
  const expected_rev = revOf(world, path)
  return { op: 'replace_text', path, expected_rev, find, replace: `round ${round}` }
}

export const variants = {
  'one file': { edits: (world, round) => [nextRound(world, round)] },
  'many files': {
    drift: (world, round) =>
      appendFileSync(join(world.worktree.path, 'drift.txt'), `person ${round}\n`),
    edits: (world, round) => [
      nextRound(world, round),
      {
        op: 'append_lines',
        path: 'drift.txt',
        expected_rev: revOf(world, 'drift.txt'),
        text: `agent ${round}`,
      },
      ...moves(world),
      {
        op: 'set_mode',
        path: 'run.sh',
        expected_rev: revOf(world, 'run.sh'),
        executable: !executable(world),
      },
    ],
  },
} as const satisfies Record<string, Variant>

const triggers: readonly Trigger[] = ['read', 'next batch', 'same batch']

/** What a table found: its rows, and what was wrong at which step. */
export interface KillReport {
  readonly rows: readonly KillRow[]
  readonly problems: readonly string[]
}

/** Kills a process at one step of a batch after the other and looks at what comes of it. */
export async function runKillTable(table: KillTable): Promise<KillReport> {
  let world = await makeCrashWorld(firstFiles, table.durability)
  const rows = new Map<string, KillRow>()
  const problems: string[] = []
  const numbers = table.steps === 'all' ? undefined : await newNames(world, table)
  for (let index = 0; numbers === undefined || index < numbers.length; index += 1) {
    const killAt = numbers?.[index] ?? index + 1
    const trigger = triggers[index % triggers.length] ?? 'read'
    const round = await killOnce(world, { ...table, killAt, trigger, number: index + 1 })
    if (round.name === undefined) {
      if (numbers !== undefined) problems.push(`step ${killAt} never came`)
      break
    }
    count(rows, round.name, round.isDone)
    if (round.problems.length === 0) continue
    const label = `${table.when} step ${killAt} (${round.name}), then ${trigger}`
    problems.push(...round.problems.map(problem => `${label}: ${problem}`))
    // What is broken now would be seen again and again.
    world = await makeCrashWorld(firstFiles, table.durability)
  }
  return { rows: [...rows.values()], problems }
}

function count(rows: Map<string, KillRow>, name: string, isDone: boolean): void {
  const row = rows.get(name) ?? { name, kills: 0, done: 0 }
  rows.set(name, row)
  row.kills += 1
  if (isDone) row.done += 1
}

/** The numbers of the first steps of each name, as a whole batch shows them. */
async function newNames(world: CrashWorld, table: KillTable): Promise<readonly number[]> {
  const variant: Variant = variants[table.variant]
  variant.drift?.(world, 0)
  const { steps } = await world.start({ edits: variant.edits(world, 0), key: 'whole' }).ended
  const { known = new Set() } = table
  return steps.flatMap((name, index) => {
    if (known.has(name)) return []
    known.add(name)
    return [index + 1]
  })
}

interface Round extends KillTable {
  readonly killAt: number
  readonly trigger: Trigger
  readonly number: number
}

interface RoundEnd {
  /** The step at which the batch was killed; undefined where it came through. */
  readonly name: string | undefined
  readonly isDone: boolean
  readonly problems: readonly string[]
}

async function killOnce(world: CrashWorld, round: Round): Promise<RoundEnd> {
  const { number, killAt, when } = round
  const variant: Variant = variants[round.variant]
  variant.drift?.(world, number)
  const edits = variant.edits(world, number)
  const key = `key-${number}`
  const before = { files: readFiles(world.worktree.path), git: await lookWithGit(world, 'HEAD') }
  const after = filesAfter(before.files, edits)

  const { steps, killed, answer } = await world.start({ edits, key, killAt, when }).ended
  const halves = halfFiles(before.files, after, readFiles(world.worktree.path))

  const { gateway, worktree } = await world.open()
  const other = await wake(worktree, round, edits, key)
  const found = await lookWithGit(world, before.git.head)
  const isDone = found.keys.includes(key)
  const recovered = differences('after recovery', stateOf(world, found), {
    ...clean,
    files: { ...(isDone ? after : before.files), ...other },
    status: isDone ? '' : before.git.status,
  })
  const lost = killed || answer?.commit === found.keyed ? [] : ['what was answered is lost']

  const { commit } = await worktree.apply(edits, { key })
  const last = await lookWithGit(world, before.git.head)
  const finished = differences('after asking again', stateOf(world, last), {
    ...clean,
    files: { ...after, ...other },
  })
  const twice = differences('the commits', last, { ...last, keys: [key], keyed: commit })
  await gateway.close()
  const left = findLeftovers(world).map(path => `${path} is left`)
  return {
    name: killed ? steps.at(-1) : undefined,
    isDone,
    problems: [...halves, ...recovered, ...lost, ...finished, ...twice, ...left],
  }
}

const clean = { status: '', index: 'head', fsck: '' }

/** Says field by field where two states differ. */
function differences(what: string, found: object, expected: object): readonly string[] {
  const fields = new Map(Object.entries(found))
  return Object.entries(expected).flatMap(([name, value]) => {
    const [is, shallBe] = [fields.get(name), value].map(one => JSON.stringify(one))
    return is === shallBe || isDeepStrictEqual(fields.get(name), value)
      ? []
      : [`${what} ${name} is ${is} instead of ${shallBe}`]
  })
}

/** Lets a gateway that has just been started find what the last one left; answers which other file it changed. */
async function wake(
  worktree: TestWorktree,
  { trigger, number }: Round,
  edits: readonly EditInput[],
  key: string,
): Promise<Files> {
  if (trigger === 'same batch') await worktree.apply(edits, { key })
  if (trigger === 'read') await worktree.text('a.txt')
  if (trigger !== 'next batch') return {}
  const path = 'other.txt'
  const text = `other ${number}\n`
  const expected_rev = await worktree.rev(path)
  await worktree.apply([{ op: 'write_file', path, expected_rev, text }])
  return { [path]: text }
}

/** A killed process leaves each file as it was or as it shall be, and nothing beside them. */
function halfFiles(before: Files, after: Files, found: Files): readonly string[] {
  const odd = Object.entries(found).filter(
    ([path, text]) => text !== before[path] && text !== after[path],
  )
  const lost = Object.keys(before).filter(path => path in after && !(path in found))
  return [
    ...odd.map(([path, text]) => `${path} holds ${JSON.stringify(text)}`),
    ...lost.map(path => `${path} is not there for a while`),
  ]
}

/** What the edits make of the files; independent of the product. */
function filesAfter(before: Files, edits: readonly EditInput[]): Files {
  const files: Record<string, string> = { ...before }
  for (const edit of edits) {
    const text = files[edit.path] ?? ''
    if (edit.op === 'write_file') files[edit.path] = edit.text ?? ''
    if (edit.op === 'replace_text') files[edit.path] = text.replace(edit.find, edit.replace)
    if (edit.op === 'append_lines') files[edit.path] = `${text}${edit.text}\n`
    if (edit.op === 'set_mode')
      files[edit.path] = `${edit.executable ? 'x ' : ''}${text.replace('x ', '')}`
    if (edit.op === 'delete_file' || edit.op === 'move_file') delete files[edit.path]
    if (edit.op === 'move_file') files[edit.to] = text
  }
  return files
}

interface Seen {
  readonly head: string
  readonly status: string
  /** `head` where the index holds what head does, else the tree it holds. */
  readonly index: string
  readonly fsck: string
  /** The keys in commits since the given one, and the newest commit that has one. */
  readonly keys: readonly string[]
  readonly keyed: string | undefined
}

function stateOf({ worktree }: CrashWorld, { status, index, fsck }: Seen): object {
  return { files: readFiles(worktree.path), status, index, fsck }
}

const execute = promisify(execFile)

/** One shell for all gits: a test would else wait mostly for the start of processes. Status repairs nothing. */
async function lookWithGit({ worktree }: CrashWorld, since: string): Promise<Seen> {
  const trailer = '%H %(trailers:key=Editlatch-Key,valueonly,separator=%x20)'
  const script = [
    'git rev-parse HEAD',
    'git --no-optional-locks status --porcelain --untracked-files=all',
    "test $(git write-tree) = $(git rev-parse 'HEAD^{tree}') && echo head",
    'git fsck --no-dangling --no-progress 2>&1',
    `git log --format='${trailer}' ${since}..HEAD`,
  ].join("; printf '\\f\\n'; ")
  const { stdout } = await execute('sh', ['-c', script], { cwd: worktree.path })
  const [head = '', status = '', index = '', fsck = '', log = ''] = stdout.split('\f\n')
  const commits = log
    .split('\n')
    .map(line => line.split(' '))
    .filter(([, key]) => key)
  return {
    head: head.trim(),
    status,
    index: index.trim(),
    fsck,
    keys: commits.flatMap(([, key]) => key ?? []),
    keyed: commits[0]?.[0],
  }
}

/** The table as text, with its sums. */
export function renderReport(title: string, { rows, problems }: KillReport): string {
  const kills = rows.reduce((sum, row) => sum + row.kills, 0)
  const done = rows.reduce((sum, row) => sum + row.done, 0)
  const width = Math.max(...rows.map(({ name }) => name.length))
  return [
    `${title}: ${kills} kills, ${done} after the commit point, ${rows.length} kinds of steps`,
    ...rows.map(
      row => `  ${row.name.padEnd(width)}  ${row.kills} killed, ${row.done} done all the same`,
    ),
    ...problems,
  ].join('\n')
}
