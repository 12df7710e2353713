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
  const name_line = lines.lineAt(nameAt)
  const end_line = lines.lineAt(to - 1)
  const isShared =
    !isBlank(lines.text, lines.startOf(start), from) ||
    goesOn(lines.text, to, lines.endOf(end_line))
  const docStart = isShared ? start : docStartOf(lines, start, commentForms[lexis])
  return {
    name,
    kind,
    flags: isShared ? withShared(declaration.flags) : declaration.flags,
    start_line: start,
    end_line,
    name_line,
    ...(docStart < start && { doc_start_line: docStart }),
    children: placeSymbols(lines, declaration.children, lexis),
  }
}

function withShared(flags: readonly SymbolFlag[]): readonly SymbolFlag[] {
  return flags.includes('shared') ? flags : [...flags, 'shared']
}

/** Whether code of others follows on the last line. */
function goesOn(text: string, to: number, lineEnd: number): boolean {
  // A node that ends with its line's break has the line to itself.
  if (to >= lineEnd) return false
  // The rest of a very long line is surely code; to look at it for each symbol would not be linear.
  return lineEnd - to > 400 || !trailer.test(text.slice(to, lineEnd))
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
  while (line > 1 && mayBeComment(lines, line - 1)) {
    const above = lines.textOf(line - 1)
    if (form.line.test(above)) line -= 1
    else if (form.close !== undefined && above.trimEnd().endsWith(form.close)) {
      const opened = openingLine(lines, line - 1, form.open ?? '')
      return opened ?? line
    } else break
  }
  return line
}

/** What a comment begins or ends with, in any language. */
const commentMarks = '/#-<>]'

/** False for most lines, at the price of a look at their first and last characters. */
function mayBeComment(lines: Lines, line: number): boolean {
  const { text } = lines
  let from = lines.startOf(line)
  let last = lines.endOf(line) - 1
  while (from < last && text.charCodeAt(from) <= space) from += 1
  while (last > from && text.charCodeAt(last) <= space) last -= 1
  return isMark(text, from) || isMark(text, last)
}

/** Beyond ASCII there is white space of other kinds. */
function isMark(text: string, at: number): boolean {
  return text.charCodeAt(at) > lastAscii || commentMarks.includes(text.charAt(at))
}

const space = 32
const lastAscii = 127

function openingLine(lines: Lines, closing: number, open: string): number | undefined {
  for (let line = closing; line >= Math.max(1, closing - maxDocLines); line -= 1) {
    const at = lines.textOf(line).lastIndexOf(open)
    if (at >= 0) return lines.textOf(line).slice(0, at).trim() === '' ? line : undefined
  }
  return undefined
}
