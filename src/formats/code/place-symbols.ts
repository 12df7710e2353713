import type { CodeSymbol, SymbolFlag } from '../../core/outline.js'
import type { Declaration } from './declaration.js'
import type { Lexis } from './language.js'
import type { Lines } from './lines.js'

/** A comment that takes whole lines: how its lines begin, and the marks of one that spans lines. */
interface CommentForm {
  readonly line: RegExp
  readonly open?: string
  readonly close?: string
}

const commentForms: Readonly<Record<Lexis, CommentForm>> = {
  slashes: { line: /^\s*\/\//, open: '/*', close: '*/' },
  // A line like `#!/bin/sh` is no comment on what follows.
  hash: { line: /^\s*#(?!!)/ },
  dashes: { line: /^\s*--/, open: '--[[', close: ']]' },
  markup: { line: /(?!)/, open: '<!--', close: '-->' },
}

/** Lines of a comment that are looked through for its opening mark. */
const maxDocLines = 300

/** What may follow a declaration on its last line without being code of its own. */
const trailer = /^[\s;,]*(?:\/\/|\/\*[^*]*\*\/\s*$|#|--|$)/

/** Turns offsets into lines, and finds the comment above each declaration. */
export function placeSymbols(
  lines: Lines,
  declarations: readonly Declaration[],
  lexis: Lexis,
): readonly CodeSymbol[] {
  return declarations.map(declaration => placeSymbol(lines, declaration, lexis))
}

function placeSymbol(lines: Lines, declaration: Declaration, lexis: Lexis): CodeSymbol {
  const { name, kind, from, nameAt } = declaration
  const to = Math.max(declaration.to, from + 1)
  const start = lines.lineAt(from)
  const isShared = sharesLines(lines.text, from, to)
  const docStart = isShared ? start : docStartOf(lines, start, commentForms[lexis])
  return {
    name,
    kind,
    flags: isShared ? withShared(declaration.flags) : declaration.flags,
    start_line: start,
    end_line: lines.lineAt(to - 1),
    name_line: lines.lineAt(nameAt),
    ...(docStart < start && { doc_start_line: docStart }),
    children: placeSymbols(lines, declaration.children, lexis),
  }
}

function withShared(flags: readonly SymbolFlag[]): readonly SymbolFlag[] {
  return flags.includes('shared') ? flags : [...flags, 'shared']
}

function sharesLines(text: string, from: number, to: number): boolean {
  const lineStart = from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1
  if (!isBlank(text, lineStart, from)) return true
  // A node that ends with its line's break has the line to itself.
  if (text[to - 1] === '\n') return false
  const lineEnd = text.indexOf('\n', to)
  const end = lineEnd < 0 ? text.length : lineEnd
  // The rest of a very long line is surely code; to look at it for each symbol would not be linear.
  return end - to > 400 || !trailer.test(text.slice(to, end))
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = to - 1; at >= from; at -= 1) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 9 && code !== 0xfeff) return false
  }
  return true
}

function docStartOf(lines: Lines, start: number, form: CommentForm): number {
  let line = start
  while (line > 1) {
    const above = lines.textOf(line - 1)
    if (form.line.test(above)) line -= 1
    else if (form.close !== undefined && above.trimEnd().endsWith(form.close)) {
      const opened = openingLine(lines, line - 1, form.open ?? '')
      return opened ?? line
    } else break
  }
  return line
}

function openingLine(lines: Lines, closing: number, open: string): number | undefined {
  for (let line = closing; line >= Math.max(1, closing - maxDocLines); line -= 1) {
    const at = lines.textOf(line).lastIndexOf(open)
    if (at >= 0) return lines.textOf(line).slice(0, at).trim() === '' ? line : undefined
  }
  return undefined
}
