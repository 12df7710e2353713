import type { SymbolKind } from '../../../core/outline.js'
import type { Declaration } from '../declaration.js'

/** A heading or key that holds everything down to the next one of its level. */
export interface Section {
  readonly name: string
  readonly level: number
  readonly from: number
  readonly nameAt: number
}

interface Growing extends Declaration {
  readonly children: Growing[]
}

/** Puts sections, given from the top, into those of a lower level above them. */
export function nestSections(
  text: string,
  sections: readonly Section[],
  kind: SymbolKind,
): readonly Declaration[] {
  const ends = endsOf(text, sections)
  const top: Growing[] = []
  const open: { readonly level: number; readonly grown: Growing }[] = []
  for (const [index, { name, level, from, nameAt }] of sections.entries()) {
    while ((open.at(-1)?.level ?? -1) >= level) open.pop()
    const to = ends[index] ?? text.length
    const grown: Growing = { name, kind, flags: [], from, to, nameAt, children: [] }
    ;(open.at(-1)?.grown.children ?? top).push(grown)
    open.push({ level, grown })
  }
  return top
}

/** Where each section ends: at the next one that is not deeper, blank lines before that left out. */
function endsOf(text: string, sections: readonly Section[]): readonly number[] {
  const ends: number[] = new Array(sections.length)
  const next: number[] = []
  for (let index = sections.length - 1; index >= 0; index -= 1) {
    const { level = 0 } = sections[index] ?? {}
    while (next.length > 0 && (sections[next.at(-1) ?? 0]?.level ?? 0) > level) next.pop()
    const following = sections[next.at(-1) ?? sections.length]
    ends[index] = trimmedEnd(text, following?.from ?? text.length)
    next.push(index)
  }
  return ends
}

function trimmedEnd(text: string, end: number): number {
  let at = end
  while (at > 0 && ' \t\n'.includes(text[at - 1] ?? '')) at -= 1
  return at
}
