import type { Refusal, RefusalCode } from '../core/errors.js'
import type { RepoPath } from '../core/repo-path.js'
import { addedLines, oldLines } from './ops/hunk.js'
import type { Op } from './ops/registry.js'
import { targetsOf } from './targets.js'

/** Refusals of one place in a file, by what was read: whatever other edits do. */
const ofLines: readonly RefusalCode[] = [
  'OUT_OF_RANGE',
  'LINE_MISMATCH',
  // Of a symbol: it is looked for in the file as it was read.
  'NOT_FOUND',
  'ANCHOR_STALE',
  'ANCHOR_AMBIGUOUS',
  'OVERLAPPING_EDITS',
  'SUSPECT_TEXT',
]

/** Refusals of a text that is looked for in what the edits before have left. */
const ofText: readonly RefusalCode[] = ['ZERO_MATCHES', 'AMBIGUOUS_MATCH', 'COUNT_MISMATCH']

/** What is not done to the text of a file. */
const ofFiles: readonly Op['op'][] = [
  'write_file',
  'create_file',
  'delete_file',
  'move_file',
  'set_mode',
]

interface Missed {
  readonly op: Op
  readonly refusal: Refusal
}

/**
 * The edits of a batch that were refused, by their files. After one whose place in the file was not
 * found other edits of the text are still tried, and those that fail whatever became of it are told too.
 */
export class MissedEdits {
  readonly #blocked = new Set<RepoPath>()
  readonly #missed = new Map<RepoPath, Missed[]>()

  /** True for an op of which nobody can tell what it would have come to; then nobody can of what follows on it. */
  passesOver(op: Op): boolean {
    const targets = targetsOf(op)
    const isUnknown =
      targets.some(path => this.#blocked.has(path)) ||
      (ofFiles.includes(op.op) && targets.some(path => this.#missed.has(path)))
    if (isUnknown) this.#block(targets)
    return isUnknown
  }

  /** Takes down what an op was refused for; answers what of it does not depend on the edits refused before. */
  add(op: Op, refusals: readonly Refusal[]): readonly Refusal[] {
    const before = this.#missed.get(op.path) ?? []
    const told = refusals.filter(refusal => isIndependent({ op, refusal }, before))
    const missed = refusals.map(refusal => ({ op, refusal }))
    const isOfFile = refusals.some(({ code }) => !ofLines.includes(code) && !ofText.includes(code))
    if (isOfFile) this.#block(targetsOf(op))
    else this.#missed.set(op.path, [...before, ...missed])
    return told
  }

  #block(paths: readonly RepoPath[]): void {
    for (const path of paths) this.#blocked.add(path)
  }
}

function isIndependent(missed: Missed, before: readonly Missed[]): boolean {
  if (before.length === 0 || ofLines.includes(missed.refusal.code)) return true
  return ofText.includes(missed.refusal.code) && before.every(other => areApart(missed, other))
}

/** True where an edit neither speaks of the lines of another one nor is likely meant for the same place. */
function areApart(missed: Missed, other: Missed): boolean {
  const wanted = textsOf(missed.op)
    .old.map(line => line.trim())
    .filter(line => line !== '')
  const { old, young } = textsOf(other.op)
  const isTold = missed.refusal.code === 'ZERO_MATCHES'
  const spoken = isTold ? young.filter(line => !old.includes(line)) : [...old, ...young]
  if (wanted.some(line => spoken.some(one => one.includes(line)))) return false
  const theirs = likelyPlaces(other)
  return likelyPlaces(missed).every(mine =>
    theirs.every(
      place => mine.end_line + 1 < place.start_line || place.end_line + 1 < mine.start_line,
    ),
  )
}

/** Lines that an op looks for, and lines that it puts in. */
interface Texts {
  readonly old: readonly string[]
  readonly young: readonly string[]
}

function textsOf(op: Op): Texts {
  if ('hunks' in op) {
    return {
      old: op.hunks.flatMap(({ lines }) => oldLines(lines)),
      young: op.hunks.flatMap(({ lines }) => addedLines(lines)),
    }
  }
  const old =
    'find' in op ? op.find : 'search' in op ? op.search : 'contains' in op ? op.contains : ''
  const young = 'replace' in op ? op.replace : 'text' in op ? (op.text ?? '') : ''
  return { old: old.split('\n'), young: young.split('\n') }
}

interface Lines {
  readonly start_line: number
  readonly end_line: number
}

/** Where an edit was likely meant to go: what is most like its text, or every place where that stands. */
function likelyPlaces({ op, refusal: { data } }: Missed): readonly Lines[] {
  const [best] = (data.candidates ?? []) as readonly Lines[]
  if (best !== undefined) return [best]
  const { length } = textsOf(op).old
  const matches = (data.matches ?? []) as readonly { readonly line: number }[]
  return matches.map(({ line }) => ({ start_line: line, end_line: line + length - 1 }))
}
