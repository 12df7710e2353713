import type { Declaration } from '../declaration.js'
import type { Lines } from '../lines.js'
import { type Found, nestFound, refineByLines } from '../nest-found.js'

/** Of two that are equally wide the parser's counts. */
const byParser = 0
const byLines = 1

/** What a parser found in a damaged text, with what it lost there but lines still show. */
export function supplement(
  lines: Lines,
  parsed: readonly Declaration[],
  shown: readonly Declaration[],
): readonly Declaration[] {
  const found = flatten(parsed, byParser)
  const keyOf = ({ name, nameAt }: Found): string => `${lines.lineAt(nameAt)} ${name}`
  const known = new Set(found.map(keyOf))
  const lost = flatten(shown, byLines).filter(one => !known.has(keyOf(one)))
  if (lost.length === 0) return parsed
  return nestFound(lines.text, [...found, ...lost], (one, context) =>
    one.pattern === byLines ? refineByLines(one, context) : { kind: one.kind, flags: one.flags },
  )
}

function flatten(declarations: readonly Declaration[], pattern: number): readonly Found[] {
  return declarations.flatMap(({ children, ...one }) => [
    { ...one, pattern },
    ...flatten(children, pattern),
  ])
}
