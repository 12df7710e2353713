import { Refusal } from '../../core/errors.js'
import type { Limits } from '../../core/limits.js'
import { type Oid, parseShortOid } from '../../core/oid.js'
import type { PatchDetail } from '../../core/patch-detail.js'
import { buildDiffAnswer, type DiffAnswer } from '../../report/diff-answer.js'
import type { Checkout } from '../checkout/checkout.js'
import { differences, storedDiffs } from '../repository/read-history.js'
import type { ServedRepository } from '../repository/served-repository.js'
import type { WorktreeRefs } from '../repository/worktree-refs.js'

/** Which changes to tell. */
export interface DiffQuery {
  /** Everything since the base, not only what was not reported yet. */
  readonly full?: boolean
  /** Everything since a commit. */
  readonly since?: string
  /** One file only. */
  readonly path?: string
  /** Git's whole patches where absent. */
  readonly detail?: PatchDetail
  /** A complete answer counts as reported. */
  readonly mark?: boolean
}

interface Context {
  readonly refs: WorktreeRefs
  readonly base: Oid
  readonly limits: Limits
}

/** What changed since the last report (or the base, or a commit), and how many files reported before did not. */
export async function unreportedDiff(
  checkout: Checkout,
  context: Context,
  query: DiffQuery,
): Promise<DiffAnswer> {
  const { served } = checkout
  const { refs, base, limits } = context
  const reported = (await served.resolveRef(refs.reported)) ?? base
  const to = await checkout.head()
  const from =
    query.since !== undefined
      ? await ancestor(served, query.since, to)
      : query.full
        ? base
        : reported
  const all = await storedDiffs(served, from, to)
  const files = query.path === undefined ? all : all.filter(({ path }) => path === query.path)
  const changed = new Set(all.map(({ path }) => path))
  const earlier = await differences(served, base, from)
  const unchanged = earlier.filter(({ path }) => !changed.has(path)).length
  const { full = false, detail = 'u3' } = query
  const answer = buildDiffAnswer(files, { from, to, full, unchanged, detail }, limits)
  const complete = !answer.truncated && query.path === undefined && from === reported
  if (query.mark && complete && reported !== to) {
    await served.refs.update([{ ref: refs.reported, old: reported, new: to }])
  }
  return answer
}

/** A commit that this branch has, by its id or the first digits of it: what other branches hold is none of its agent's business. */
async function ancestor(served: ServedRepository, name: string, head: Oid): Promise<Oid> {
  const commit = await served.commitNamed(parseShortOid(name))
  if (await served.isAncestor(commit, head)) return commit
  throw new Refusal('NOT_FOUND', { commit })
}
