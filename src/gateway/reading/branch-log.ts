import { Refusal } from '../../core/errors.js'
import type { Limits } from '../../core/limits.js'
import { namesOid, type Oid, parseShortOid } from '../../core/oid.js'
import type { Checkout } from '../checkout/checkout.js'
import { listCommits, logEntry, readCommit, receiptOf } from '../repository/read-history.js'
import type { BatchAnswer, LogAnswer } from '../telling/answers.js'

/** Which commits to tell. */
export interface LogQuery {
  readonly limit?: number
  /** Only commits older than this one. */
  readonly before?: string
}

const usualEntries = 20
const mostEntries = 200
const mostOwnCommits = 100_000

/** Commits of the branch since its base, newest first. */
export async function branchLog(
  checkout: Checkout,
  base: Oid,
  query: LogQuery,
): Promise<LogAnswer> {
  const { served } = checkout
  const limit = Math.min(query.limit ?? usualEntries, mostEntries)
  const { before } = query
  const to = before === undefined ? await checkout.head() : await ownCommit(checkout, base, before)
  const skipped = before === undefined ? 0 : 1
  const oids = await listCommits(served, base, to, limit + skipped + 1)
  const wanted = oids.slice(skipped, skipped + limit)
  const commits = await Promise.all(wanted.map(oid => readCommit(served, oid)))
  const batches = await Promise.all(commits.map(commit => logEntry(served, commit)))
  return { batches, more: oids.length > skipped + limit }
}

/** One commit of the branch with its receipt. Refuses with `NOT_FOUND`. */
export async function branchBatch(
  checkout: Checkout,
  base: Oid,
  name: string,
  limits: Limits,
): Promise<BatchAnswer> {
  const { served } = checkout
  const commit = await readCommit(served, await ownCommit(checkout, base, name))
  const entry = await logEntry(served, commit)
  return { ...entry, receipt: await receiptOf(served, commit, limits) }
}

/** A commit that this branch has and its base has not, by its id or the first digits of it. Refuses with `NOT_FOUND`. */
export async function ownCommit(checkout: Checkout, base: Oid, name: string): Promise<Oid> {
  const asked = parseShortOid(name)
  const head = await checkout.head()
  const commits = await listCommits(checkout.served, base, head, mostOwnCommits)
  const [oid, ...others] = commits.filter(commit => namesOid(asked, commit))
  if (oid === undefined || others.length > 0) {
    throw new Refusal('NOT_FOUND', { commit: name.slice(0, 100) })
  }
  return oid
}
