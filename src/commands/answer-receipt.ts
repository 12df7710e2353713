import type { AnchorScheme } from '../core/anchor-scheme.js'
import type { Blob } from '../core/blob.js'
import { Refusal } from '../core/errors.js'
import type { PatchDetail } from '../core/patch-detail.js'
import type { Receipt, ReceiptFile } from '../core/receipt.js'
import { parseRepoPath } from '../core/repo-path.js'
import type { Worktree } from '../gateway/worktree.js'
import { freshAnchors } from '../report/fresh-anchors.js'
import { receiptInDetail } from '../report/receipt-detail.js'
import { type Answer, answer } from './command.js'

/**
 * A receipt as it is told: 201 where a commit was made, 200 for a dry run and where nothing had to change. With anchors,
 * where the worktree is read with them: they show the new lines, so no patch is needed unless one was asked for.
 */
export async function answerReceipt(
  worktree: Worktree,
  receipt: Receipt,
  detail?: PatchDetail,
): Promise<Answer<Receipt>> {
  const status = receipt.commit === null ? 200 : 201
  const { anchors } = worktree.checkout
  if (anchors === undefined || receipt.commit === null) {
    return answer(receiptInDetail(receipt, detail), { status })
  }
  const told = receiptInDetail(receipt, detail ?? 'ranges')
  return answer({ ...told, files: await withAnchors(worktree, told.files, anchors) }, { status })
}

async function withAnchors(
  worktree: Worktree,
  files: readonly ReceiptFile[],
  anchors: AnchorScheme,
): Promise<readonly ReceiptFile[]> {
  const told: ReceiptFile[] = []
  const budget = freshAnchors(anchors)
  for (const file of files) {
    const blob = await blobAfter(worktree, file)
    told.push(blob === undefined ? file : { ...file, ...budget.anchorsOf(blob, file.ranges) })
  }
  return told
}

/** The file as the batch left it; undefined where it is gone, or somebody changed it already. */
async function blobAfter(
  worktree: Worktree,
  { path, after_rev: rev, ranges }: ReceiptFile,
): Promise<Blob | undefined> {
  if (rev === null || ranges.length === 0) return undefined
  try {
    const blob = await worktree.read(parseRepoPath(path))
    return blob.oid === rev ? blob : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
