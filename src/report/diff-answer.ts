import type { ChangeStatus } from '../core/change.js'
import type { Limits } from '../core/limits.js'
import type { Oid } from '../core/oid.js'
import type { PatchDetail } from '../core/patch-detail.js'
import type { LineRange } from '../core/receipt.js'
import { decodeUtf8Lossless } from '../formats/text/utf8.js'
import { counted } from './counted.js'
import { type FittedPatch, fitPatches, type PendingPatch, utf8Bytes } from './fit-patches.js'
import { patchInDetail } from './narrow-patch.js'
import {
  type PatchHeader,
  renderBinaryLine,
  renderFileLines,
  renderPatchHeader,
} from './patch-header.js'
import { patchRanges } from './patch-ranges.js'

/** What git tells of one file between two commits. */
export interface StoredDiff {
  readonly path: string
  readonly from?: string
  readonly status: ChangeStatus
  readonly before_rev: Oid | null
  readonly after_rev: Oid | null
  /** Git's six digits; without meaning where the revision is null. */
  readonly old_mode: string
  readonly new_mode: string
  /** Git's patch of this file, with or without the lines above its hunks; undefined or empty where it could not be had. */
  readonly patch: Uint8Array | undefined
  readonly binary: boolean
}

export interface DiffFile {
  readonly path: string
  readonly from?: string
  readonly status: ChangeStatus
  readonly before_rev: Oid | null
  readonly after_rev: Oid | null
  /** Changed lines of the new file. */
  readonly ranges: readonly LineRange[]
  readonly patch?: string
  readonly patch_truncated?: true
}

/** What changed between two commits; unchanged files only as a number. */
export interface DiffAnswer {
  readonly from: Oid
  readonly to: Oid
  readonly files: readonly DiffFile[]
  readonly summary: string
  readonly unchanged: number
  /** True where asking for single paths tells more. A patch too large for any answer is not counted; its ranges stand for it. */
  readonly truncated: boolean
  /** The first path to ask for. */
  readonly next?: string
}

/** The diffs within the budget, and in one sentence what became of all files. */
export function buildDiffAnswer(
  files: readonly StoredDiff[],
  input: {
    readonly from: Oid
    readonly to: Oid
    /** Everything since the base, not only what was not reported yet. */
    readonly full: boolean
    /** How many files that were reported before did not change since. */
    readonly unchanged?: number
    /** What is shown of each file; git's whole patch where absent. */
    readonly detail?: PatchDetail
  },
  limits: Limits,
): DiffAnswer {
  const { detail = 'u3' } = input
  const listed = files.slice(0, limits.listedFiles).map(file => {
    const patch = patchText(file)
    return { file, patch, shown: patch === undefined ? undefined : patchInDetail(patch, detail) }
  })
  const fitted = detail === 'ranges' ? [] : fitPatches(listed.map(pendingPatch), limits.patchBytes)
  const next =
    listed.find(({ shown }, index) => isWithheld(shown, fitted[index], limits))?.file.path ??
    files[limits.listedFiles]?.path
  const unchanged = input.unchanged ?? 0
  return {
    from: input.from,
    to: input.to,
    files: listed.map(({ file, patch }, index) => ({
      ...describeFile(file, patch),
      ...fitted[index],
    })),
    summary: summarise(files.length, listed.length, unchanged, input.full),
    unchanged,
    truncated: next !== undefined,
    ...(next !== undefined && { next }),
  }
}

/** The patch of a file under a header of ours, which quotes names however git was asked; undefined where git gave none. */
function patchText(file: StoredDiff): string | undefined {
  const text = file.patch && decodeUtf8Lossless(file.patch).toWellFormed()
  if (isTypeChange(file) && !file.binary) return text
  const header = headerOf(file)
  const head = renderPatchHeader(header)
  if (!header.contentChanged) return head
  if (file.binary) return head + renderBinaryLine(header)
  if (text === undefined || text === '') return undefined
  const hunks = text.search(/^@@ /m)
  return hunks < 0 ? head : head + renderFileLines(header) + text.slice(hunks)
}

/** A file that became a link or the reverse: git writes a deletion and a creation. */
function isTypeChange({ status, old_mode, new_mode }: StoredDiff): boolean {
  return status === 'modified' && old_mode.slice(0, 3) !== new_mode.slice(0, 3)
}

function headerOf(file: StoredDiff): PatchHeader {
  const contentChanged = file.before_rev !== file.after_rev
  return {
    path: file.path,
    contentChanged,
    ...(file.from !== undefined && { from: file.from }),
    ...(!contentChanged && { similarity: 100 }),
    ...(file.before_rev !== null && { oldMode: file.old_mode, oldOid: file.before_rev }),
    ...(file.after_rev !== null && { newMode: file.new_mode, newOid: file.after_rev }),
  }
}

function pendingPatch({ shown }: { readonly shown: string | undefined }): PendingPatch {
  return {
    leastBytes: shown?.length ?? Number.POSITIVE_INFINITY,
    render: () => shown ?? '',
  }
}

/** True for a patch that was left out only because others took the room. */
function isWithheld(
  patch: string | undefined,
  fitted: FittedPatch | undefined,
  limits: Limits,
): boolean {
  if (patch === undefined || fitted === undefined || 'patch' in fitted) return false
  return utf8Bytes(patch) <= limits.patchBytes
}

function describeFile(file: StoredDiff, patch: string | undefined): DiffFile {
  return {
    path: file.path,
    ...(file.from !== undefined && { from: file.from }),
    status: file.status,
    before_rev: file.before_rev,
    after_rev: file.after_rev,
    ranges: file.binary || patch === undefined ? [] : patchRanges(patch),
  }
}

function summarise(total: number, listed: number, unchanged: number, full: boolean): string {
  const changed = total === 0 ? 'no files' : counted(total, 'file')
  const parts = [`${changed} changed${full ? ' since the base' : ''}`]
  if (listed < total) parts.push(`the first ${listed} are listed`)
  if (unchanged === 1) parts.push('1 reported before is unchanged')
  if (unchanged > 1) parts.push(`${unchanged} reported before are unchanged`)
  return parts.join(', ')
}
