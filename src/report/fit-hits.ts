import { type FileHits, hitLines, type SearchHit, type SymbolAround } from './search-view.js'

/** What an answer may still hold. */
export interface SearchBudget {
  readonly hits: number
  /** Of the compact text. */
  readonly bytes: number
}

/** As many hits of a file as fit, and what is left then. The very first hit of an answer always fits. */
export function fitHits(
  { path, rev, hits }: FileHits,
  budget: SearchBudget,
  isFirst: boolean,
): { readonly hits: readonly SearchHit[]; readonly left: SearchBudget } {
  let bytes = budget.bytes - byteLength(`${path} ${rev}`)
  let last: SymbolAround | undefined
  const shown: SearchHit[] = []
  for (const hit of hits) {
    const cost = hitLines(hit, last).reduce((sum, line) => sum + byteLength(line), 0)
    const isOver = shown.length >= budget.hits || cost > bytes
    if (isOver && !(isFirst && shown.length === 0)) break
    bytes -= cost
    shown.push(hit)
    last = hit.symbol ?? last
  }
  if (shown.length === 0) return { hits: shown, left: budget }
  return { hits: shown, left: { hits: budget.hits - shown.length, bytes: Math.max(bytes, 0) } }
}

/** With the break behind it. */
function byteLength(text: string): number {
  return new TextEncoder().encode(text).length + 1
}
