import { joinLines, type MessageLine, messageLines } from '../../formats/text/message-lines.js'
import { closesReasoning, readReasoning } from '../../formats/text/reasoning.js'
import {
  type BlockMarkers,
  type BlockProblem,
  readBlock,
  type SearchBlock,
} from '../../formats/text/search-blocks.js'
import { checkOp } from '../ops/parse-edit.js'
import type { Op } from '../ops/registry.js'
import { pathAbove } from './block-path.js'
import { type DialectContext, defineTextDialect, unparsable } from './dialect.js'
import { ladders } from './ladders.js'
import { opAtLine } from './op-at-line.js'
import { fileOf } from './replace-fields.js'

/**
 * Blocks in prose, as Aider, Cline and Roo write them, each below the path of its file:
 *
 *     path
 *     <<<<<<< SEARCH            or  ------- SEARCH
 *     [":start_line:" number    one or both, then an optional line "-------"
 *      ":end_line:" number]
 *     whole lines as the file has them
 *     =======
 *     whole lines that shall stand there
 *     >>>>>>> REPLACE           or  +++++++ REPLACE
 *
 * Markers have seven or more equal characters, all three of one length; each stands once in a block,
 * for where one stands twice nobody can tell which is meant. A text that holds marker lines takes
 * longer markers, or a backslash before such a line, which is taken away; a marker outside of a block
 * is refused. An empty SEARCH creates the file. The line number counts only where the same lines
 * stand several times.
 *
 * Forgiven are code fences around block or path, decorations of the path (see `pathAbove`), no path
 * at all above a block for the same file as the block before it, ">" behind SEARCH, white space
 * behind a marker, and CRLF. Blocks in reasoning do not count. Revisions are said beside the text.
 */
export const searchReplaceBlocks = defineTextDialect({
  name: 'search_replace_blocks',
  summary: 'SEARCH/REPLACE blocks, each below a line with the path of its file.',
  toOps: (text, context) => {
    const lines = messageLines(text)
    const ops: Op[] = []
    for (let at = 0, path: string | undefined; at < lines.length; ) {
      const reasoning = readReasoning(lines, at)
      if (reasoning?.isClosed === false) throw unparsable(at + 1, 'the reasoning is never closed')
      if (ops.length > 0 && reasoning === undefined && closesReasoning(lines[at]?.text ?? '')) {
        throw unparsable(at + 1, 'reasoning and answer cannot be told apart; send the answer alone')
      }
      const block = reasoning === undefined ? readMarked(lines, at) : undefined
      if (block !== undefined) {
        path = pathAbove(lines, at) ?? path
        if (path === undefined) throw unparsable(at + 1, 'no path stands above the block')
        ops.push(blockOp(block, path, context))
      }
      at = (reasoning ?? block)?.next ?? at + 1
    }
    return ops
  },
})

const sentences: Readonly<Record<BlockProblem, string>> = {
  nested_search_marker:
    'the block holds another SEARCH marker; use longer markers, or a backslash before the line',
  ambiguous_separator:
    'the block holds two separators; use longer markers, or a backslash before the line',
  missing_separator: 'the block has no separator as long as its other markers',
  block_unclosed: 'the block is never closed by a REPLACE marker as long as its first one',
}

/** The block that begins at a line, if one does. */
function readMarked(lines: readonly MessageLine[], at: number): SearchBlock | undefined {
  const text = (lines[at]?.text ?? '').trimEnd()
  const markers = markersOf(text)
  if (markers === undefined) {
    if (isLostMarker(text)) throw unparsable(at + 1, 'a marker stands outside of a block')
    return undefined
  }
  const block = readBlock(lines, at, markers)
  if ('problem' in block) throw unparsable(block.line, sentences[block.problem])
  return block
}

function markersOf(text: string): BlockMarkers | undefined {
  const [, run] = /^(<{7,}|-{7,}) SEARCH>?$/.exec(text) ?? []
  if (run === undefined) return undefined
  const length = run.length
  const end = run.startsWith('<') ? '>' : '+'
  return {
    search: text,
    separator: '='.repeat(length),
    replace: `${end.repeat(length)} REPLACE`,
  }
}

function isLostMarker(text: string): boolean {
  return /^(?:<{3,}|-{3,})\s*SEARCH\W*$|^={7,}$|^(?:>{3,}|\+{3,})\s*REPLACE\W*$/i.test(text)
}

const lineHint = /^\s*:(start|end)_line:\s*(\d{1,9})\s*$/

function blockOp(block: SearchBlock, path: string, { limits }: DialectContext): Op {
  const { hints, lines } = takeHints(block.search)
  const misplaced = block.replace.find(({ text }) => lineHint.test(text))
  if (misplaced !== undefined) {
    throw unparsable(misplaced.line, 'a line number may only stand at the beginning of SEARCH')
  }
  const search = joinLines(lines.map(unescaped))
  const replace = joinLines(block.replace.map(unescaped))
  if (search === replace) throw unparsable(block.line, 'SEARCH and REPLACE are the same')
  return opAtLine(block.line, () => {
    const base = fileOf(path, undefined)
    if (search === '') {
      return checkOp({ op: 'create_file', ...base, text: replace }, limits)
    }
    const at_line = hints.start
    const levels = ladders.search_replace_blocks
    const place = at_line === undefined ? {} : { at_line }
    return checkOp({ op: 'replace_block', ...base, ...place, levels, search, replace }, limits)
  })
}

interface Hinted {
  readonly hints: { readonly start?: number }
  readonly lines: readonly MessageLine[]
}

/** Takes line numbers from the beginning; the rule below them is only one where there are some. */
function takeHints(lines: readonly MessageLine[]): Hinted {
  const found = [lines[0], lines[1]].map(line => lineHint.exec(line?.text ?? ''))
  const count = found[0] === null ? 0 : found[1] === null ? 1 : 2
  const start = found.slice(0, count).find(hint => hint?.[1] === 'start')?.[2]
  const isRule = count > 0 && lines[count]?.text.trim() === '-------'
  return {
    hints: start === undefined || start === '0' ? {} : { start: Number(start) },
    lines: lines.slice(isRule ? count + 1 : count),
  }
}

/** A backslash before what would be a marker is taken away. */
function unescaped({ line, text }: MessageLine): MessageLine {
  const isEscaped = /^\\+(?:<{7}|={7}|>{7}|-{7}|\+{7}|:(?:start|end)_line:)/.test(text)
  return { line, text: isEscaped ? text.slice(1) : text }
}
