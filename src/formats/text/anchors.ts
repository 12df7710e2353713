import type { AnchorScheme } from '../../core/anchor-scheme.js'
import { fnvBasis, lineHashes, mixHash } from './line-hashes.js'
import type { NormalisedText } from './line-index.js'

export interface AnchorRules {
  readonly scheme: AnchorScheme
  /** Lines of a chunk, or between two checkpoints. */
  readonly block: number
  /** Letters of each hash, from 1 to 4. */
  readonly letters: number
}

/** The rules that are used for each scheme. */
export const anchorRules: Readonly<Record<AnchorScheme, AnchorRules>> = {
  content: { scheme: 'content', block: 1, letters: 3 },
  chunk: { scheme: 'chunk', block: 8, letters: 3 },
  checkpoint: { scheme: 'checkpoint', block: 32, letters: 3 },
}

/** `LINE:LOCAL` or `LINE:LOCAL:CONTEXT`, taken apart. */
export interface Anchor {
  readonly line: number
  readonly local: string
  /** Absent under `content` only. */
  readonly context?: string
}

/** Stands between an anchor and the text of its line. */
const separator = '→'

/** The lines that have an anchor: those of the text, and the empty one behind a final break, which proves where it ends. */
export function anchoredCount(view: NormalisedText): number {
  return lineHashes(view).length
}

/** The anchor of a line. */
export function anchorAt(view: NormalisedText, line: number, rules: AnchorRules): string {
  const local = lettersOf(lineHashes(view)[line - 1] ?? 0, rules)
  const context = contextAt(view, line, 0, rules)
  return context === undefined ? `${line}:${local}` : `${line}:${local}:${context}`
}

/** A line after its anchor, as the read view shows it. */
export function anchoredText(view: NormalisedText, line: number, rules: AnchorRules): string {
  const { text, lines } = view
  const shown = text.slice(lines.startOf(line), lines.endOf(line))
  return `${anchorAt(view, line, rules)}${separator}${shown}`
}

/** Reads an anchor with all its parts; what was copied behind it counts for nothing. Undefined for anything else. */
export function parseAnchor(said: string, { scheme, letters }: AnchorRules): Anchor | undefined {
  const [, line = '', local = '', context] =
    /^(\d{1,8}):([a-z]{1,4})(?::([a-z]{1,4}))?(?:(?:→|->|\|)[\s\S]*)?$/.exec(said) ?? []
  const hashes = scheme === 'content' ? [local] : [local, context ?? '']
  const isWhole = hashes.every(hash => hash.length === letters)
  const isLonger = scheme === 'content' && context !== undefined
  if (Number(line) < 1 || !isWhole || isLonger) return undefined
  return { line: Number(line), local, ...(context !== undefined && { context }) }
}

/** True where the line of an anchor, and what else it proves, is as it says. */
export function fitsAnchor(view: NormalisedText, anchor: Anchor, rules: AnchorRules): boolean {
  return hasLocal(view, anchor, 0, rules) && hasContext(view, anchor, 0, rules)
}

/** Where the line of an anchor may have gone. */
export interface MovedLines {
  readonly lines: readonly number[]
  /** `block`: what the anchor proves of its neighbours stands around it there, too. */
  readonly proof: 'block' | 'line'
}

/** Lines to either side in which a moved line is looked for. */
const movedLines = 15

/**
 * The lines near an anchor that look like the one it was made for. A block that moved as a whole is
 * known at any distance: its hash is taken again from where its lines stand now. Without such a proof
 * one line near by is not enough where the file has others like it: then all of them are answered.
 */
export function findMoved(view: NormalisedText, anchor: Anchor, rules: AnchorRules): MovedLines {
  const shifts: number[] = []
  for (let shift = -movedLines; shift <= movedLines; shift += 1) {
    if (hasLocal(view, anchor, shift, rules)) shifts.push(shift)
  }
  const proven = shifts.filter(shift => provesBlock(view, anchor, shift, rules))
  if (proven.length > 0) {
    return { lines: proven.map(shift => anchor.line + shift), proof: 'block' }
  }
  return { lines: shifts.length === 0 ? [] : linesLike(view, anchor, rules), proof: 'line' }
}

function provesBlock(
  view: NormalisedText,
  anchor: Anchor,
  shift: number,
  rules: AnchorRules,
): boolean {
  return rules.scheme !== 'content' && hasContext(view, anchor, shift, rules)
}

function linesLike(view: NormalisedText, { local }: Anchor, rules: AnchorRules): readonly number[] {
  const found: number[] = []
  for (const [index, hash] of lineHashes(view).entries()) {
    if (lettersOf(hash, rules) === local) found.push(index + 1)
  }
  return found
}

function hasLocal(
  view: NormalisedText,
  anchor: Anchor,
  shift: number,
  rules: AnchorRules,
): boolean {
  const hash = lineHashes(view)[anchor.line - 1 + shift]
  return hash !== undefined && lettersOf(hash, rules) === anchor.local
}

function hasContext(
  view: NormalisedText,
  { line, context }: Anchor,
  shift: number,
  rules: AnchorRules,
): boolean {
  return contextAt(view, line, shift, rules) === context
}

/** The second hash of a line's anchor, taken from lines that stand `shift` further down. */
function contextAt(
  view: NormalisedText,
  line: number,
  shift: number,
  { scheme, block, letters }: AnchorRules,
): string | undefined {
  if (scheme === 'content') return undefined
  const hashes = lineHashes(view)
  const start = Math.floor((line - 1) / block) * block
  const end = scheme === 'chunk' ? start + block : line
  if (start + shift < 0) return ''
  let hash = seeds[scheme]
  for (const lineHash of hashes.subarray(start + shift, end + shift)) hash = mixHash(hash, lineHash)
  return lettersOf(hash, { letters })
}

function lettersOf(hash: number, { letters }: Pick<AnchorRules, 'letters'>): string {
  let name = ''
  for (let at = 0; at < letters; at += 1)
    name += String.fromCharCode(97 + ((hash >>> (8 * at)) % 26))
  return name
}

const seeds = { chunk: seedOf('chunk'), checkpoint: seedOf('ckpt') }

function seedOf(name: string): number {
  return [...name].reduce((hash, letter) => mixHash(hash, letter.charCodeAt(0)), fnvBasis)
}
