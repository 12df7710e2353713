import type { EditInput } from '#src/edit/ops/parse-edit.js'
import type { TestWorktree } from '../gateway.js'
import {
  type CrashWorld,
  type Durability,
  type Ended,
  type Files,
  findLeftovers,
  findTemporaryObjects,
  makeCrashWorld,
  type Run,
  readFiles,
  type When,
} from './crash-world.js'
import { differences, look } from './look.js'
import { filesAfter, firstFiles, type VariantName, variants } from './variants.js'

export interface KillTable {
  readonly variant: VariantName
  readonly durability: Durability
  readonly when: When
  /**
   * `all`: every step until the work is done; else the first of each name that is not in this set, which learns it; of
   * many names every other one.
   */
  readonly steps: 'all' | Set<string>
  /** A first process is killed before the step of this name, then a second one that reads, and so recovers. */
  readonly inRecoveryFrom?: string
  /** Where worktrees are made, for one on another file system. */
  readonly worktreesIn?: string
}

/** How often a process was killed at the steps of a name, and how often the batch was done all the same. */
export interface KillRow {
  readonly name: string
  kills: number
  done: number
}

/** What a table found: its rows, and what was wrong at which step. */
export interface KillReport {
  readonly rows: readonly KillRow[]
  /** Objects that were begun and lie there until git's own prune, as those of a killed git do. */
  readonly begunObjects: number
  readonly problems: readonly string[]
}

const manyNames = 20

/** What wakes the recovery. */
const triggers = ['read', 'next batch', 'same batch'] as const

/** Kills a process at one step of a batch after the other and looks at what comes of it. */
export async function runKillTable(table: KillTable): Promise<KillReport> {
  let world = await makeWorld(table)
  const rows = new Map<string, KillRow>()
  const problems: string[] = []
  const queue: (number | string)[] =
    table.steps === 'all' ? [1] : await newNames(table, table.steps)
  let number = 0
  for (let killAt = queue.shift(); killAt !== undefined; killAt = queue.shift()) {
    const trigger = triggers[number % triggers.length] ?? 'read'
    number += 1
    const end = await killOnce(world, { ...table, killAt, trigger, number })
    const label = `${table.when} step ${killAt} (${end.name}), then ${trigger}`
    problems.push(...end.problems.map(problem => `${label}: ${problem}`))
    if (end.name !== undefined) count(rows, end.name, end.isDone)
    if (typeof killAt === 'string' && end.name === undefined) problems.push(`no kill at ${killAt}`)
    if (typeof killAt === 'number') queue.push(...nextSteps(killAt, end, rows))
    // What is broken now would be seen again and again.
    if (end.problems.length > 0) world = await makeWorld(table)
  }
  const begunObjects = findTemporaryObjects(world).length
  return { rows: [...rows.values()], begunObjects, problems }
}

/** One number after the other until the work is done; then the names that were missed, since objects by chance share directories. */
function nextSteps(
  killAt: number,
  { name, steps }: RoundEnd,
  rows: ReadonlyMap<string, KillRow>,
): readonly (number | string)[] {
  return name === undefined ? [...new Set(steps)].filter(one => !rows.has(one)) : [killAt + 1]
}

function makeWorld({ durability, worktreesIn }: KillTable): Promise<CrashWorld> {
  return makeCrashWorld(firstFiles, durability, worktreesIn)
}

function count(rows: Map<string, KillRow>, name: string, isDone: boolean): void {
  const row = rows.get(name) ?? { name, kills: 0, done: 0 }
  rows.set(name, row)
  row.kills += 1
  if (isDone) row.done += 1
}

/** The names of steps that a whole run shows and that are not known yet. */
async function newNames(table: KillTable, known: Set<string>): Promise<string[]> {
  const variant = variants[table.variant]
  const world = await makeWorld(table)
  variant.drift?.(world, 1)
  const { steps } = await work(world, table, { edits: variant.edits(world, 1), key: 'whole' })
  const names = [...new Set(steps.filter(name => !known.has(name)))]
  for (const name of names) known.add(name)
  return names.length < manyNames ? names : names.filter((_, at) => at % 2 === 0)
}

/** Starts the process that is to be killed; where that is a recovery, one that makes it necessary before. */
async function work(world: CrashWorld, table: KillTable, run: Run): Promise<Ended> {
  const { inRecoveryFrom: killAt, when } = table
  if (killAt === undefined) return world.start({ ...run, when }).ended
  const { killed } = await world.start({ edits: run.edits, key: run.key, killAt }).ended
  if (!killed) throw new Error(`${killAt} never came`)
  return world.start({ ...run, edits: [], when }).ended
}

interface Round extends KillTable {
  readonly killAt: number | string
  readonly trigger: (typeof triggers)[number]
  readonly number: number
}

interface RoundEnd {
  /** The step at which the batch was killed; undefined where it came through. */
  readonly name: string | undefined
  readonly steps: readonly string[]
  readonly isDone: boolean
  readonly problems: readonly string[]
}

const clean = { status: '', index: 'head', fsck: '' }

async function killOnce(world: CrashWorld, round: Round): Promise<RoundEnd> {
  const { number, killAt } = round
  const variant = variants[round.variant]
  variant.drift?.(world, number)
  const edits = variant.edits(world, number)
  const key = `key-${number}`
  const before = readFiles(world.worktree.path)
  const after = filesAfter(before, edits)
  const since = await world.worktree.git('rev-parse', 'HEAD')

  const { steps, killed, answer } = await work(world, round, { edits, key, killAt })
  const halves = halfFiles(before, after, readFiles(world.worktree.path))

  const { gateway, worktree } = await world.open()
  const other = await wake(worktree, round, edits, key)
  const found = await look(world, { since, fsck: false })
  const isDone = found.keyed.length > 0
  const recovered = differences('after recovery', found, {
    ...clean,
    files: { ...(isDone ? after : before), ...other },
    status: isDone || variant.drift === undefined ? '' : ' M drift.txt\n',
  })
  const isLost = !killed && answer?.commit !== undefined && answer.commit !== found.keyed[0]?.[0]

  const again = await worktree.apply(edits, { key })
  await changeOther(worktree, `last ${number}\n`)
  const finished = differences('in the end', await look(world, { since }), {
    ...clean,
    files: { ...after, 'other.txt': `last ${number}\n` },
    keyed: [[again.commit, key]],
  })
  await gateway.close()
  const left = findLeftovers(world).map(path => `${path} is left`)
  const lost = isLost ? ['what was answered is lost'] : []
  return {
    name: killed ? steps.at(-1) : undefined,
    steps,
    isDone,
    problems: [...halves, ...recovered, ...lost, ...finished, ...left],
  }
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
  return changeOther(worktree, `other ${number}\n`)
}

async function changeOther(worktree: TestWorktree, text: string): Promise<Files> {
  const path = 'other.txt'
  const expected_rev = await worktree.rev(path)
  await worktree.apply([{ op: 'write_file', path, expected_rev, text }])
  return { [path]: text }
}

/** A file of ours that lies beside its target where the git directory is on another file system. */
const temporary = /\/?\.[^/]+\.editlatch-[0-9a-f]{16}$/

/** A killed process leaves each file as it was or as it shall be, and nothing beside them. */
function halfFiles(before: Files, after: Files, found: Files): readonly string[] {
  const odd = Object.entries(found).filter(
    ([path, text]) => text !== before[path] && text !== after[path] && !temporary.test(path),
  )
  const lost = Object.keys(before).filter(path => path in after && !(path in found))
  return [
    ...odd.map(([path, text]) => `${path} holds ${JSON.stringify(text)}`),
    ...lost.map(path => `${path} is not there for a while`),
  ]
}

/** The table as text, with its sums. */
export function renderReport(title: string, { rows, begunObjects, problems }: KillReport): string {
  const kills = rows.reduce((sum, row) => sum + row.kills, 0)
  const done = rows.reduce((sum, row) => sum + row.done, 0)
  const width = Math.max(...rows.map(({ name }) => name.length))
  return [
    `${title}: ${kills} kills, ${done} after the commit point, ${rows.length} kinds of steps, ${begunObjects} objects left begun`,
    ...rows.map(
      row => `  ${row.name.padEnd(width)}  ${row.kills} killed, ${row.done} done all the same`,
    ),
    ...problems,
  ].join('\n')
}
