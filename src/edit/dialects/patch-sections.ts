import type { RepoPath } from '../../core/repo-path.js'
import type { Hunk } from '../ops/hunk.js'
import { unparsable } from './dialect.js'
import { parseHunks } from './patch-hunks.js'
import { type PatchLine, patchLines, pathAt } from './patch-lines.js'

/** What a patch does to one file. */
export type PatchSection = {
  /** The line of the patch that it begins at. */
  readonly line: number
  readonly path: RepoPath
} & (
  | { readonly kind: 'add'; readonly text: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'update'; readonly to?: RepoPath; readonly hunks: readonly Hunk[] }
)

const begin = '*** Begin Patch'
const end = '*** End Patch'

/** The sections between `*** Begin Patch` and `*** End Patch`. */
export function parseSections(patch: string): readonly PatchSection[] {
  const rest = new Lines(insideMarkers(unwrap(patchLines(patch).map(withoutCarriage))))
  const sections: PatchSection[] = []
  for (let line = rest.next(); line !== undefined; line = rest.next()) {
    if (line.text.trim() !== '') sections.push(parseSection(line, rest))
  }
  return sections
}

function withoutCarriage({ number, text }: PatchLine): PatchLine {
  return { number, text: text.endsWith('\r') ? text.slice(0, -1) : text }
}

/** The lines without blank ones around them, without a Markdown fence, and without a here-document. */
function unwrap(lines: readonly PatchLine[]): readonly PatchLine[] {
  const trimmed = trimBlank(lines)
  const inner = trimmed.slice(1, -1)
  const [first, last] = [trimmed[0]?.text.trim() ?? '', trimmed.at(-1)?.text.trim() ?? '']
  const fence = /^(`{3,}|~{3,})[\w-]*$/.exec(first)?.[1]
  if (fence !== undefined && last === fence) return unwrap(inner)
  if (/^%%bash$/.test(first)) return unwrap(trimmed.slice(1))
  const word = /^(?:(?:cat|apply_?patch) +)?<<(?:(['"])(\w+)\1|(\w+))$/.exec(first)
  if (word !== null && last === (word[2] ?? word[3])) return unwrap(inner)
  return trimmed
}

function trimBlank(lines: readonly PatchLine[]): readonly PatchLine[] {
  const isText = ({ text }: PatchLine): boolean => text.trim() !== ''
  const first = lines.findIndex(isText)
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1)
}

function insideMarkers(lines: readonly PatchLine[]): readonly PatchLine[] {
  const [first, last] = [lines[0], lines.at(-1)]
  if (first?.text.trim() !== begin) {
    throw unparsable(first?.number ?? 1, `a patch begins with "${begin}"`)
  }
  if (last?.text.trim() !== end) {
    const at = lines.find(({ text }) => text === end)
    throw at === undefined
      ? unparsable(last?.number ?? 1, `"${end}" is missing, so the patch may be cut off`)
      : unparsable(at.number + 1, `something follows "${end}"`)
  }
  const inner = lines.slice(1, -1)
  if (inner.every(({ text }) => text.trim() === '')) throw unparsable(last.number, 'holds no edit')
  return inner
}

/** Lines that are read one after the other. */
class Lines {
  readonly #lines: readonly PatchLine[]
  #at = 0

  constructor(lines: readonly PatchLine[]) {
    this.#lines = lines
  }

  next(): PatchLine | undefined {
    const line = this.#lines[this.#at]
    if (line !== undefined) this.#at += 1
    return line
  }

  /** The next line, if it belongs. */
  takeIf(belongs: (text: string) => boolean): PatchLine | undefined {
    const line = this.#lines[this.#at]
    return line !== undefined && belongs(line.text) ? this.next() : undefined
  }

  /** The lines up to the first that does not belong. */
  takeWhile(belongs: (text: string) => boolean): readonly PatchLine[] {
    const start = this.#at
    while (belongs(this.#lines[this.#at]?.text ?? '') && this.#at < this.#lines.length) {
      this.#at += 1
    }
    return this.#lines.slice(start, this.#at)
  }
}

function parseSection(header: PatchLine, rest: Lines): PatchSection {
  const [, verb, name = ''] =
    /^\*\*\* (Add|Delete|Update) File: *(.*)$/.exec(header.text.trim()) ?? []
  if (verb === undefined) {
    throw unparsable(header.number, 'is none of *** Add File:, *** Delete File:, *** Update File:')
  }
  const common = { line: header.number, path: pathAt(header, name) }
  if (verb === 'Delete') return { kind: 'delete', ...common }
  if (verb === 'Add') return { kind: 'add', ...common, text: addedText(rest) }
  const move = rest.takeIf(text => text.trim().startsWith('*** Move to:'))
  const to = move && pathAt(move, move.text.trim().slice('*** Move to:'.length).trim())
  const body = rest.takeWhile(text => !text.startsWith('*** ') || isEndOfFile(text))
  return { kind: 'update', ...common, ...(to && { to }), hunks: parseHunks(header, body) }
}

function addedText(rest: Lines): string {
  const lines = rest.takeWhile(text => text.startsWith('+'))
  return lines.map(({ text }) => `${text.slice(1)}\n`).join('')
}

function isEndOfFile(text: string): boolean {
  return text.trimEnd() === '*** End of File'
}
