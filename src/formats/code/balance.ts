import type { SyntaxErrors } from '../../core/outline.js'
import type { Lexis } from './language.js'
import { linesOf } from './lines.js'

/** What is no code: comments and strings, those over many lines too. Another string that its line does not close ends with it. */
const skipped: Readonly<Record<Exclude<Lexis, 'markup'>, RegExp>> = {
  slashes:
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?|[([{}\])]/g,
  hash: /(?<!\$)#[^\n]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[([{}\])]/g,
  dashes:
    /--\[(=*)\[[\s\S]*?(?:\]\1\]|$)|--[^\n]*|\[(=*)\[[\s\S]*?(?:\]\2\]|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[([{}\])]/g,
}

const closerOf: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

const toldLines = 3

/** Delimiters without a partner, comments and strings left out: less than a syntax check, more than nothing. */
export function checkBalance(text: string, lexis: Lexis): SyntaxErrors | undefined {
  if (lexis === 'markup') return undefined
  const lonely = lonelyDelimiters(text, skipped[lexis])
  const { lineAt } = linesOf(text)
  const lines = [...new Set(lonely.slice(0, toldLines).map(lineAt))]
  return { count: lonely.length, lines, certain: false, fatal: false }
}

interface Opener {
  readonly closer: string
  readonly at: number
}

function lonelyDelimiters(text: string, pattern: RegExp): readonly number[] {
  const open: Opener[] = []
  const lonely: number[] = []
  const waiting = new Map<string, number>()
  const count = (closer: string, by: number): void => {
    waiting.set(closer, (waiting.get(closer) ?? 0) + by)
  }
  for (const { 0: token, index: at } of text.matchAll(pattern)) {
    const closer = closerOf[token]
    if (closer !== undefined) {
      open.push({ closer, at })
      count(closer, 1)
    } else if (token.length === 1 && ')]}'.includes(token)) {
      if ((waiting.get(token) ?? 0) === 0) {
        lonely.push(at)
        continue
      }
      // Whatever was opened inside and never closed is lonely.
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        count(last.closer, -1)
        if (last.closer === token) break
        lonely.push(last.at)
      }
    }
  }
  return [...lonely, ...open.map(({ at }) => at)].toSorted((a, b) => a - b)
}
