import type { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import type { Limits } from '../../core/limits.js'
import type { Matching } from '../../core/matching.js'
import type { Parsers } from '../../core/parsers.js'
import type { MatchReport } from '../../core/receipt.js'
import type { RepoPath } from '../../core/repo-path.js'
import type { PieceText, Replacement } from '../../formats/text/piece-text.js'
import { type Applied, defineOp, type OpDefinition, type OpOf, type OpType } from './op-type.js'
import { requireFile } from './require-file.js'
import type { SearchBudget } from './search-budget.js'
import { showFile } from './show-file.js'

/** What a text op works on. */
export interface TextContext {
  readonly path: RepoPath
  readonly text: PieceText
  /** False once an op of the batch wrote the whole file: nobody has read those lines. */
  readonly hasReadLines: boolean
  readonly limits: Limits
  readonly matching: Matching
  readonly index: number
  /** Tells what the file declares; absent where nobody does. */
  readonly parsers?: Parsers | undefined
  /** The new text is meant as it stands. */
  readonly literal: boolean
}

/** What a text op has done. */
export interface TextOutcome extends MatchReport {
  readonly text: PieceText
}

interface TextOpDefinition<Name extends string, Fields extends z.ZodRawShape>
  extends Omit<OpDefinition<Name, Fields>, 'apply'> {
  edit(op: OpOf<Name, Fields>, context: TextContext): TextOutcome | Promise<TextOutcome>
}

/** Makes a kind of op that changes the text of an existing file. */
export function defineTextOp<const Name extends string, Fields extends z.ZodRawShape>(
  definition: TextOpDefinition<Name, Fields>,
): OpType<Name, Fields> {
  return defineOp<Name, Fields>({
    ...definition,
    apply: async (op, { draft, budget, ...given }) => {
      const file = await requireFile(draft, op.path)
      const { hasReadLines } = file
      const { path, literal = false } = op
      if (!file.isOpen) budget.spend(file.bytes.length)
      const before = file.openText()
      const context = { ...given, path, literal, text: before, hasReadLines }
      const { text, ...match } = await searched(before, budget, () =>
        editShowing(op, context, definition),
      )
      return {
        draft: await draft.write(op.path, file.withText(text)),
        ...match,
        ...(hasReadLines && readReport(text)),
      }
    },
  })
}

/** A refusal shows the file where the dialect of the op asks for that. */
async function editShowing<Name extends string, Fields extends z.ZodRawShape>(
  op: OpOf<Name, Fields>,
  context: TextContext,
  { edit }: TextOpDefinition<Name, Fields>,
): Promise<TextOutcome> {
  if (op.onMiss !== 'show_file') return edit(op, context)
  try {
    return await edit(op, context)
  } catch (refusal) {
    throw showFile(refusal, context.text.file)
  }
}

/** An op that asks for the current text looks through all of it, also in vain. */
async function searched(
  text: PieceText,
  budget: SearchBudget,
  edit: () => Promise<TextOutcome>,
): Promise<TextOutcome> {
  try {
    return await edit()
  } finally {
    if (text.isPutTogether) budget.spend(text.text.length)
  }
}

function readReport(text: PieceText): Pick<Applied, 'lines' | 'readLines' | 'replacedShare'> {
  return {
    lines: text.touchedLines,
    readLines: text.file.lines.count,
    replacedShare: text.touchedShare,
  }
}

/** Replaces stretches of the current text; refused before it is built where the file would grow too large. */
export function spliceText(
  { text, limits, index }: TextContext,
  replacements: readonly Replacement[],
): PieceText {
  const length = replacements.reduce(
    (sum, { from, to, text: added }) => sum + added.length - (to - from),
    text.text.length,
  )
  if (length > limits.fileBytes) {
    throw new Refusal('TOO_LARGE', { what: 'file', limit: limits.fileBytes, actual: length })
  }
  return text.splice(replacements, index)
}
