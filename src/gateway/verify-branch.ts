import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fixedLimits } from '../core/limits.js'
import { type Oid, parseOid } from '../core/oid.js'
import { GitFailed, type GitPlace, runGit } from '../io/git/run-git.js'
import { gitAsSecondReader, type SecondReader } from '../io/git/second-reader.js'
import { openIsomorphicReader } from '../io/git/verify-with-isomorphic.js'
import type { Checkout } from './checkout/checkout.js'
import { ownCommit } from './reading/branch-log.js'
import { listCommits } from './repository/read-history.js'
import type { ServedRepository } from './repository/served-repository.js'
import type { VerifyAnswer } from './telling/answers.js'
import { CommitVerifier, TimeIsOver } from './verify/verify-commit.js'
import type { Worktree } from './worktree.js'

export interface VerifyQuery {
  /** Only commits older than this one: `next` of the answer before. */
  readonly before?: string
}

/**
 * Reads every commit of a branch since its base once more, newest first, with a second reader: fields, trees, the
 * blobs it changed, what its trailers say; and the index against head. Problems are data. It changes nothing and stops
 * at a number of commits and of milliseconds; `next` goes on.
 */
export async function verifyBranch(worktree: Worktree, query: VerifyQuery): Promise<VerifyAnswer> {
  const { id, checkout } = worktree
  const { served } = checkout
  await served.renew()
  const { head, base } = await worktree.describe()
  const { second, why } = await openSecond(served)
  const commits = await commitsToCheck(checkout, query, { head, base })
  const verifier = new CommitVerifier(served, second, performance.now() + fixedLimits.verifyMs)
  const { done, replaced } = await checkCommits(verifier, commits)
  if (second.name === 'git') await checkConnected(served, verifier, commits.slice(0, done))
  const staged =
    query.before === undefined ? await checkIndex(checkout, verifier, head, replaced) : 0
  const next = done < commits.length ? commits[done - 1] : undefined
  const { problems, checked, largeBlobs, byGit } = verifier
  return {
    id,
    head,
    ok: problems.length === 0,
    checked,
    checker: {
      objects: second.name,
      trailers: second.name,
      index: 'git',
      ...(byGit > 0 && { parsed_by_git: byGit }),
      ...(why !== undefined && { why }),
    },
    problems,
    staged,
    large_blobs: largeBlobs,
    complete: done === commits.length,
    ...(next !== undefined && { next }),
  }
}

async function openSecond(
  served: ServedRepository,
): Promise<{ readonly second: SecondReader; readonly why?: string }> {
  const { commonDir, objectFormat } = served.repository
  const opened = await openIsomorphicReader(commonDir, objectFormat)
  if ('reader' in opened) return { second: opened.reader }
  return { second: gitAsSecondReader(served.reader), why: opened.why }
}

/** One more than may be checked, so that it is known whether any is left. */
async function commitsToCheck(
  checkout: Checkout,
  { before }: VerifyQuery,
  { head, base }: { readonly head: string; readonly base: string },
): Promise<readonly Oid[]> {
  const skipped = before === undefined ? 0 : 1
  const oldest = parseOid(base)
  const start = before === undefined ? parseOid(head) : await ownCommit(checkout, oldest, before)
  const most = fixedLimits.verifiedCommits + skipped + 1
  return (await listCommits(checkout.served, oldest, start, most)).slice(skipped)
}

interface Checked {
  readonly done: number
  /** What commits of the branch replaced, by path: an index that holds it would take the work back. */
  readonly replaced: ReadonlySet<string>
}

async function checkCommits(verifier: CommitVerifier, commits: readonly Oid[]): Promise<Checked> {
  const replaced = new Set<string>()
  for (const [position, commit] of commits.entries()) {
    if (position === fixedLimits.verifiedCommits) return { done: position, replaced }
    await nextTurn()
    try {
      const { changes, parent } = await verifier.check(commit)
      for (const { path, before } of changes) replaced.add(`${path}\0${before ?? ''}`)
      const expected = commits[position + 1]
      if (expected !== undefined && parent !== undefined && parent !== expected)
        verifier.report({ commit, what: 'history', expected, actual: parent })
    } catch (error) {
      if (!(error instanceof TimeIsOver)) throw error
      return { done: position, replaced }
    }
  }
  return { done: commits.length, replaced }
}

/** Where no second implementation reads: git walks from the commits to all that they need. */
async function checkConnected(
  { repository }: ServedRepository,
  verifier: CommitVerifier,
  commits: readonly Oid[],
): Promise<void> {
  const [newest, oldest] = [commits[0], commits.at(-1)]
  if (newest === undefined || oldest === undefined) return
  try {
    const args = ['rev-list', '--objects', '--quiet', newest, `^${oldest}^@`]
    await runGit(repository.main, args, { timeoutMs: fixedLimits.verifyMs })
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error
    const told = { expected: 'all objects', actual: lastLine(error) }
    verifier.report({ commit: newest, what: 'connectivity', ...told })
  }
}

/** Answers how many entries a person has staged. One that stands where the branch was before is no staged work: committing it would undo ours. */
async function checkIndex(
  { place }: Checkout,
  verifier: CommitVerifier,
  head: string,
  replaced: ReadonlySet<string>,
): Promise<number> {
  const fields = await differingEntries(place, head).catch(error => {
    if (!(error instanceof GitFailed)) throw error
    verifier.report({ commit: head, what: 'index', expected: head, actual: lastLine(error) })
    return []
  })
  let staged = 0
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , expected = '', oid = ''] = (fields[at] ?? '').split(' ')
    const path = fields[at + 1] ?? ''
    const actual = /^0+$/.test(oid) ? null : oid
    if (replaced.has(`${path}\0${actual ?? ''}`))
      verifier.report({ commit: head, what: 'index', path, expected, actual })
    else staged += 1
  }
  return staged
}

/** Raw records and paths in turn. */
async function differingEntries(place: GitPlace, head: string): Promise<readonly string[]> {
  const args = ['diff-index', '--cached', '--no-renames', '-z', head]
  return (await runGit(place, args)).stdout.toString('utf8').split('\0')
}

function lastLine({ stderr }: GitFailed): string | null {
  return stderr.trim().split('\n').at(-1) ?? null
}
