import { fixedLimits } from '../core/limits.js'
import type { PatchDetail } from '../core/patch-detail.js'
import type { OpResult, Receipt, ReceiptFile } from '../core/receipt.js'
import { utf8Bytes } from './fit-patches.js'
import { patchInDetail } from './narrow-patch.js'

/**
 * A receipt that tells as much as was asked for. Where nothing was, a file's ranges are enough if each of its edits did
 * what its agent said, word for word; where the gateway chose the place or the text, the lines that changed are shown.
 */
export function receiptInDetail(receipt: Receipt, detail: PatchDetail | undefined): Receipt {
  if (detail === 'u3') return receipt
  let left = fixedLimits.receiptPatchBytes
  const files = receipt.files.map(file => {
    const chosen = detail ?? (saysAllByRanges(receipt, file) ? 'ranges' : 'u1')
    const told = fileInDetail(file, chosen)
    if (detail !== undefined || told.patch === undefined) return told
    const bytes = utf8Bytes(told.patch)
    if (bytes > left) return withoutPatch(told)
    left -= bytes
    return told
  })
  return { ...receipt, files }
}

function fileInDetail(file: ReceiptFile, detail: PatchDetail): ReceiptFile {
  const { patch, patch_truncated: isTruncated, ...rest } = file
  if (detail === 'ranges') return rest
  if (isTruncated) return file
  const told = patch === undefined ? undefined : patchInDetail(patch, detail)
  return told === undefined || told === '' ? rest : { ...rest, patch: told }
}

function withoutPatch({ patch: _patch, ...rest }: ReceiptFile): ReceiptFile {
  return { ...rest, patch_truncated: true }
}

/** Ops that name lines by what they hold: which those are, only the file tells. */
const vagueOps = ['delete_lines_containing', 'replace_lines_containing']

function saysAllByRanges(
  { ops, warnings, dry_run: isDryRun }: Receipt,
  file: ReceiptFile,
): boolean {
  const { path, rebased_from: rebasedFrom } = file
  const own = ops.filter(op => op.path === path || op.path === file.from)
  const isBroken = warnings.some(one => one.code === 'introduces_syntax_error' && one.path === path)
  return (
    !isDryRun && rebasedFrom === undefined && !isBroken && own.length > 0 && own.every(isAsSaid)
  )
}

function isAsSaid({ op, level = 'exact', reindented }: OpResult): boolean {
  return level === 'exact' && !reindented && !vagueOps.includes(op)
}
