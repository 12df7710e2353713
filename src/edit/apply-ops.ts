import type { Draft } from '../core/draft.js'
import { Refusal } from '../core/errors.js'
import type { Limits } from '../core/limits.js'
import type { Matching } from '../core/matching.js'
import type { Oid } from '../core/oid.js'
import type { Parsers } from '../core/parsers.js'
import type { RepoPath } from '../core/repo-path.js'
import type { Failure } from './failures.js'
import { MissedEdits } from './missed-edits.js'
import type { Applied } from './ops/op-type.js'
import { Refusals } from './ops/place-hunks.js'
import { type Op, opTypeOf } from './ops/registry.js'
import { type Pause, SearchBudget } from './ops/search-budget.js'
import {
  checkMovedRevision,
  checkRevision,
  expectedRevs,
  requireSameRev,
  type Standing,
} from './precondition.js'
import { isProtected } from './protected-paths.js'
import { targetsOf } from './targets.js'

/** What the ops may do and what they are checked against. */
export interface ApplyOptions extends Standing {
  readonly limits: Limits
  readonly matching: Matching
  /** Globs of protected paths that may be edited here. */
  readonly allowProtected: readonly string[]
  /** Tells what a text declares. */
  readonly parsers?: Parsers | undefined
  /** Called now and then while much text is looked through. */
  readonly pause?: Pause | undefined
}

/** What the ops of a batch have come to. */
export interface Work {
  readonly draft: Draft
  /** By the place of the op in the batch. Without its draft, which would keep every text on the way in memory. */
  readonly applied: ReadonlyMap<number, Omit<Applied, 'draft'>>
  readonly failures: readonly Failure[]
}

/** Applies the ops in order. After a failure the others go on, so that every failure is found that does not depend on another one. */
export async function applyOps(
  ops: readonly Op[],
  start: Draft,
  options: ApplyOptions,
): Promise<Work> {
  const { limits, matching, parsers } = options
  const revisions = new Revisions(ops, options)
  const budget = new SearchBudget(limits.searchedChars, options.pause)
  const applied = new Map<number, Omit<Applied, 'draft'>>()
  const failures: Failure[] = []
  const missed = new MissedEdits()
  let draft = start
  for (const [index, op] of ops.entries()) {
    await budget.next()
    if (missed.passesOver(op)) continue
    const refusals = await refusalsOf(async () => {
      requireAllowed(targetsOf(op), options.allowProtected)
      await revisions.check(op)
      const context = { draft, limits, matching, index, budget, parsers }
      const { draft: next, ...done } = await opTypeOf(op).apply(op, context)
      applied.set(index, done)
      draft = next
    })
    if (refusals.length === 0) continue
    const { op: name, path, said } = op
    for (const refusal of missed.add(op, refusals)) {
      const rev = 'actual' in refusal.data ? undefined : (await options.tree.read(path))?.oid
      failures.push({ index, op: name, path, refusal, said, rev })
    }
  }
  return { draft, applied, failures }
}

/** What an attempt was refused for; mostly one thing. */
async function refusalsOf(attempt: () => Promise<void>): Promise<readonly Refusal[]> {
  try {
    await attempt()
    return []
  } catch (error) {
    if (error instanceof Refusals) return error.all
    if (error instanceof Refusal) return [error]
    throw error
  }
}

function requireAllowed(targets: readonly RepoPath[], allow: readonly string[]): void {
  const path = targets.find(target => isProtected(target, allow))
  if (path !== undefined) throw new Refusal('PROTECTED_PATH', { path })
}

/** The revisions a batch names, each looked up once, when its file is first touched. */
class Revisions {
  readonly #named: ReadonlyMap<RepoPath, Oid | null>
  readonly #standing: Standing
  readonly #checked = new Set<RepoPath>()
  /** Where the file came from that was moved to a path. */
  readonly #sources = new Map<RepoPath, RepoPath>()

  constructor(ops: readonly Op[], standing: Standing) {
    this.#named = expectedRevs(ops)
    this.#standing = standing
  }

  async check(op: Op): Promise<void> {
    requireSameRev(op, this.#named)
    if (!this.#checked.has(op.path)) await this.#look(op)
    this.#checked.add(op.path)
    if ('to' in op) this.#sources.set(op.to, this.#sources.get(op.path) ?? op.path)
  }

  async #look(op: Op): Promise<void> {
    const { tree } = this.#standing
    const named = this.#named.get(op.path)
    const source = this.#sources.get(op.path)
    const hadFile = source === undefined || (await tree.read(op.path)) !== undefined
    if (hadFile) await checkRevision(op, named, this.#standing)
    else await checkMovedRevision(op.path, named, source, tree)
  }
}
