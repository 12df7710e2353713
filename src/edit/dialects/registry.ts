import { applyPatch } from './apply-patch.js'
import type { Dialect } from './dialect.js'
import { hashline } from './hashline.js'
import { markdown } from './markdown.js'
import { nativeOps } from './native-ops.js'
import { opencode } from './opencode.js'
import { patches } from './patches.js'
import { searchReplace } from './search-replace.js'
import { searchReplaceBlocks } from './search-replace-blocks.js'
import { unifiedDiff } from './unified-diff.js'
import { wholeFile } from './whole-file.js'

/** Every way to say an edit. A new dialect is one file and one line here. */
export const dialects = [
  nativeOps,
  searchReplace,
  opencode,
  patches,
  wholeFile,
  markdown,
  searchReplaceBlocks,
  applyPatch,
  unifiedDiff,
  hashline,
] as const satisfies readonly Dialect[]

export type DialectName = (typeof dialects)[number]['name']

/** The names of all dialects, the native one first. */
export const dialectNames = dialects.map(({ name }) => name) as [DialectName, ...DialectName[]]

/** The dialect of a name; the native one where none is said. */
export function dialectOf(name: DialectName = 'ops'): Dialect {
  return dialects.find(dialect => dialect.name === name) ?? nativeOps
}

/** True for the name of a dialect whose edits are one text. */
export function isTextDialect(name: unknown): boolean {
  return dialects.some(dialect => dialect.name === name && isText(dialect))
}

function isText({ kind }: Dialect): boolean {
  return kind === 'text'
}
