// Nine kinds of damage that edits of models leave behind, done to a text at a place drawn by chance.

/** @typedef {(lines: readonly string[], pick: (most: number) => number) => readonly string[] | undefined} Damage */

/** @type {Readonly<Record<string, Damage>>} */
export const damages = {
  'missing }': (lines, pick) => withoutMark(lines, pick, '}'),
  'missing {': (lines, pick) => withoutMark(lines, pick, '{'),
  'missing )': (lines, pick) => withoutMark(lines, pick, ')'),
  'one line dropped': (lines, pick) => lines.toSpliced(pick(lines.length), 1),
  'half a line': (lines, pick) => {
    const at = pickLine(lines, pick, line => line.trim().length > 8)
    if (at === undefined) return undefined
    const line = lines[at] ?? ''
    return lines.with(at, line.slice(0, line.length >> 1))
  },
  'unfinished function': (lines, pick) =>
    lines.toSpliced(pick(lines.length), 0, 'function unfinished(a, b) {', '  const x = ['),
  'conflict markers': (lines, pick) => {
    const at = pick(lines.length)
    const kept = lines.slice(at, at + 3)
    const marked = ['<<<<<<< HEAD', ...kept, '=======', ...kept, '>>>>>>> other']
    return lines.toSpliced(at, 3, ...marked)
  },
  '// ... existing code ...': (lines, pick) =>
    lines.toSpliced(pick(lines.length), 3, '// ... existing code ...'),
  'stray fences': lines => ['```ts', ...lines, '```'],
}

/**
 * @param {readonly string[]} lines
 * @param {(most: number) => number} pick
 * @param {string} mark
 */
function withoutMark(lines, pick, mark) {
  const at = pickLine(lines, pick, line => line.includes(mark))
  return at === undefined ? undefined : lines.with(at, (lines[at] ?? '').replace(mark, ''))
}

/**
 * @param {readonly string[]} lines
 * @param {(most: number) => number} pick
 * @param {(line: string) => boolean} fits
 */
function pickLine(lines, pick, fits) {
  const fitting = lines.flatMap((line, at) => (fits(line) ? [at] : []))
  return fitting.length === 0 ? undefined : fitting[pick(fitting.length)]
}
