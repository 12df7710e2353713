import { Refusal } from '../../core/errors.js'
import type { CodeSymbol, Outline } from '../../core/outline.js'
import { unpackOutline } from '../../formats/code/pack-outline.js'
import { pickSymbol } from '../../formats/code/pick-symbol.js'
import { readingProblem } from '../../formats/code/reading-problem.js'
import type { TextContext } from './text-op.js'

/** Ops that need nobody to tell where a symbol ends. */
const otherOps = ['replace_text', 'replace_lines'] as const

/**
 * The symbol of the file as it was read that a query means. Refuses as `pickSymbol`, and with
 * `UNSUPPORTED_OP` where its lines are not surely its own.
 */
export async function requireSymbol(context: TextContext, query: string): Promise<CodeSymbol> {
  const outline = await outlineOf(context)
  const symbol = pickSymbol(outline, query)
  const reason = symbol.flags.includes('shared')
    ? 'other code stands on its first or last line'
    : whyUnsure(outline, symbol)
  if (reason === undefined) return symbol
  const { start_line, end_line } = symbol
  throw new Refusal('UNSUPPORTED_OP', {
    symbol: query,
    start_line,
    end_line,
    reason,
    use: otherOps,
  })
}

async function outlineOf({ path, text, parsers }: TextContext): Promise<Outline> {
  const [packed] = (await parsers?.outline([{ path, text: text.file.text }])) ?? []
  const outline = packed && unpackOutline(packed)
  const reason = outline === undefined ? 'symbols are not read here' : readingProblem(outline)
  if (outline !== undefined && reason === undefined) return outline
  throw new Refusal('UNSUPPORTED_OP', { reason, use: otherOps })
}

/** By lines alone nobody knows where a symbol ends, nor where an error may have hidden its end. */
function whyUnsure({ parser, errors }: Outline, symbol: CodeSymbol): string | undefined {
  if (parser === 'regex') return 'the file could only be read line by line, so its end is a guess'
  if (parser === 'babel' || errors === undefined || errors.count === 0) return undefined
  const { start_line: start, end_line: end } = symbol
  const isNear = errors.lines.some(line => start - 1 <= line && line <= end + 1)
  return isNear || errors.count > errors.lines.length
    ? 'the file has syntax errors, so its end is a guess'
    : undefined
}
