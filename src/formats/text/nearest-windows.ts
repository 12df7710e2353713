import { lastAtMost } from './line-index.js'

/** Lines of a text that are likely meant by other lines: `start` counts from 0. */
export interface Window {
  readonly start: number
  readonly score: number
}

/** Characters that may be searched for all probes together, so that a large file gets fewer of them. */
const searchedChars = 32_000_000

const maxProbes = 16
const hitsPerProbe = 64
const scoredWindows = 8
const leastScore = 0.4

/** Characters of a line that are compared. */
const comparedChars = 300

/** A part of the wanted text that is looked for in the file. */
interface Probe {
  readonly text: string
  /** The wanted line that it stands in. */
  readonly line: number
}

/**
 * The windows of a text that are most like the wanted lines, best first, none overlapping. Telling
 * parts of the wanted lines vote for where these may begin; only the best voted are compared. Of two
 * that are alike the one that begins well is better: there the first difference says most.
 */
export function nearestWindows(
  text: string,
  starts: readonly number[],
  wanted: readonly string[],
): readonly Window[] {
  const votes = castVotes(text, starts, wanted)
  const elected = [...votes].toSorted((a, b) => b[1] - a[1]).slice(0, scoredWindows)
  const scored = elected.map(([start]) => {
    const actual = wanted.map((_, line) => lineOf(text, starts, start + line))
    return { start, score: similarity(wanted, actual), lead: leadingShare(wanted, actual) }
  })
  const good = scored
    .filter(({ score }) => score >= leastScore)
    .toSorted((a, b) => b.score + b.lead - (a.score + a.lead) || a.start - b.start)
  return good.filter((window, index) =>
    good.slice(0, index).every(better => Math.abs(better.start - window.start) >= wanted.length),
  )
}

/** The line at a number from 0, without its break; '' past the end. */
export function lineOf(text: string, starts: readonly number[], line: number): string {
  const start = starts[line] ?? text.length
  const next = starts[line + 1] ?? text.length + (text.endsWith('\n') ? 0 : 1)
  return text.slice(start, next - 1)
}

function castVotes(
  text: string,
  starts: readonly number[],
  wanted: readonly string[],
): ReadonlyMap<number, number> {
  const votes = new Map<number, number>()
  const affordable = Math.max(1, Math.floor(searchedChars / Math.max(text.length, 1)))
  for (const probe of chooseProbes(wanted).slice(0, affordable)) {
    const hits = findHits(text, probe.text)
    const lines = new Set(hits.map(hit => lastAtMost(starts, hit) - probe.line))
    for (const line of lines) {
      const start = Math.max(0, line)
      votes.set(start, (votes.get(start) ?? 0) + probe.text.length / hits.length)
    }
  }
  return votes
}

/** The longest lines and the longest words, in turn: long ones are rare, so they tell most. */
function chooseProbes(wanted: readonly string[]): readonly Probe[] {
  const lines = wanted.map((line, index) => ({ text: line.trim(), line: index }))
  const words = wanted.flatMap((line, index) =>
    (line.match(/[\p{L}\p{N}_]+/gu) ?? []).map(word => ({ text: word, line: index })),
  )
  const half = maxProbes / 2
  return [...longest(lines, half), ...longest(words, half)].toSorted(
    (a, b) => b.text.length - a.text.length,
  )
}

function longest(probes: readonly Probe[], count: number): readonly Probe[] {
  const distinct = new Map(probes.map(probe => [probe.text, probe]))
  return [...distinct.values()]
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => b.text.length - a.text.length)
    .slice(0, count)
    .map(({ text, line }) => ({ text: text.slice(0, comparedChars), line }))
}

function findHits(text: string, probe: string): readonly number[] {
  const hits: number[] = []
  let at = text.indexOf(probe)
  while (at >= 0 && hits.length < hitsPerProbe) {
    hits.push(at)
    at = text.indexOf(probe, at + probe.length)
  }
  return hits
}

/** From 0 to 1: how much of the wanted lines stands in the others, line by line, long lines counting more. */
function similarity(wanted: readonly string[], actual: readonly string[]): number {
  let sum = 0
  let weights = 0
  for (const [index, line] of wanted.entries()) {
    const isEdge = index === 0 || index === wanted.length - 1
    const weight = 1 + Math.min(line.length, comparedChars)
    sum += weight * lineSimilarity(line, actual[index] ?? '', isEdge ? 'part' : 'whole')
    weights += weight
  }
  return Math.floor((100 * sum) / weights) / 100
}

/** From 0 to 1: which part of the wanted lines agrees before the first that does not. */
function leadingShare(wanted: readonly string[], actual: readonly string[]): number {
  const parting = wanted.findIndex((line, index) =>
    index === 0 ? actual[0]?.endsWith(line) !== true : actual[index] !== line,
  )
  return parting < 0 ? 1 : parting / wanted.length
}

/** The first and the last wanted line may be a part of their line. */
function lineSimilarity(wanted: string, actual: string, extent: 'part' | 'whole'): number {
  if (wanted === actual) return 1
  const pairs = pairCounts(wanted.trim())
  const others = pairCounts(actual.trim())
  let shared = 0
  for (const [pair, count] of pairs.counts) {
    shared += Math.min(count, others.counts.get(pair) ?? 0)
  }
  const size = extent === 'part' ? pairs.total : (pairs.total + others.total) / 2
  return size === 0 ? 0 : (0.99 * shared) / size
}

function pairCounts(line: string): {
  readonly counts: ReadonlyMap<string, number>
  readonly total: number
} {
  const counts = new Map<string, number>()
  const compared = line.slice(0, comparedChars)
  for (let at = 0; at + 1 < compared.length; at += 1) {
    const pair = compared.slice(at, at + 2)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return { counts, total: Math.max(compared.length - 1, 0) }
}
