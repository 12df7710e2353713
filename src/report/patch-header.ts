import type { Oid } from '../core/oid.js'
import { quotePath } from '../core/quote-path.js'

/** What the head of a patch tells; an absent mode stands for an absent file. */
export interface PatchHeader {
  readonly path: string
  readonly from?: string
  readonly oldMode?: string
  readonly newMode?: string
  readonly oldOid?: Oid
  readonly newOid?: Oid
  /** Percent of the content that a moved file kept. */
  readonly similarity?: number
  /** False where only the name or the mode changed. */
  readonly contentChanged: boolean
}

const shownDigits = 7

/** The lines from `diff --git` to `index`, as git prints them. */
export function renderPatchHeader(header: PatchHeader): string {
  const { oldMode, newMode, from, path } = header
  const lines = [`diff --git ${oldName(header)} ${newName(header)}`]
  if (oldMode === undefined) lines.push(`new file mode ${newMode}`)
  else if (newMode === undefined) lines.push(`deleted file mode ${oldMode}`)
  else if (oldMode !== newMode) lines.push(`old mode ${oldMode}`, `new mode ${newMode}`)
  if (from !== undefined) {
    if (header.similarity !== undefined) lines.push(`similarity index ${header.similarity}%`)
    lines.push(`rename from ${quotePath(from)}`, `rename to ${quotePath(path)}`)
  }
  lines.push(...indexLine(header))
  return lines.map(line => `${line}\n`).join('')
}

/** The `---` and `+++` lines above the hunks. A name with a space is ended by a tab. */
export function renderFileLines(header: PatchHeader): string {
  const names = [
    header.oldMode === undefined ? '/dev/null' : oldName(header),
    header.newMode === undefined ? '/dev/null' : newName(header),
  ]
  const [before, after] = names.map(name => (name.includes(' ') ? `${name}\t` : name))
  return `--- ${before}\n+++ ${after}\n`
}

/** The one line that stands for hunks where the content is not text. */
export function renderBinaryLine(header: PatchHeader): string {
  const before = header.oldMode === undefined ? '/dev/null' : oldName(header)
  const after = header.newMode === undefined ? '/dev/null' : newName(header)
  return `Binary files ${before} and ${after} differ\n`
}

function oldName({ from, path }: PatchHeader): string {
  return quotePath(`a/${from ?? path}`)
}

function newName({ path }: PatchHeader): string {
  return quotePath(`b/${path}`)
}

/** Left out where an id is not known (a dry run) or nothing but name or mode changed. */
function indexLine({ oldMode, newMode, oldOid, newOid, contentChanged }: PatchHeader): string[] {
  const before = oldMode === undefined ? '0'.repeat(shownDigits) : oldOid?.slice(0, shownDigits)
  const after = newMode === undefined ? '0'.repeat(shownDigits) : newOid?.slice(0, shownDigits)
  if (!contentChanged || before === undefined || after === undefined) return []
  return [`index ${before}..${after}${oldMode === newMode ? ` ${oldMode}` : ''}`]
}
