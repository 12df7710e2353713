/**
 * @typedef {object} Chunk a hunk of `apply_patch` as some peers keep it
 * @property {string | null} changeContext
 * @property {readonly string[]} oldLines
 * @property {readonly string[]} newLines
 * @property {boolean} isEndOfFile
 *
 * @typedef {object} ParsedPatch a unified diff as some peers keep it
 * @property {readonly ParsedHunk[]} hunks
 *
 * @typedef {object} ParsedHunk
 * @property {number} oldStart
 * @property {number} oldLines
 * @property {number} newStart
 * @property {number} newLines
 * @property {readonly string[]} lines
 */

/**
 * Chunks as the text that they were read from: what both sides begin and end with is context.
 * @param {string} path
 * @param {readonly Chunk[]} chunks
 */
export function chunksText(path, chunks) {
  const hunks = chunks.flatMap(chunkLines)
  return ['*** Begin Patch', `*** Update File: ${path}`, ...hunks, '*** End Patch', ''].join('\n')
}

/** @param {Chunk} chunk */
function chunkLines({ changeContext, oldLines: old, newLines: young, isEndOfFile }) {
  let head = 0
  while (head < Math.min(old.length, young.length) && old[head] === young[head]) head += 1
  const shorter = Math.min(old.length, young.length) - head
  let tail = 0
  while (tail < shorter && old.at(-1 - tail) === young.at(-1 - tail)) tail += 1
  const context = (/** @type {string} */ line) => (line === '' ? '' : ` ${line}`)
  return [
    changeContext === null ? '@@' : `@@ ${changeContext}`,
    ...old.slice(0, head).map(context),
    ...old.slice(head, old.length - tail).map(line => `-${line}`),
    ...young.slice(head, young.length - tail).map(line => `+${line}`),
    ...old.slice(old.length - tail).map(context),
    ...(isEndOfFile ? ['*** End of File'] : []),
  ]
}

/**
 * That peer counts one more than the text where a side has no line.
 * @param {string} path
 * @param {ParsedPatch} patch
 */
export function parsedText(path, { hunks }) {
  const side = (/** @type {number} */ start, /** @type {number} */ lines) =>
    `${start - (lines === 0 ? 1 : 0)},${lines}`
  return [
    `--- ${path}`,
    `+++ ${path}`,
    ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${side(oldStart, oldLines)} +${side(newStart, newLines)} @@`,
      ...lines,
    ]),
    '',
  ].join('\n')
}
