import type { MessageLine } from './message-lines.js'

/** A code fence at the margin, as CommonMark reads it, but one that is never closed says so. */
export interface CodeFence {
  readonly line: number
  readonly info: string
  /** Without as much indentation as the opening line has. */
  readonly lines: readonly MessageLine[]
  readonly isClosed: boolean
  /** The first line behind it, by its place in the list. */
  readonly next: number
}

/** The fence that opens at a line; undefined where none does. */
export function readFence(lines: readonly MessageLine[], at: number): CodeFence | undefined {
  const opener = lines[at]
  const opening = /^( {0,3})(`{3,}|~{3,})(.*)$/s.exec(opener?.text ?? '')
  if (opener === undefined || opening === null) return undefined
  const [, indent = '', run = '', info = ''] = opening
  if (run.startsWith('`') && info.includes('`')) return undefined
  const body: MessageLine[] = []
  const fence = { line: opener.line, info: info.trim(), lines: body }
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index]
    if (line === undefined) break
    if (closesFence(line.text, run)) return { ...fence, isClosed: true, next: index + 1 }
    body.push({ line: line.line, text: outdent(line.text, indent.length) })
  }
  return { ...fence, isClosed: false, next: lines.length }
}

/** True where a line closes a fence that a run of backticks or tildes opened. */
export function closesFence(text: string, run: string): boolean {
  const indent = text.length - text.trimStart().length
  const found = text.trim()
  return (
    indent <= 3 &&
    !text.startsWith('\t') &&
    found.length >= run.length &&
    found === run.charAt(0).repeat(found.length)
  )
}

function outdent(text: string, width: number): string {
  let spaces = 0
  while (spaces < width && text[spaces] === ' ') spaces += 1
  return text.slice(spaces)
}
