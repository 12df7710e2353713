import { isUtf8 } from 'node:buffer'
import { lastAtMost } from '../../formats/text/line-index.js'
import { openText, type TextFile } from '../../formats/text/text-file.js'
import {
  findLiteral,
  type LiteralWays,
  type PlaceInLine,
  type Places,
  type ShownLines,
} from '../../report/search-hits.js'

/** A file as a search looks at it. */
export interface SearchedFile extends ShownLines {
  /** True where each line is in its bytes what it is in its text: UTF-8 without a mark, whose breaks are LF. */
  readonly isPlain: boolean
  readonly isUtf16: boolean
  /** All of it, with LF for every break. */
  readonly text: string
  /** Every line that holds a text, with where it does first. */
  find(wanted: string, ways: LiteralWays): Places
}

/** Opens a file for a search; undefined where it is no text. */
export function openSearched(bytes: Uint8Array): SearchedFile | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (isUtf8(buffer) && !special.some(mark => buffer.includes(mark))) return new PlainFile(buffer)
  const file = openText(bytes)
  return file && decodedFile(file)
}

/** What makes a file binary, gives it other breaks or a mark. */
const special = [0, 0x0d, Buffer.from('\ufeff')] as const

function decodedFile(file: TextFile): SearchedFile {
  const { text, lines, encoding } = file
  return {
    isPlain: false,
    isUtf16: encoding === 'utf-16le' || encoding === 'utf-16be',
    text,
    hasLine: line => line <= lines.count,
    textOf: line => text.slice(lines.startOf(line), lines.endOf(line)),
    find: (wanted, ways) => findLiteral(file, wanted, ways),
  }
}

const feed = 10

/** A file that is looked into as bytes: of most of it nobody needs to know the text, or where its lines begin. */
class PlainFile implements SearchedFile {
  readonly isPlain = true
  readonly isUtf16 = false
  readonly #bytes: Buffer
  /** Where the first lines begin: of all those before what was scanned. */
  readonly #starts = [0]
  #scanned = 0
  #text: string | undefined

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get text(): string {
    this.#text ??= this.#bytes.toString('utf8')
    return this.#text
  }

  hasLine(line: number): boolean {
    return (this.#startOf(line) ?? Infinity) < this.#bytes.length
  }

  textOf(line: number): string {
    const start = this.#startOf(line)
    return start === undefined ? '' : this.#bytes.toString('utf8', start, this.#endOf(start))
  }

  find(wanted: string, ways: LiteralWays): Places {
    const file = ways.ignoreCase ? openText(this.#bytes) : undefined
    if (file !== undefined) return findLiteral(file, wanted, ways)
    const needle = Buffer.from(wanted)
    const found: number[] = []
    for (let at = this.#bytes.indexOf(needle); at >= 0; ) {
      found.push(at)
      const end = this.#bytes.indexOf(feed, at)
      at = end < 0 ? -1 : this.#bytes.indexOf(needle, end)
    }
    const first = (most: number): readonly PlaceInLine[] =>
      found.slice(0, most).map(at => this.#placeAt(at))
    return { count: found.length, first }
  }

  #placeAt(at: number): PlaceInLine {
    while (this.#scanned < at) this.#scanLine()
    const line = lastAtMost(this.#starts, at) + 1
    const before = this.#bytes.toString('utf8', this.#starts[line - 1], at)
    return { line, at: before.length }
  }

  #startOf(line: number): number | undefined {
    while (this.#starts.length < line && this.#scanned < this.#bytes.length) this.#scanLine()
    return this.#starts[line - 1]
  }

  #scanLine(): void {
    this.#scanned = Math.min(this.#endOf(this.#scanned) + 1, this.#bytes.length)
    if (this.#bytes[this.#scanned - 1] === feed) this.#starts.push(this.#scanned)
  }

  #endOf(start: number): number {
    const end = this.#bytes.indexOf(feed, start)
    return end < 0 ? this.#bytes.length : end
  }
}
