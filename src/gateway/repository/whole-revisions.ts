import type { Batch } from '../../core/batch.js'
import { isShortOid, namesOid, type Oid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import type { Tree } from '../../core/tree.js'
import type { Op } from '../../edit/ops/registry.js'
import type { ServedRepository } from './served-repository.js'

/**
 * A batch whose revisions are written out: the first digits mean the file as it stands where they fit, else the blob
 * that git knows by them. What nobody knows stays, and is a conflict like any other revision that is not there.
 */
export async function withWholeRevisions(
  batch: Batch<Op>,
  served: ServedRepository,
  tree: Tree,
): Promise<Batch<Op>> {
  const isWhole = batch.ops.every(({ expected_rev: rev }) => !isShortOid(rev ?? ''))
  if (isWhole) return batch
  const ops: Op[] = []
  for (const op of batch.ops) {
    const { path, expected_rev: rev } = op
    const isShort = typeof rev === 'string' && isShortOid(rev)
    ops.push(isShort ? { ...op, expected_rev: await wholeRevision(rev, path, served, tree) } : op)
  }
  return { ...batch, ops }
}

async function wholeRevision(
  short: Oid,
  path: RepoPath,
  served: ServedRepository,
  tree: Tree,
): Promise<Oid> {
  const standing = await tree.read(path)
  if (standing !== undefined && namesOid(short, standing.oid)) return standing.oid
  return (await served.reader.info(`${short}^{blob}`))?.oid ?? short
}
