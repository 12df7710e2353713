import { fixedLimits } from '../core/limits.js'
import type { TextFile } from '../formats/text/text-file.js'

/** What a file is that is not read as text. `minified` is text whose lines are too long to be read. */
export type FileKind =
  | 'archive'
  | 'binary'
  | 'database'
  | 'font'
  | 'image'
  | 'media'
  | 'minified'
  | 'office'
  | 'pdf'
  | 'program'

/** The bytes that files of a kind begin with, in hex; a dot stands for any digit. */
const beginnings: readonly (readonly [FileKind, RegExp])[] = [
  ['image', /^(?:89504e47|ffd8ff|47494638|424d|52494646.{8}57454250|49492a00|4d4d002a|00000100)/],
  ['pdf', /^25504446/],
  ['office', /^d0cf11e0/],
  ['archive', /^(?:504b0304|1f8b|425a68|fd377a585a|377abcaf|28b52ffd)/],
  ['program', /^(?:7f454c46|4d5a|0061736d|cafebabe|c[ef]faedfe)/],
  ['font', /^(?:774f46[34][26]|4f54544f|00010000)/],
  ['media', /^(?:4f676753|494433|664c6143|52494646|1a45dfa3|.{8}66747970)/],
  ['database', /^53514c697465/],
]

const officeNames = /\.(?:doc|xls|ppt)[xm]$|\.od[tsp]$/i

const shownBytes = 16

/** What a file is that is no text, by how it begins. */
export function binaryKind(path: string, bytes: Uint8Array): FileKind {
  const digits = [...bytes.subarray(0, shownBytes)].map(byte => byte.toString(16).padStart(2, '0'))
  const beginning = digits.join('')
  const kind = beginnings.find(([, pattern]) => pattern.test(beginning))?.[0] ?? 'binary'
  return kind === 'archive' && officeNames.test(path) ? 'office' : kind
}

/** True for text of some size whose lines are long on the average, as bundlers write it. */
export function isMinified({ text, lines }: Pick<TextFile, 'text' | 'lines'>): boolean {
  const { minifiedChars, parsedLineChars } = fixedLimits
  return text.length > minifiedChars && text.length > parsedLineChars * lines.count
}
