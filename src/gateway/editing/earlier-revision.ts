import type { Batch } from '../../core/batch.js'
import type { Blob } from '../../core/blob.js'
import { Refusal, type RefusalCode } from '../../core/errors.js'
import { isOid, type Oid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import type { Op } from '../../edit/ops/registry.js'
import { resolve } from '../../edit/resolve.js'
import { GitFailed, runGit } from '../../io/git/run-git.js'
import { overlayTree } from '../checkout/overlay-tree.js'
import { patchBetween } from './conflict-patch.js'
import type { ResolveContext } from './resolve-context.js'

/** Refusals that say: the file does not hold what the edit speaks of. */
const missCodes: readonly RefusalCode[] = ['ZERO_MATCHES', 'ANCHOR_STALE', 'LINE_MISMATCH']

/** Failures of one batch that are looked into, revisions of one file that are tried, and their bytes together. */
const explainedFailures = 3
const triedRevisions = 10
const triedBytes = 4 * 1024 * 1024
const logMs = 1_000

type Failure = Readonly<Record<string, unknown>>

/**
 * A refusal for what the file does not hold, with the newest earlier revision of the file that did
 * hold it and the patch since, where there is one among the last few: the agent remembers a file
 * that has changed.
 */
export async function withEarlierRevision(
  refusal: Refusal,
  batch: Batch<Op>,
  context: ResolveContext,
): Promise<Refusal> {
  const { failures } = refusal.data
  if (!Array.isArray(failures)) {
    const told = await explain({ code: refusal.code, ...refusal.data }, batch, context)
    return new Refusal(refusal.code, { ...refusal.data, ...told }, refusal.status)
  }
  const told: Failure[] = []
  for (const [at, failure] of (failures as readonly Failure[]).entries()) {
    const more = at < explainedFailures ? await explain(failure, batch, context) : {}
    told.push({ ...failure, ...more })
  }
  const { code: _code, ...first } = told[0] ?? {}
  return new Refusal(refusal.code, { ...refusal.data, ...first, failures: told }, refusal.status)
}

async function explain(
  failure: Failure,
  batch: Batch<Op>,
  context: ResolveContext,
): Promise<{ readonly earlier_revision?: EarlierRevision }> {
  const { code, index } = failure
  const op = typeof index === 'number' ? batch.ops[index] : undefined
  if (op === undefined || !missCodes.some(known => known === code)) return {}
  const found = await earlierRevision(op, context)
  return found === undefined ? {} : { earlier_revision: found }
}

interface EarlierRevision {
  readonly rev: Oid
  /** How many times the file has been changed in commits since. */
  readonly changes_since: number
  readonly patch?: string
}

async function earlierRevision(
  op: Op,
  context: ResolveContext,
): Promise<EarlierRevision | undefined> {
  const { tree, limits, checkout } = context
  const current = await tree.read(op.path)
  if (current === undefined) return undefined
  let bytes = 0
  for (const [at, oid] of (await recentRevisions(op.path, context)).entries()) {
    if (oid === current.oid) continue
    const blob = await olderBlob(oid, current, context)
    bytes += blob?.bytes.length ?? 0
    if (blob === undefined || bytes > triedBytes) return undefined
    if (!(await applies(op, blob, context))) continue
    const patch = await patchBetween(checkout, op.path, blob, current, limits)
    const fits = patch !== undefined && patch.length <= limits.patchBytes
    return { rev: oid, changes_since: at, ...(fits && { patch }) }
  }
  return undefined
}

async function olderBlob(
  oid: Oid,
  { mode }: Blob,
  { checkout, limits }: ResolveContext,
): Promise<Blob | undefined> {
  try {
    return { oid, mode, bytes: await checkout.served.reader.blob(oid, limits.fileBytes) }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

async function applies(op: Op, blob: Blob, context: ResolveContext): Promise<boolean> {
  const { limits, matching, allowProtected, tree } = context
  const ops = [{ ...op, expected_rev: blob.oid }]
  const older = overlayTree(tree, new Map([[op.path, blob]]))
  try {
    await resolve({ ops }, older, { limits, matching, allowProtected })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Blobs that the path had, newest first; none where git does not know in time. */
async function recentRevisions(
  path: RepoPath,
  { checkout, tree }: ResolveContext,
): Promise<readonly Oid[]> {
  const args = ['log', '--raw', '-z', '--no-abbrev', '--no-renames', '--format=', '--first-parent']
  const bound = [`--max-count=${triedRevisions}`, tree.head, '--', path]
  try {
    const { main } = checkout.served.repository
    const { stdout } = await runGit(main, [...args, ...bound], { timeoutMs: logMs })
    const rows = [...stdout.toString('latin1').matchAll(/:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) /g)]
    const oids = rows.flatMap(([, before = '', after = '']) => [after, before])
    return [...new Set(oids)].filter(isOid).filter(oid => !/^0+$/.test(oid))
  } catch (error) {
    if (error instanceof Refusal || error instanceof GitFailed) return []
    throw error
  }
}
