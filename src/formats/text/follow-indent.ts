/** A line as somebody wrote it and the line of the file that it was found as. */
export interface LinePair {
  readonly wanted: string
  readonly actual: string
}

/** How the indentation of a text becomes that of the place it goes to. */
export interface IndentRule {
  /** True where every line is indented by the same white space more, or the same less, than it was written. */
  readonly isUniform: boolean
  /** True where nothing changes. */
  readonly isIdentity: boolean
  /** The line indented for its new place; undefined where the pairs do not tell how. */
  follow(line: string): string | undefined
}

/** Learns from lines that were found how new lines beside them must be indented. */
export function followIndent(pairs: readonly LinePair[]): IndentRule {
  const indents = pairs
    .filter(({ wanted }) => wanted.trim() !== '')
    .map(({ wanted, actual }) => ({ wanted: indentOf(wanted), actual: indentOf(actual) }))
  const isIdentity = indents.every(({ wanted, actual }) => wanted === actual)
  const known = new Map<string, string | undefined>()
  for (const { wanted, actual } of indents) {
    const isContradicted = known.has(wanted) && known.get(wanted) !== actual
    known.set(wanted, isContradicted ? undefined : actual)
  }
  const shift = isIdentity ? (indent: string) => indent : uniformShift(indents)
  const follow = (indent: string): string | undefined =>
    known.get(indent) ?? shift?.(indent) ?? composed(indent, known)
  return {
    isUniform: shift !== undefined,
    isIdentity,
    follow: line => {
      if (isIdentity || line.trim() === '') return line
      const indent = indentOf(line)
      const followed = follow(indent)
      return followed === undefined ? undefined : followed + line.slice(indent.length)
    },
  }
}

/** The white space that a line begins with. */
function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length)
}

type Shift = (indent: string) => string | undefined

/** The one shift that all pairs show, to the right or to the left. */
function uniformShift(
  indents: readonly { readonly wanted: string; readonly actual: string }[],
): Shift | undefined {
  const [first] = indents
  if (first === undefined) return undefined
  const right = added(first.wanted, first.actual)
  if (right !== undefined && indents.every(({ wanted, actual }) => actual === right + wanted)) {
    return indent => right + indent
  }
  const left = added(first.actual, first.wanted)
  if (left !== undefined && indents.every(({ wanted, actual }) => wanted === left + actual)) {
    return indent => (indent.startsWith(left) ? indent.slice(left.length) : undefined)
  }
  return undefined
}

/** What stands before `end` to make `whole`; undefined where it does not end so. */
function added(end: string, whole: string): string | undefined {
  return whole.endsWith(end) ? whole.slice(0, whole.length - end.length) : undefined
}

type Known = ReadonlyMap<string, string | undefined>

/** An indentation deeper than one that is known, by a step that two others are apart. */
function composed(indent: string, known: Known): string | undefined {
  const steps = stepsOf(known)
  const outer = [...known.keys()]
    .filter(prefix => indent.startsWith(prefix))
    .toSorted((a, b) => b.length - a.length)
  for (const prefix of outer) {
    const [head, step] = [known.get(prefix), steps.get(indent.slice(prefix.length))]
    if (head !== undefined && step !== undefined) return head + step
  }
  return undefined
}

/** How much deeper lines are in the file where they were written deeper by so much. */
function stepsOf(known: Known): ReadonlyMap<string, string> {
  const pairs = [...known].filter(([, actual]) => actual !== undefined) as [string, string][]
  // One tab for one stretch of spaces, or the other way round, is a step of its own.
  const isUnit = ([wanted, actual]: [string, string]): boolean => wanted === '\t' || actual === '\t'
  const steps = new Map(pairs.filter(pair => isUnit(pair) && !pair.includes('')))
  for (const [wanted, actual] of pairs) {
    for (const [deeper, deeperActual] of pairs) {
      if (deeper === wanted || !deeper.startsWith(wanted)) continue
      if (deeperActual === actual || !deeperActual.startsWith(actual)) continue
      steps.set(deeper.slice(wanted.length), deeperActual.slice(actual.length))
    }
  }
  return steps
}
