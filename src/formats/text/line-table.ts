import { indentOf, trimLine } from './indent.js'
import { lineStarts } from './line-index.js'

/** The lines of a text, from 0, for searches that go line by line. Breaks are LF. */
export class LineTable {
  readonly text: string
  readonly #starts: readonly number[]
  readonly #trimmed: string[] = []

  constructor(text: string) {
    this.text = text
    this.#starts = lineStarts(text)
  }

  get count(): number {
    return this.#starts.length
  }

  /** Where a line begins; past the last line, where the text ends. */
  start(line: number): number {
    return this.#starts[line] ?? this.text.length
  }

  /** Where the break of a line stands, or the text ends. */
  end(line: number): number {
    const next = this.#starts[line + 1]
    if (next !== undefined) return next - 1
    return this.text.endsWith('\n') ? this.text.length - 1 : this.text.length
  }

  line(line: number): string {
    return this.text.slice(this.start(line), this.end(line))
  }

  /** A line without the white space around it; worked out for all lines at once, when first asked for. */
  trimmed(line: number): string {
    if (this.#trimmed.length === 0) {
      for (let at = 0; at < this.count; at += 1) this.#trimmed.push(trimLine(this.line(at)))
    }
    return this.#trimmed[line] ?? ''
  }

  indent(line: number): string {
    return indentOf(this.line(line))
  }
}

/** The lines of a text to find or to put in, without their breaks. A final break belongs to the last of them. */
export function splitLines(text: string): readonly string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
