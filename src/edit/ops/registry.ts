import type { Limits } from '../../core/limits.js'
import { appendLines } from './append-lines.js'
import { applyHunks } from './apply-hunks.js'
import { createFile } from './create-file.js'
import { deleteFile } from './delete-file.js'
import { deleteLines } from './delete-lines.js'
import { deleteLinesContaining } from './delete-lines-containing.js'
import { deleteSymbol } from './delete-symbol.js'
import { deleteText } from './delete-text.js'
import { insertAnchored } from './insert-anchored.js'
import { insertAfterSymbol, insertBeforeSymbol } from './insert-beside-symbol.js'
import { insertLines } from './insert-lines.js'
import { moveFile } from './move-file.js'
import type { Applied, OpContext, OpOf, OpType } from './op-type.js'
import { replaceAnchored } from './replace-anchored.js'
import { replaceBlock } from './replace-block.js'
import { replaceLines } from './replace-lines.js'
import { replaceLinesContaining } from './replace-lines-containing.js'
import { replacePatch } from './replace-patch.js'
import { replaceSymbol } from './replace-symbol.js'
import { replaceText } from './replace-text.js'
import { setMode } from './set-mode.js'
import { writeFile } from './write-file.js'

/** Every op that can be asked for. */
export const opTypes = [
  replaceText,
  deleteText,
  insertLines,
  replaceLines,
  deleteLines,
  appendLines,
  replaceLinesContaining,
  deleteLinesContaining,
  replaceSymbol,
  insertBeforeSymbol,
  insertAfterSymbol,
  deleteSymbol,
  writeFile,
  deleteFile,
  moveFile,
  setMode,
] as const

/** Ops that only dialects make; nobody can ask for them by name. */
const dialectOpTypes = [
  createFile,
  replaceBlock,
  replacePatch,
  applyHunks,
  replaceAnchored,
  insertAnchored,
] as const

/** One edit, parsed. */
export type Op = ParsedBy<(typeof opTypes)[number] | (typeof dialectOpTypes)[number]>

type ParsedBy<Type> = Type extends OpType<infer Name, infer Fields> ? OpOf<Name, Fields> : never

/** What a kind of op does with an op of its own kind. */
interface OpActions {
  check(op: Op, limits: Limits): void
  apply(op: Op, context: OpContext): Promise<Applied>
}

/** The kind of an op. */
export function opTypeOf(op: Op): OpActions {
  return [...opTypes, ...dialectOpTypes].find(({ name }) => name === op.op) as unknown as OpActions
}
