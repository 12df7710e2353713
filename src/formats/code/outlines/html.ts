import type { Declaration } from '../declaration.js'
import type { Language } from '../language.js'

/** Bounded, so that a text that is no HTML does not take its square of time. */
const element =
  /<[a-zA-Z][\w-]*\s(?:"[^"]{0,500}"|'[^']{0,500}'|[^'"<>]){0,500}?\bid\s*=\s*(?:"([^"]{1,200})"|'([^']{1,200})')/g
const heading = /<(h[1-3])\b[^<>]{0,500}>([^<]{1,200})/gi

/** Elements with an id and headings, by the line that they begin on; where they end only a parser could tell. */
export const html: Language = {
  name: 'html',
  files: ['.html', '.htm', '.xhtml'],
  lexis: 'markup',
  read: ({ text }) => ({ parser: 'scanner', declarations: readElements(text) }),
  patterns: [],
}

function readElements(text: string): readonly Declaration[] {
  const ids = [...text.matchAll(element)].map(match =>
    declared(match, `#${match[1] ?? match[2] ?? ''}`, 'element'),
  )
  const headings = [...text.matchAll(heading)].map(match =>
    declared(match, (match[2] ?? '').trim().replace(/\s+/g, ' '), 'heading'),
  )
  return [...ids, ...headings.filter(({ name }) => name !== '')].toSorted((a, b) => a.from - b.from)
}

/** Marked as shared: it is known only in part. */
function declared(match: RegExpExecArray, name: string, kind: 'element' | 'heading'): Declaration {
  const from = match.index
  const to = from + match[0].length
  return { name, kind, flags: ['shared'], from, to, nameAt: from, children: [] }
}
