import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '#src/core/errors.js'
import type { Receipt } from '#src/core/receipt.js'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import type { TestWorktree } from '../gateway.js'
import {
  type CrashWorld,
  type Durability,
  type Files,
  findLeftovers,
  findTemporaryObjects,
  makeCrashWorld,
  readFiles,
} from './crash-world.js'
import './kill-switch.mjs'
import { differences, look } from './look.js'
import { filesAfter, firstFiles, type VariantName, variants } from './variants.js'

/** What the system says when it fails; `SHORT` is a write that does but half of its work, which is no failure. */
export type Fault = 'ENOSPC' | 'EIO' | 'EMFILE' | 'EROFS' | 'SHORT'

export interface FaultTable {
  readonly variant: VariantName
  readonly durability: Durability
  readonly faults: readonly Fault[]
  /**
   * `all`: every step fails with every fault; else the first step of each name that is not in this set, which learns
   * it, with one fault after the other.
   */
  readonly steps: 'all' | Set<string>
}

/** What came of the batches in which a call failed with one fault. */
export interface FaultRow {
  faulted: number
  refused: number
  /** Refused with `NOT_DURABLE`: the commit stands. */
  notDurable: number
  receipts: number
  behind: number
}

export interface FaultReport {
  readonly rows: ReadonlyMap<Fault, FaultRow>
  readonly names: ReadonlySet<string>
  readonly problems: readonly string[]
}

interface FaultSwitch {
  fail(at: number | string, errno: string): void
  failed(): { readonly steps: readonly string[]; readonly name: string | undefined }
}

const faultSwitch: FaultSwitch = Reflect.get(globalThis, 'killSwitch')
const never = 1_000_000
const clean = { status: '', index: 'head', fsck: '' }
const codes: Readonly<Record<Fault, string>> = {
  ENOSPC: 'DISK_FULL',
  EIO: 'IO_FAULT',
  EMFILE: 'IO_FAULT',
  EROFS: 'IO_FAULT',
  SHORT: 'none',
}

/** Lets one call of a batch after the other fail, all in one gateway that lives on, and looks at what comes of it. */
export async function runFaultTable(table: FaultTable): Promise<FaultReport> {
  const rows = new Map(
    table.faults.map(fault => [
      fault,
      { faulted: 0, refused: 0, notDurable: 0, receipts: 0, behind: 0 },
    ]),
  )
  const names = new Set<string>()
  const problems: string[] = []
  if (table.steps === 'all') {
    for (const fault of table.faults) await failAll(table, fault)
  } else {
    await failEachName(table, table.steps)
  }
  return { rows, names, problems }

  async function failAll(of: FaultTable, fault: Fault): Promise<void> {
    let room = await makeRoom(of)
    for (let at = 1; ; at += 1) {
      const end = await failOnce(room, fault, at)
      note(fault, at, end)
      if (end.name === undefined) break
      if (end.problems.length > 0) room = await makeRoom(of, room)
    }
    await room.close()
  }

  async function failEachName(of: FaultTable, known: Set<string>): Promise<void> {
    let room = await makeRoom(of)
    const { steps } = await failOnce(room, 'EIO', never)
    const fresh = [...new Set(steps)].filter(name => !known.has(name))
    for (const [number, at] of fresh.entries()) {
      known.add(at)
      const fault = of.faults[number % of.faults.length] ?? 'EIO'
      let end = await failOnce(room, fault, at)
      // Some calls are made but once for a worktree.
      if (end.name === undefined) {
        room = await makeRoom(of, room)
        end = await failOnce(room, fault, at)
      }
      note(fault, at, end)
      if (end.problems.length > 0) room = await makeRoom(of, room)
    }
    await room.close()
  }

  function note(
    fault: Fault,
    at: number | string,
    { name, answer, problems: found }: FaultEnd,
  ): void {
    problems.push(...found.map(problem => `${fault} at step ${at} (${name}): ${problem}`))
    const row = rows.get(fault)
    if (row === undefined || name === undefined) return
    names.add(name)
    row.faulted += 1
    if ('receipt' in answer) row.receipts += 1
    else if (isNotDurable(answer.error)) row.notDurable += 1
    else row.refused += 1
    if (isBehind(answer)) row.behind += 1
  }
}

/** A world with a gateway that stays. */
interface Room {
  readonly world: CrashWorld
  readonly variant: VariantName
  readonly worktree: TestWorktree
  round: number
  close(): Promise<void>
}

async function makeRoom({ variant, durability }: FaultTable, old?: Room): Promise<Room> {
  await old?.close()
  const world = await makeCrashWorld(firstFiles, durability)
  const { gateway, worktree } = await world.open()
  return { world, variant, worktree, round: 0, close: () => gateway.close() }
}

type Answer = { readonly receipt: Receipt } | { readonly error: unknown }

interface FaultEnd {
  /** The call that failed; undefined where the batch has fewer. */
  readonly name: string | undefined
  readonly steps: readonly string[]
  readonly answer: Answer
  readonly problems: readonly string[]
}

async function failOnce(room: Room, fault: Fault, at: number | string): Promise<FaultEnd> {
  const { world, worktree } = room
  room.round += 1
  const { round } = room
  const variant = variants[room.variant]
  variant.drift?.(world, round)
  const edits = variant.edits(world, round)
  const key = `key-${round}`
  const before = await stateOf(world)

  faultSwitch.fail(at, fault)
  const answer: Answer = await worktree.apply(edits, { key }).then(
    receipt => ({ receipt }),
    (error: unknown) => ({ error }),
  )
  const { name, steps } = faultSwitch.failed()
  const done = await stateOf(world)
  const after = filesAfter(before.files, edits)
  const commit = committedBy(answer)
  const problems =
    commit === undefined && 'error' in answer
      ? afterRefusal(answer.error, fault, before, done)
      : await afterCommit(room, commit, isBehind(answer), { before, done, after })
  if (fault === 'SHORT' && isBehind(answer)) problems.push('a short write left files behind')
  problems.push(...(await afterwards(room, { edits, key, before, after })))
  return { name, steps, answer, problems }
}

interface State {
  readonly head: string
  readonly files: Files
  readonly index: string
  readonly left: readonly string[]
}

async function stateOf(world: CrashWorld): Promise<State> {
  const index = createHash('sha256').update(readFileSync(join(world.gitDir, 'index')))
  return {
    head: await world.worktree.git('rev-parse', 'HEAD'),
    files: readFiles(world.worktree.path),
    index: index.digest('hex'),
    left: [...withoutRecord(findLeftovers(world)), ...findTemporaryObjects(world)],
  }
}

/** The record of the gateway that lives may stand there, but no second one. */
function withoutRecord(left: readonly string[]): readonly string[] {
  const records = left.filter(path => path.includes('/owner-'))
  return left.filter(path => path !== records[0])
}

function afterRefusal(error: unknown, fault: Fault, before: State, done: State): string[] {
  const code = error instanceof Refusal ? error.code : String(error)
  const wrong = code === codes[fault] ? [] : [`answered with ${code}`]
  return [...wrong, ...differences('after the refusal', done, { ...before })]
}

interface Done {
  readonly before: State
  readonly done: State
  readonly after: Files
}

/** Also one that stands though the disk would not say that it survives a power cut. */
function committedBy(answer: Answer): unknown {
  if ('receipt' in answer) return answer.receipt.commit
  const { error } = answer
  return isNotDurable(error) ? error.data.commit : undefined
}

function isNotDurable(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === 'NOT_DURABLE'
}

async function afterCommit(
  { world, worktree, round }: Room,
  commit: unknown,
  isLate: boolean,
  { before, done, after }: Done,
): Promise<string[]> {
  const { head } = done
  const now = differences('after the commit', done, {
    head: commit,
    ...(!isLate && { files: after }),
  })
  if (round % 2 === 0) await worktree.text('a.txt')
  else await worktree.worktree.state()
  const { files, status, index } = await look(world, { fsck: false })
  const { left } = await stateOf(world)
  const finished = differences(
    'after the next look',
    { files, status, index, head, left },
    { left: before.left, files: after, status: '', index: 'head', head: commit },
  )
  return [...now, ...finished]
}

/** The same batch again is done once, another one works, and nothing lies about. */
async function afterwards(
  { world, worktree, round }: Room,
  {
    edits,
    key,
    before,
    after,
  }: {
    readonly edits: readonly EditInput[]
    readonly key: string
    readonly before: State
    readonly after: Files
  },
): Promise<readonly string[]> {
  try {
    const again = await worktree.apply(edits, { key })
    const path = 'other.txt'
    const text = `other ${round}\n`
    await worktree.apply([{ op: 'write_file', path, expected_rev: await worktree.rev(path), text }])
    const seen = await look(world, { since: before.head, fsck: round % 5 === 0 })
    const { left } = await stateOf(world)
    return differences(
      'in the end',
      { ...seen, left },
      {
        ...clean,
        files: { ...after, [path]: text },
        keyed: [[again.commit, key]],
        left: before.left,
      },
    )
  } catch (error) {
    return [`no batch afterwards: ${error}`]
  }
}

function isBehind(answer: Answer): boolean {
  return (
    'receipt' in answer && answer.receipt.warnings.some(({ code }) => code === 'worktree_behind')
  )
}

/** The table as text. */
export function renderFaults(title: string, { rows, names, problems }: FaultReport): string {
  return [
    `${title}: ${names.size} kinds of calls`,
    ...[...rows].map(
      ([fault, { faulted, refused, notDurable, receipts, behind }]) =>
        `  ${fault.padEnd(6)}  ${faulted} faulted, ${refused} refused, ${notDurable} not durable, ${receipts} receipts, ${behind} with worktree_behind`,
    ),
    ...problems,
  ].join('\n')
}
