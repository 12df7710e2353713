import { setTimeout as sleep } from 'node:timers/promises'
import { isRegular } from '../../core/blob.js'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import type { Outline, SyntaxErrors } from '../../core/outline.js'
import type { SyntaxVerdict, Warning } from '../../core/receipt.js'
import { readingKey } from '../../formats/code/registry.js'
import { excerptLine } from '../../formats/text/excerpt.js'
import { mapLines } from '../../formats/text/map-lines.js'
import { openText } from '../../formats/text/text-file.js'
import type { PlacedBlob, SymbolIndex } from '../repository/symbol-index.js'
import type { IdentifiedChange } from './plan-commits.js'

/** How the syntax of a batch is looked at. */
export interface SyntaxRules {
  /** Milliseconds that a batch may wait for its verdicts; 0 for none. */
  readonly waitMs: number
  /** Refuse what would bring in an error, and wait as long as that takes. */
  readonly isRequired: boolean
}

/** What is known of the syntax of the files of a batch. */
export interface SyntaxReport {
  /** By the path of the changed file; those of no known language are left out. */
  readonly verdicts: ReadonlyMap<string, SyntaxVerdict>
  readonly warnings: readonly Warning[]
}

type Changed = IdentifiedChange & { readonly after: NonNullable<IdentifiedChange['after']> }

/** An error that a change brings in. */
interface Broken {
  readonly change: Changed
  readonly line: number
  readonly errors: SyntaxErrors
}

/**
 * Compares the syntax errors of each changed file before and after. What is too much or takes too long is unchecked.
 * Where the batch must be valid, `INTRODUCES_SYNTAX_ERROR` refuses the first file that gets an error.
 */
export async function checkSyntax(
  symbols: SymbolIndex,
  changes: readonly IdentifiedChange[],
  { waitMs, isRequired }: SyntaxRules,
): Promise<SyntaxReport> {
  if (waitMs === 0) {
    if (!isRequired) return { verdicts: new Map(), warnings: [] }
    const reason = 'this server was started without the syntax check'
    throw new Refusal('UNSUPPORTED_OP', { field: 'require_valid', reason, use: ['leave it out'] })
  }
  const known = changes.filter(isKnown)
  const checked = withinLimits(known) ? known : []
  // A program that ends with its first batch would else never check one.
  const patientMs = symbols.isAwake ? waitMs : Math.max(waitMs, fixedLimits.firstSyntaxMs)
  const limitMs = isRequired ? fixedLimits.requiredSyntaxMs : patientMs
  const outlines = await within(limitMs, outlinesOf(symbols, checked))
  if (isRequired && outlines === undefined) throw new Refusal('TIMEOUT', { limit_ms: limitMs })
  const verdicts = new Map<string, SyntaxVerdict>(known.map(({ path }) => [path, 'unchecked']))
  const broken: Broken[] = []
  for (const [at, change] of checked.entries()) {
    const { before, after } = outlines?.[at] ?? {}
    const verdict = judge(change.before === undefined ? none : before?.errors, after?.errors)
    verdicts.set(change.path, verdict)
    if (verdict !== 'introduces_syntax_error' || after?.errors === undefined) continue
    broken.push({
      change,
      line: lineOf(change, before?.errors, after.errors),
      errors: after.errors,
    })
  }
  const [first] = broken
  if (isRequired && first !== undefined) throw refused(first)
  return { verdicts, warnings: broken.map(warningOf) }
}

/** A file that is new has no errors. */
const none: SyntaxErrors = { count: 0, lines: [], certain: true, fatal: false }

function isKnown(change: IdentifiedChange): change is Changed {
  const { path, after } = change
  return after !== undefined && isRegular(after.mode) && readingKey(path) !== undefined
}

/** Batches that are as large as a whole program are not parsed. */
function withinLimits(changes: readonly Changed[]): boolean {
  const bytes = changes.reduce(
    (sum, { before, after }) => sum + after.bytes.length + (before?.bytes.length ?? 0),
    0,
  )
  return changes.length <= fixedLimits.syntaxFiles && bytes <= fixedLimits.syntaxBytes
}

interface Outlines {
  readonly before?: Outline | undefined
  readonly after?: Outline | undefined
}

async function outlinesOf(
  symbols: SymbolIndex,
  changes: readonly Changed[],
): Promise<readonly Outlines[]> {
  const blobs = changes.flatMap(({ path, from, before, after, afterOid }): PlacedBlob[] => [
    ...(afterOid === undefined ? [] : [{ path, oid: afterOid, bytes: after.bytes }]),
    ...(before === undefined ? [] : [{ ...before, path: from ?? path }]),
  ])
  const found = await symbols.outlines(blobs)
  const outlineOf = (oid: string | undefined, path: string): Outline | undefined =>
    found[blobs.findIndex(blob => blob.oid === oid && blob.path === path)]
  return changes.map(({ path, from, before, afterOid }) => ({
    before: outlineOf(before?.oid, from ?? path),
    after: outlineOf(afterOid, path),
  }))
}

/** Undefined where it takes longer; what is still on its way is kept for the next time. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const stop = new AbortController()
  const late = sleep(limitMs, undefined, { signal: stop.signal }).catch(() => undefined)
  // Parsers that are busy or were closed are no reason to refuse an edit.
  const done = work.catch(error => {
    if (!(error instanceof Refusal)) throw error
    return undefined
  })
  try {
    return await Promise.race([done, late])
  } finally {
    stop.abort()
  }
}

/** What the best parser gives up on is worse than any number of errors that it gets over. */
function judge(before: SyntaxErrors | undefined, after: SyntaxErrors | undefined): SyntaxVerdict {
  if (before === undefined || after === undefined) return 'unchecked'
  if (after.count === 0 && !after.fatal) return 'ok'
  if (after.fatal !== before.fatal) return after.fatal ? 'introduces_syntax_error' : 'broken_before'
  return after.count > before.count ? 'introduces_syntax_error' : 'broken_before'
}

/** The first line of an error that did not stand in the file before. */
function lineOf(
  { before, after }: Changed,
  old: SyntaxErrors | undefined,
  { lines }: SyntaxErrors,
): number {
  const ranges = (old?.lines ?? []).map(line => ({ start: line, end: line }))
  const stayed = before === undefined ? [] : mapLines(ranges, before.bytes, after.bytes)
  const fresh = lines.find(line => !stayed.some(({ start, end }) => start <= line && line <= end))
  return fresh ?? lines[0] ?? 1
}

function warningOf({ change, line, errors }: Broken): Warning {
  const warning = { code: 'introduces_syntax_error', path: change.path, line } as const
  return errors.certain ? warning : { ...warning, uncertain: true }
}

function refused({ change, line, errors }: Broken): Refusal {
  const { path, after } = change
  const file = openText(after.bytes)
  const text = file?.text.slice(file.lines.startOf(line), file.lines.endOf(line)) ?? ''
  return new Refusal('INTRODUCES_SYNTAX_ERROR', {
    path,
    line,
    text: excerptLine(text),
    errors: errors.count,
    ...(!errors.certain && { uncertain: true }),
  })
}
