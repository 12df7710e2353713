import { isBlankUnit } from './indent.js'
import { lineStarts } from './line-index.js'

/** The lines of a text, from 0, for searches that go line by line. Breaks are LF. */
export class LineTable {
  readonly text: string
  readonly starts: readonly number[]
  #known: Contents | undefined

  constructor(text: string, starts: readonly number[] = lineStarts(text)) {
    this.text = text
    this.starts = starts
  }

  get count(): number {
    return this.starts.length
  }

  /** Worked out when it is first asked for: what stands exactly is found without. */
  get #contents(): Contents {
    this.#known ??= contentsOf(this.text, this.starts)
    return this.#known
  }

  /** Where a line begins; past the last line, where the text ends. */
  start(line: number): number {
    return this.starts[line] ?? this.text.length
  }

  /** Where the break of a line stands, or the text ends. */
  end(line: number): number {
    return endOf(this.text, this.starts, line)
  }

  line(line: number): string {
    return this.text.slice(this.start(line), this.end(line))
  }

  indent(line: number): string {
    return this.text.slice(this.start(line), this.#contents.from[line])
  }

  /** A line without the white space around it. */
  trimmed(line: number): string {
    return this.text.slice(this.#contents.from[line] ?? 0, this.#contents.to[line] ?? 0)
  }

  /** True where a line begins with this indentation and with no more. */
  isIndented(line: number, indent: string): boolean {
    const start = this.start(line)
    const length = (this.#contents.from[line] ?? 0) - start
    return length === indent.length && this.text.startsWith(indent, start)
  }

  /** True where a line without the white space at its end is this text. */
  isTrimmedEnd(line: number, trimmed: string): boolean {
    if (this.trimmedLength(line) === 0) return trimmed === ''
    const start = this.start(line)
    const length = (this.#contents.to[line] ?? 0) - start
    return length === trimmed.length && this.text.startsWith(trimmed, start)
  }

  /** True where a line without the white space around it is this text; cuts nothing out to tell. */
  isTrimmed(line: number, trimmed: string): boolean {
    const from = this.#contents.from[line] ?? 0
    return this.trimmedLength(line) === trimmed.length && this.text.startsWith(trimmed, from)
  }

  trimmedLength(line: number): number {
    return (this.#contents.to[line] ?? 0) - (this.#contents.from[line] ?? 0)
  }

  /** The first character of a line that is not blank, but for the white space around it. */
  firstUnit(line: number): number {
    return this.text.charCodeAt(this.#contents.from[line] ?? 0)
  }

  /** The last one. */
  lastUnit(line: number): number {
    return this.text.charCodeAt((this.#contents.to[line] ?? 0) - 1)
  }
}

/** The lines of a text to find or to put in, without their breaks. A final break belongs to the last of them. */
export function splitLines(text: string): readonly string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** Where what is not white space begins and ends in each line; both at the end of a blank one. */
interface Contents {
  readonly from: Uint32Array
  readonly to: Uint32Array
}

function contentsOf(text: string, starts: readonly number[]): Contents {
  const from = new Uint32Array(starts.length)
  const to = new Uint32Array(starts.length)
  for (let line = 0; line < starts.length; line += 1) {
    const end = endOf(text, starts, line)
    let first = starts[line] ?? 0
    while (first < end && isBlankUnit(text.charCodeAt(first))) first += 1
    let last = end
    while (last > first && isBlankUnit(text.charCodeAt(last - 1))) last -= 1
    from[line] = first
    to[line] = first === end ? first : last
  }
  return { from, to }
}

function endOf(text: string, starts: readonly number[], line: number): number {
  const next = starts[line + 1]
  if (next !== undefined) return next - 1
  return text.endsWith('\n') ? text.length - 1 : text.length
}
