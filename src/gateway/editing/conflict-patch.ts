import type { Blob } from '../../core/blob.js'
import { Refusal } from '../../core/errors.js'
import type { Limits } from '../../core/limits.js'
import { isOid, type Oid } from '../../core/oid.js'
import { parseRepoPath, type RepoPath } from '../../core/repo-path.js'
import { diffEdits } from '../../formats/text/diff-edits.js'
import { gitText, runGit } from '../../io/git/run-git.js'
import { renderPatch } from '../../report/patch.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WorkingTree } from '../checkout/working-tree.js'

/**
 * A revision conflict with what changed from the revision the agent named to the one that stands, so that it need not
 * read the file again. Told only of revisions that the path had on this branch or its base: any other blob of the
 * repository is none of the agent's business.
 */
export async function withConflictPatch(
  refusal: Refusal,
  context: {
    readonly checkout: Checkout
    readonly tree: WorkingTree
    readonly base: Oid
    readonly limits: Limits
  },
): Promise<Refusal> {
  const failures = asRecords(refusal.data.failures)
  const told = await Promise.all(
    (failures ?? [refusal.data]).map(failure => explain(failure, context)),
  )
  const data = failures === undefined ? told[0] : { ...refusal.data, ...told[0], failures: told }
  return new Refusal(refusal.code, data ?? refusal.data, refusal.status)
}

type Failure = Readonly<Record<string, unknown>>
type Context = Parameters<typeof withConflictPatch>[1]

function asRecords(value: unknown): readonly Failure[] | undefined {
  return Array.isArray(value)
    ? value.filter((one): one is Failure => typeof one === 'object' && one !== null)
    : undefined
}

async function explain(failure: Failure, context: Context): Promise<Failure> {
  const { path, expected } = failure
  if (typeof path !== 'string' || typeof expected !== 'string' || !isOid(expected)) return failure
  const { checkout, tree, limits } = context
  const at = parseRepoPath(path)
  const actual = await tree.read(at)
  if (actual === undefined || !(await wasHere(context, at, expected))) return failure
  const bytes = await checkout.served.reader.blob(expected, limits.fileBytes)
  const patch = await patchBetween(
    checkout,
    at,
    { oid: expected, mode: actual.mode, bytes },
    actual,
    limits,
  )
  return patch === undefined || patch.length > limits.patchBytes ? failure : { ...failure, patch }
}

/** True for a blob that the path had on this branch or its base. */
export async function wasHere(
  { checkout, tree, base }: Pick<Context, 'checkout' | 'tree' | 'base'>,
  path: RepoPath,
  oid: Oid,
): Promise<boolean> {
  const baseTree = await checkout.served.treeOf(base)
  if ((await baseTree.find(path))?.oid === oid) return true
  const args = [
    'log',
    '-1',
    '--format=%H',
    `--find-object=${oid}`,
    tree.head,
    `^${base}`,
    '--',
    path,
  ]
  return (await gitText(checkout.served.repository.main, args)) !== ''
}

/** The patch from one blob of a path to another one; undefined where the newer one of large ones is only on the disk. */
export async function patchBetween(
  checkout: Checkout,
  path: RepoPath,
  before: Blob,
  after: Blob,
  limits: Limits,
): Promise<string | undefined> {
  if (before.bytes.length + after.bytes.length <= comparedBytes) {
    const edits = diffEdits(before.bytes, after.bytes, limits.diffLines)
    const change = { path, before, after, ...(edits && { edits }) }
    return renderPatch(change, { contextLines: 3, oldOid: before.oid, newOid: after.oid })
  }
  // Larger files are left to git, which knows both blobs unless the newer one is only on the disk.
  if ((await checkout.served.reader.info(after.oid)) === undefined) return undefined
  const { stdout } = await runGit(checkout.served.repository.main, [
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--full-index',
    before.oid,
    after.oid,
  ])
  return stdout.toString('utf8')
}

/** Above this many bytes on both sides together the comparison is not made on the event loop. */
const comparedBytes = 256 * 1024
