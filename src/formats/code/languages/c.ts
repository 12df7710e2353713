import type { Language } from '../language.js'
import { flagsIn, type Refine } from '../nest-found.js'
import { cPatterns, cQuery } from './c-family.js'

const refine: Refine = ({ kind, flags }, { header }) => ({
  kind,
  flags: [...flags, ...flagsIn(header, { static: /\bstatic\b/ })],
})

const spec = { grammar: 'c', query: cQuery, isCertain: false, refine } as const

export const c: Language = {
  name: 'c',
  files: ['.c'],
  lexis: 'slashes',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: cPatterns,
}
