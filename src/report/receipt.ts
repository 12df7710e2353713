import { type Change, changeStatus } from '../core/change.js'
import type { Limits } from '../core/limits.js'
import type { Oid } from '../core/oid.js'
import type { OpResult, Receipt, ReceiptFile, SyntaxVerdict, Warning } from '../core/receipt.js'
import type { HashedChange } from './edit-trailers.js'
import { fitPatches, type PendingPatch } from './fit-patches.js'
import { changedRanges, leastPatchBytes, renderPatch } from './patch.js'

const contextLines = 3

/** What a batch did, with as many patches as fit into the budget; the others say `patch_truncated`. */
export function buildReceipt(
  input: {
    readonly commit: Oid | null
    readonly parent: Oid
    readonly changes: readonly HashedChange[]
    readonly ops: readonly OpResult[]
    readonly warnings: readonly Warning[]
    readonly verdicts?: ReadonlyMap<string, SyntaxVerdict>
    readonly dryRun: boolean
  },
  limits: Limits,
): Receipt {
  const patches = fitPatches(input.changes.map(pendingPatch), limits.patchBytes)
  return {
    commit: input.commit,
    parent: input.parent,
    files: input.changes.map((change, index) => ({
      ...describeFile(change),
      ...syntaxOf(input.verdicts?.get(change.path)),
      ...patches[index],
    })),
    ops: input.ops,
    warnings: input.warnings,
    already_applied: input.changes.length === 0,
    dry_run: input.dryRun,
  }
}

function pendingPatch(change: HashedChange): PendingPatch {
  return {
    leastBytes: leastPatchBytes(change),
    render: () =>
      renderPatch(change, {
        contextLines,
        ...(change.afterOid !== undefined && { newOid: change.afterOid }),
      }),
  }
}

function describeFile(change: HashedChange): ReceiptFile {
  return {
    path: change.path,
    ...(change.from !== undefined && { from: change.from }),
    status: changeStatus(change),
    before_rev: change.before?.oid ?? null,
    after_rev: change.afterOid ?? null,
    ...modeOf(change),
    ...(change.rebasedFrom !== undefined && { rebased_from: change.rebasedFrom }),
    ranges: changedRanges(change),
  }
}

function syntaxOf(verdict: SyntaxVerdict | undefined): Pick<ReceiptFile, 'syntax'> {
  return verdict === undefined ? {} : { syntax: verdict }
}

/** The mode is told where it is news: changed, or not that of a plain new file. */
function modeOf({ before, after }: Change): { readonly mode?: string } {
  const usual = before?.mode ?? '100644'
  return after === undefined || after.mode === usual ? {} : { mode: after.mode }
}
