import { z } from 'zod'
import type { OpBase } from '../../core/batch.js'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { permittedLevels } from '../../core/matching.js'
import type { MatchLevel } from '../../core/receipt.js'
import { type SeekLevel, seekLevels, seekLines } from '../../formats/text/seek-lines.js'
import { checkText } from './checks.js'
import { guardHunks } from './guard-hunks.js'
import { addedLines, type Hunk, type PlacedHunk } from './hunk.js'
import { endingDivergence, type HunkField, hunkCandidates, placeInPatch } from './hunk-refusals.js'
import { literalRunsOf, runsOf, spliceRuns } from './line-runs.js'
import { changesEnd, placeByNumber } from './place-by-number.js'
import { placeInOrder } from './place-in-order.js'
import { defineTextOp, spliceText, type TextContext, type TextOutcome } from './text-op.js'

/**
 * Changes a file by the hunks of a patch, all or none. Only changed lines are replaced: context
 * keeps the bytes of the file. Hunks are placed in their order (`in_order`) or at the lines that
 * they name (`by_number`).
 */
export const applyHunks = defineTextOp({
  name: 'apply_hunks',
  summary: 'Change a file by the hunks of a patch.',
  fields: {
    hunks: z.custom<readonly Hunk[]>(),
    placing: z.enum(['in_order', 'by_number']),
    first_match: z.boolean().exactOptional(),
    /** Nothing may be left: the patch deletes the file. */
    empties: z.boolean().exactOptional(),
  },
  check: ({ hunks }, limits) => {
    const limit = fixedLimits.hunks
    if (hunks.length > limit) {
      throw new Refusal('TOO_LARGE', { what: 'hunks', limit, actual: hunks.length })
    }
    const text = hunks.flatMap(({ lines }) => addedLines(lines)).join('\n')
    checkText({ field: 'patch', text }, limits.writeBytes)
  },
  edit: (op, context) => {
    const outcome = op.placing === 'in_order' ? editInOrder(op, context) : editByNumber(op, context)
    if (op.empties === true) requireEmpty(op.hunks, outcome)
    return outcome
  },
})

interface HunksOp extends Pick<OpBase, 'levels'> {
  readonly path: string
  readonly hunks: readonly Hunk[]
  readonly first_match?: boolean
}

function editInOrder(op: HunksOp, context: TextContext): TextOutcome {
  const { path, hunks, first_match } = op
  const field = fieldOf(context)
  const placed = placeInOrder(
    {
      ...field,
      levels: levelsOf(op, context),
      takesFirst: first_match ?? false,
      indentation: indentationOf(path),
    },
    hunks,
  )
  guardHunks(context, field, placed)
  const wasOpen = isOpen(context)
  const runs = placed.flatMap(hunk => runsOf(field.sought, hunk))
  const splices = spliceRuns(field.sought, runs, { wasOpen, staysOpen: wasOpen })
  const isReindented = runs.some(({ added }) => added.some(line => line.reindented))
  return {
    text: spliceText(context, splices),
    ...weakest(placed),
    ...(isReindented && { reindented: true }),
  }
}

/** The levels of the dialect, as far as the settings let them. */
function levelsOf({ levels }: HunksOp, { matching }: TextContext): readonly SeekLevel[] {
  const permitted = permittedLevels(levels ?? seekLevels, matching)
  return seekLevels.filter(level => permitted.includes(level))
}

function editByNumber({ hunks }: HunksOp, context: TextContext): TextOutcome {
  const field = fieldOf(context)
  const wasOpen = isOpen(context)
  const marked = context.text.file.encoding === 'utf-8-bom' ? hunks.map(withoutMark) : hunks
  const placed = placeByNumber({ ...field, isOpen: wasOpen }, marked)
  guardHunks(context, field, placed)
  const endings = whoseEndings(field, context, placed)
  const runs = placed.flatMap(hunk => literalRunsOf(hunk, endings))
  const last = placed.findLast(({ hunk }) => hunk.openEnds && changesEnd(hunk.openEnds))
  const staysOpen = last === undefined ? wasOpen : (last.hunk.openEnds?.new ?? false)
  const splices = spliceRuns(field.sought, runs, { wasOpen, staysOpen })
  return { text: spliceText(context, splices), ...weakest(placed) }
}

function fieldOf({ text }: TextContext): HunkField {
  return { haystack: text, sought: seekLines(text.text) }
}

function isOpen({ text }: TextContext): boolean {
  return text.text !== '' && !text.text.endsWith('\n')
}

function weakest(placed: readonly PlacedHunk<MatchLevel>[]): { readonly level?: MatchLevel } {
  const level = seekLevels.findLast(known => placed.some(hunk => hunk.level === known))
  return level === undefined ? {} : { level }
}

/** Where white space has meaning a hunk that was indented otherwise is not taken for the same, or only where all of it is shifted alike. */
function indentationOf(path: string): 'free' | 'shifted' | 'fixed' {
  if (/(?:^|\/)(?:GNU)?[Mm]akefile$|\.mk$/.test(path)) return 'fixed'
  return /\.(?:pyi?|ya?ml)$/.test(path) ? 'shifted' : 'free'
}

/** The byte order mark is no part of the text; git shows it as one of the first line. */
function withoutMark(hunk: Hunk): Hunk {
  const first = (kind: 'added' | 'removed'): number =>
    hunk.lines.findIndex(line => line.kind === kind || line.kind === 'context')
  const places = [first('removed'), first('added')]
  if (!places.every(place => hunk.lines[place]?.text.startsWith('\ufeff'))) return hunk
  const lines = hunk.lines.map((line, index) =>
    places.includes(index) ? { ...line, text: line.text.slice(1) } : line,
  )
  return { ...hunk, lines }
}

/**
 * A patch whose old lines end as those of the file was made from these very bytes, so its new lines
 * end as they say. One that was written down with other endings takes those of the file, unless the
 * file mixes them: then a CRLF that is not there is a line that is not there.
 */
function whoseEndings(
  field: HunkField,
  { text }: TextContext,
  placed: readonly PlacedHunk<'exact'>[],
): 'said' | 'chosen' {
  const { isUniform, dominantEnding } = text.file.lines
  const saysCarriage = placed.some(({ lines }) => lines.some(line => line.hasCarriageReturn))
  if (dominantEnding === '\r') return 'chosen'
  if (!saysCarriage && isUniform && dominantEnding !== '\r\n') return 'chosen'
  let compared = 0
  for (const { hunk, lines, at } of placed) {
    const old = lines.filter(({ kind }) => kind !== 'added')
    const wrong = old.findIndex((line, index) => {
      const feed = field.sought.startOf(at + index + 1) - 1
      if (text.text[feed] !== '\n') return false
      compared += 1
      return (text.endingAt(feed) === '\r\n') !== (line.hasCarriageReturn ?? false)
    })
    if (wrong < 0) continue
    if (isUniform || !saysCarriage) return 'chosen'
    const [crlf, lf] = ['\r\n', '\n'] as const
    const isCarriage = old[wrong]?.hasCarriageReturn === true
    throw new Refusal('ZERO_MATCHES', {
      ...placeInPatch(hunk),
      candidates: hunkCandidates(field, hunk, [at]),
      first_divergence: endingDivergence(field, at + wrong, {
        wanted: isCarriage ? crlf : lf,
        actual: isCarriage ? lf : crlf,
      }),
      hint: 'line_endings',
      line: text.lineAt(field.sought.startOf(at + wrong)),
    })
  }
  // Nothing shows what the patch was made from, so that LF in a file of CRLF is how it was written down.
  return compared === 0 && isUniform && !saysCarriage ? 'chosen' : 'said'
}

function requireEmpty(hunks: readonly Hunk[], { text }: TextOutcome): void {
  const [hunk] = hunks
  if (text.text === '' || hunk === undefined) return
  throw new Refusal('DIALECT_UNPARSABLE', {
    line: hunk.patchLine,
    problem: 'the patch deletes the file but does not remove all of its lines',
  })
}
