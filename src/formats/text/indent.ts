/** Their character codes. */
const space = 32
const tab = 9

/** A line without the spaces and tabs around it. Anything rarer is text: who sends it means it. */
export function trimLine(line: string): string {
  return trimLineEnd(line.slice(indentOf(line).length))
}

/** A line without the spaces and tabs at its end. */
export function trimLineEnd(line: string): string {
  let end = line.length
  while (end > 0 && isBlankUnit(line.charCodeAt(end - 1))) end -= 1
  return line.slice(0, end)
}

/** The spaces and tabs a line begins with. */
export function indentOf(line: string): string {
  let at = 0
  while (at < line.length && isBlankUnit(line.charCodeAt(at))) at += 1
  return line.slice(0, at)
}

/** True for a space and a tab. */
export function isBlankUnit(unit: number): boolean {
  return unit === space || unit === tab
}

const widest = 8

/**
 * One step of indentation: a tab, or the number of spaces by which neighbouring lines differ most
 * often; undefined where none is indented. A single space is alignment unless there is nothing else.
 */
export function indentUnit(lines: readonly string[]): string | undefined {
  const indents = lines.filter(line => trimLine(line) !== '').map(indentOf)
  const indented = indents.filter(indent => indent !== '')
  if (indented.length === 0) return undefined
  if (indented.filter(indent => indent.startsWith('\t')).length * 2 > indented.length) return '\t'
  const widths = indents.map(({ length }) => length)
  const steps = widths.slice(1).map((width, index) => Math.abs(width - (widths[index] ?? 0)))
  const counts = new Map<number, number>()
  for (const step of steps) {
    if (step > 0 && step <= widest) counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  if (counts.size > 1) counts.delete(1)
  if (counts.size === 0) counts.set(Math.min(...indented.map(({ length }) => length)), 1)
  const [usual] = [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
  return usual && ' '.repeat(Math.min(usual[0], widest))
}
