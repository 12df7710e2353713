import { Refusal } from '../../core/errors.js'
import {
  type EditFence,
  type FenceProblem,
  type PlacedProblem,
  readEditFences,
} from '../../formats/text/edit-fences.js'
import { checkOp } from '../ops/parse-edit.js'
import type { Op } from '../ops/registry.js'
import { type DialectContext, defineTextDialect } from './dialect.js'
import { ladders } from './ladders.js'
import { opAtLine } from './op-at-line.js'
import { fileOf } from './replace-fields.js'

/**
 * A whole message of a model with edit fences in it, each for one file at one revision:
 *
 *     ```edit:src/a.ts rev:0123...
 *     <<<<<<< SEARCH
 *     whole lines as the file has them
 *     =======
 *     whole lines that shall stand there
 *     >>>>>>> REPLACE
 *     ```
 *
 * All fences of a message are one batch, in order; one that is wrong refuses them all. The grammar
 * stands with `readEditFences`. Forgiven are a language before `edit:`, blanks after the colons, `=`
 * for the colon of the revision, white space behind a marker, and CRLF. Other fences are prose.
 */
export const markdown = defineTextDialect({
  name: 'markdown',
  summary: 'A message with fences "```edit:PATH rev:REV" that hold SEARCH/REPLACE blocks.',
  toOps: (text, context) => {
    const { edits, problems } = readEditFences(text)
    if (problems.length > 0) throw unreadable(problems)
    return edits.flatMap(edit => fenceOps(edit, context))
  },
})

function fenceOps({ file, rev, blocks }: EditFence, { limits }: DialectContext): readonly Op[] {
  const levels = ladders.markdown
  return blocks.map(({ line, search, replace }) =>
    opAtLine(line, () =>
      checkOp({ op: 'replace_block', ...fileOf(file, rev), levels, search, replace }, limits),
    ),
  )
}

/** Problems of one message that are told. */
const reportedProblems = 20

function unreadable(problems: readonly PlacedProblem[]): Refusal {
  const told = problems.slice(0, reportedProblems).map(({ code, line }) => ({
    line,
    reason: code,
    problem: sentences[code],
  }))
  return new Refusal('DIALECT_UNPARSABLE', {
    ...told[0],
    ...(told.length > 1 && { problems: told }),
  })
}

const sentences: Readonly<Record<FenceProblem, string>> = {
  bad_header: 'the opening line is not "```edit:PATH rev:REV"; quote a path that holds spaces',
  rev_required: 'the opening line names no rev; write the one you read as "rev:REV"',
  rev_mismatch_in_batch: 'an earlier fence names another rev of this file; one message has one',
  fence_unclosed: 'the fence is never closed; close it with as many backticks as it opens with',
  fence_not_at_margin: 'an edit fence stands at the margin, in no list, quote or other line',
  block_truncated: 'the block is cut off before its REPLACE marker',
  block_unclosed:
    'the fence closes within a block; if its text holds fences, open with more backticks',
  junk_in_fence: 'only blocks may stand in an edit fence, from "<<<<<<< SEARCH" on',
  bad_marker: 'a marker is seven or more characters, a space and the word: "<<<<<<< SEARCH"',
  nested_search_marker: 'the block holds another SEARCH marker; use longer markers for all three',
  ambiguous_separator: 'the block holds two separators; use longer markers for all three',
  missing_separator: 'the block has no separator as long as its other markers',
  no_block: 'the fence holds no block',
  empty_search: 'SEARCH is empty; copy the lines to replace into it',
  no_change: 'SEARCH and REPLACE are the same',
  reasoning_unclosed: 'reasoning and answer cannot be told apart; send the answer alone',
}
