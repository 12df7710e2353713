import type { MessageLine } from './message-lines.js'

const names = '(?:think|thinking|thought|reasoning)'
const opening = new RegExp(`^ {0,3}<${names}>`, 'i')
const closing = new RegExp(`</${names}>`, 'i')
const loneClosing = new RegExp(`^\\s*</${names}>|</${names}>\\s*$`, 'i')

/** Where a block of reasoning goes on to. */
export interface Reasoning {
  /** The first line behind it, by its place in the list. */
  readonly next: number
  /** What stands behind the closing tag on its line. */
  readonly rest: string
  readonly isClosed: boolean
}

/** The reasoning that opens at a line; undefined where none does. Nothing in it is meant to be done. */
export function readReasoning(lines: readonly MessageLine[], at: number): Reasoning | undefined {
  if (!opening.test(lines[at]?.text ?? '')) return undefined
  for (const [ahead, { text }] of lines.slice(at).entries()) {
    const tag = closing.exec(text)
    if (tag === null) continue
    const rest = text.slice(tag.index + tag[0].length)
    return { next: at + ahead + 1, rest, isClosed: true }
  }
  return { next: lines.length, rest: '', isClosed: false }
}

/** True for a closing tag of reasoning that nothing opened: all before it may have been reasoning. */
export function closesReasoning(text: string): boolean {
  return loneClosing.test(text)
}
