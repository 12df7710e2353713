import { Refusal } from '../../core/errors.js'
import { fitHits, type SearchBudget } from '../../report/fit-hits.js'
import type { FileHits, SearchAnswer, SearchHit } from '../../report/search-view.js'
import { rankMatches, type SymbolMatch } from '../../report/symbols-view.js'
import type { Checkout } from '../checkout/checkout.js'
import type { Searched } from './kept-searches.js'
import { searchFiles } from './search-symbols.js'
import {
  goOn,
  isWithin,
  pathMatcher,
  type SearchQuery,
  type SearchWays,
} from './search-worktree.js'

/** Looks a name up among what the files declare; files whose names fit best come first, and a hit is `12-20 kind name`. */
export async function searchDeclarations(
  checkout: Checkout,
  query: SearchQuery,
  { limits }: SearchWays,
): Promise<Searched> {
  const { pattern, mode, path } = query
  const fits = pathMatcher(query.glob)
  const searched = await searchFiles(checkout, { query: pattern, path }, limits)
  const files = searched.files.filter(file => fits(file.path) && isWithin(file.path, path))
  const matches = rankMatches(pattern, files, {})
  const all = byFile(matches)
  const shown = fitFiles(filesAfter(all, query.after), { hits: query.limit, bytes: query.maxBytes })
  const last = shown.at(-1)?.path
  const isRest = last !== undefined && last !== all.at(-1)?.path
  const isCut = shown.some(({ more_hits: more }) => more !== undefined)
  const truncated = isRest || isCut || searched.left > 0
  const answer: SearchAnswer = {
    pattern,
    mode,
    engine: 'symbols',
    files: shown,
    shown_hits: shown.reduce((sum, { hits }) => sum + hits.length, 0),
    total_hits: matches.length,
    total_files: all.length,
    truncated,
    ...(isRest && { next: last }),
    ...(truncated && { go_on: goOn(isRest ? last : undefined, isCut) }),
    ...(searched.left > 0 && { skipped: { unread: searched.left } }),
  }
  const names = searched.files.map(file => Buffer.from(file.path).toString('latin1'))
  return { answer, names: searched.left > 0 ? undefined : names }
}

/** Refuses with `INVALID_ARGUMENTS` where the file is none of them: their order is by how well they fit, not by path. */
function filesAfter(files: readonly FileHits[], after: string | undefined): readonly FileHits[] {
  if (after === undefined || after === '') return files
  const at = files.findIndex(({ path }) => path === after)
  if (at >= 0) return files.slice(at + 1)
  const problem = 'no file of this answer, as it is now; ask again without it'
  throw new Refusal('INVALID_ARGUMENTS', { problems: [{ field: 'after', problem }] })
}

function byFile(matches: readonly SymbolMatch[]): readonly FileHits[] {
  const files = new Map<string, SearchHit[]>()
  for (const match of matches) {
    const hits = files.get(match.path) ?? []
    hits.push(hitOf(match))
    files.set(match.path, hits)
  }
  const revs = new Map(matches.map(({ path, rev }) => [path, rev]))
  return [...files].map(([path, hits]) => ({ path, rev: revs.get(path) ?? '', hits }))
}

function hitOf({ name_path, kind, start_line, end_line }: SymbolMatch): SearchHit {
  const range = start_line === end_line ? `${start_line}` : `${start_line}-${end_line}`
  const text = `${range} ${kind} ${name_path.replace(/\s+/g, ' ')}`
  const symbol = { name_path, kind, start_line, end_line }
  return { line: start_line, column: 1, text, symbol }
}

function fitFiles(files: readonly FileHits[], budget: SearchBudget): readonly FileHits[] {
  const shown: FileHits[] = []
  let left = budget
  for (const file of files) {
    const fit = fitHits(file, left, shown.length === 0)
    if (fit.hits.length === 0) break
    left = fit.left
    const more = file.hits.length - fit.hits.length
    shown.push({ ...file, hits: fit.hits, ...(more > 0 && { more_hits: more }) })
  }
  return shown
}
