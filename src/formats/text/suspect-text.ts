import { excerptLine, excerptPassage } from './excerpt.js'
import { trimLine } from './indent.js'
import { splitLines } from './line-table.js'

/** New text that looks like a slip of who wrote it rather than like what belongs in the file. */
export interface Suspicion {
  readonly kind: 'placeholder' | 'line_numbers' | 'anchors' | 'escapes'
  /** The line of the new text, from 1. */
  readonly line: number
  readonly text: string
  /** What was probably meant, where that can be told. */
  readonly suggestion?: string
}

/** New text with what it goes into; breaks are LF. */
export interface NewText {
  readonly path: string
  readonly text: string
  /** The file as it was read. */
  readonly file: string
  /** The line of that file at which the text is put in, where there is one. */
  readonly at?: number
}

/**
 * Looks for text that was written for a reader and not for a file: a comment that stands for code
 * left out, the line numbers or anchors of a read view, and breaks that are still escaped. What the
 * file holds of the same kind is never suspect. Only tells; nothing is rewritten.
 */
export function findSuspicion(given: NewText): Suspicion | undefined {
  return findPlaceholder(given) ?? findMarks(given) ?? findEscapes(given)
}

/** Comments that hold nothing but dots and a word for what was left out, or that say it stays as it is. */
const opener = String.raw`(?:\/\/+|#+|--|;+|%+|\/\*+|\{\/\*|<!--|"""|''')`
const dots = String.raw`(?:\.\.\.|…)`
const which = '(?:the )?(?:rest|remainder|remaining|existing|unchanged|previous|same|other)'
const whose = '(?:of )?(?:the |your |this |above |my )?(?:\\w+ )?'
const what =
  '(?:code|files?|functions?|methods?|class|component|implementation|logic|contents?|body|module|script|tests|imports|unchanged|as before|goes here|(?:stays|remains?) (?:the same|unchanged))'
const placeholder = new RegExp(
  `^${opener}\\s*(?:${dots}\\s*\\(?\\s*${which}(?: ${whose}${what})?\\b|\\(?\\s*${which} ${whose}${what}\\b.*(?:${dots}|unchanged|(?:stays|remains?) the same))`,
  'i',
)

/** Files that are written about code leave parts of it out with a purpose. */
const prose = /\.(?:md|mdx|markdown|rst|adoc|txt|html?|ipynb|org|tex)$/i

const longestComment = 200

function findPlaceholder({ path, text, file }: NewText): Suspicion | undefined {
  if (prose.test(path)) return undefined
  for (const [index, line] of splitLines(text).entries()) {
    const trimmed = trimLine(line)
    const isOne = trimmed.length <= longestComment && placeholder.test(trimmed)
    if (isOne && !file.includes(trimmed)) return suspicion('placeholder', index, line)
  }
  return undefined
}

/** How read views mark their lines, from what no file has to what some have. */
const marks = [
  { kind: 'anchors', pattern: /^[ \t]*(\d+):[a-z]{1,4}(?::[a-z]{1,4})?[|→\t]/m },
  { kind: 'line_numbers', pattern: /^[ \t]*(\d+)(?:\t| ?[|→] ?)/m },
  { kind: 'line_numbers', pattern: /^[ \t]*(\d+): /m },
] as const

/** A line as it was sent, without its mark, and the number that the mark said. */
interface MarkedLine {
  readonly index: number
  readonly number: number
  readonly sent: string
  readonly bare: string
}

/** Every line that is not blank is marked, and the file has no such line. */
function findMarks(given: NewText): Suspicion | undefined {
  for (const { kind, pattern } of marks) {
    if (!pattern.test(given.text) || pattern.test(given.file)) continue
    const lines = readMarks(given.text, pattern)
    const [first] = lines
    const isMeant = kind === 'anchors' || wereRead(lines, given, pattern)
    if (first === undefined || !isMeant) continue
    return suspicion(
      kind,
      first.index,
      first.sent,
      lines.map(({ bare }) => bare),
    )
  }
  return undefined
}

/** The lines that are not blank; none where one of them is not marked or the numbers do not go up by one. */
function readMarks(text: string, pattern: RegExp): readonly MarkedLine[] {
  const lines: MarkedLine[] = []
  for (const [index, sent] of splitLines(text).entries()) {
    if (trimLine(sent) === '') continue
    const mark = pattern.exec(sent)
    if (mark === null) return []
    lines.push({ index, sent, number: Number(mark[1]), bare: sent.slice(mark[0].length) })
  }
  const [first] = lines
  const isCounted = lines.every(
    ({ index, number }) => first !== undefined && number - index === first.number - first.index,
  )
  return isCounted ? lines : []
}

/** Numbers that a file may hold as text are those of a read view where they say where they go, or a line says what stands there. */
function wereRead(lines: readonly MarkedLine[], { file, at }: NewText, pattern: RegExp): boolean {
  const isOrdinary = pattern.source.endsWith(': ')
  if (!isOrdinary && at !== undefined && lines[0]?.number === at) return true
  const standing = file.split('\n')
  return lines.some(({ number, bare }) => {
    const actual = standing[number - 1]
    return actual !== undefined && trimLine(bare) !== '' && trimLine(actual) === trimLine(bare)
  })
}

/** A break written as two characters between pieces of code, in a text that has no break itself. */
const escapedBreak = /[;{}(),:>\]]\\n(?: {2,}|(?:\\t)|[})\]<]|\\n|$)/
const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?![/*])(?:[^/\\]|\\.)+\//g

/** A longer line is not looked at. */
const escapedChars = 4_000

function findEscapes({ text, file }: NewText): Suspicion | undefined {
  if (text.includes('\n') || !hasEscapedBreak(text)) return undefined
  if (file.split('\n').some(hasEscapedBreak)) return undefined
  return suspicion('escapes', 0, text, breakAgain(text).split('\n'))
}

function hasEscapedBreak(line: string): boolean {
  if (!line.includes('\\n') || line.length > escapedChars) return false
  return escapedBreak.test(line.replace(quoted, ''))
}

function breakAgain(text: string): string {
  const meanings: Readonly<Record<string, string>> = { n: '\n', t: '\t' }
  return text.replace(/\\([nt"'`\\])/g, (_, letter: string) => meanings[letter] ?? letter)
}

function suspicion(
  kind: Suspicion['kind'],
  index: number,
  line: string,
  meant?: readonly string[],
): Suspicion {
  return {
    kind,
    line: index + 1,
    text: excerptLine(line),
    ...(meant && { suggestion: excerptPassage(meant) }),
  }
}
