// A commit's change of one file as an agent says it: texts to find, each there once, and what comes in their place.

/** @typedef {{ readonly start: number, readonly end: number }} Lines from 1, both included */
/** @typedef {{ old: string, new: string, lines: Lines }} Replacement of lines of the file before */
/** @typedef {{ readonly path: string, readonly before: string, readonly after: string }} ChangedFile */

/**
 * @typedef {object} Block lines from 0, the end not included
 * @property {number} oldStart
 * @property {number} oldEnd
 * @property {number} newStart
 * @property {number} newEnd
 */

/** Blocks with no more lines between them are said as one. */
const nearLines = 2

/**
 * The changed lines by the hunks of a diff without context.
 * @param {string} diff
 * @returns {readonly Block[]}
 */
export function blocksOf(diff) {
  return [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)].map(found => {
    const [oldAt, oldCount, newAt, newCount] = [1, 2, 3, 4].map(at => Number(found[at] ?? 1))
    return {
      ...side('old', oldAt ?? 1, oldCount ?? 1),
      ...side('new', newAt ?? 1, newCount ?? 1),
    }
  })
}

/**
 * @param {'old' | 'new'} name
 * @param {number} at
 * @param {number} count
 * @returns {any}
 */
function side(name, at, count) {
  const start = count === 0 ? at : at - 1
  return { [`${name}Start`]: start, [`${name}End`]: start + count }
}

/**
 * Replacements that make the file after of the one before. Each takes in lines around it until its text stands there
 * once, at least one line where nothing was taken away.
 * @param {ChangedFile} file
 * @param {readonly Block[]} blocks
 * @returns {readonly Replacement[]}
 */
export function replacementsOf({ before, after }, blocks) {
  const [old, young] = [linesOf(before), linesOf(after)]
  /** @type {Block[]} */
  const grown = []
  for (const block of blocks) {
    const last = grown.at(-1)
    const joined =
      last !== undefined && block.oldStart - last.oldEnd <= nearLines
        ? { ...block, oldStart: last.oldStart, newStart: last.newStart }
        : { ...block }
    if (joined.oldStart !== block.oldStart) grown.pop()
    grow(joined, old, young, before)
    const previous = grown.at(-1)
    if (previous !== undefined && previous.oldEnd > joined.oldStart) {
      grown.pop()
      joined.newStart -= joined.oldStart - previous.oldStart
      joined.oldStart = previous.oldStart
      joined.newStart = previous.newStart
    }
    grown.push(joined)
  }
  return grown.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    old: old.slice(oldStart, oldEnd).join(''),
    new: young.slice(newStart, newEnd).join(''),
    lines: { start: oldStart + 1, end: oldEnd },
  }))
}

/**
 * @param {Block} block
 * @param {readonly string[]} old
 * @param {readonly string[]} young
 * @param {string} before
 */
function grow(block, old, young, before) {
  for (let turn = 0; ; turn += 1) {
    const text = old.slice(block.oldStart, block.oldEnd).join('')
    if (text.trim() !== '' && before.indexOf(text) === before.lastIndexOf(text)) return
    const [canUp, canDown] = [block.oldStart > 0 && block.newStart > 0, block.oldEnd < old.length]
    if (!canUp && !canDown) return
    if ((turn % 2 === 0 && canUp) || !canDown) {
      block.oldStart -= 1
      block.newStart -= 1
    } else {
      block.oldEnd += 1
      block.newEnd = Math.min(young.length, block.newEnd + 1)
    }
  }
}

/**
 * Lines with their ends.
 * @param {string} text
 * @returns {readonly string[]}
 */
export function linesOf(text) {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/**
 * Ranges in order, those that touch or almost do as one.
 * @param {readonly Lines[]} ranges
 * @param {number} gap
 * @returns {readonly Lines[]}
 */
export function mergeRanges(ranges, gap) {
  /** @type {{ start: number, end: number }[]} */
  const merged = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last.end + 1 + gap) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}
