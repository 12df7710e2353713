/** @typedef {import('./types.mjs').Case} Case */
/** @typedef {import('./types.mjs').Family} Family */
/** @typedef {import('./types.mjs').Files} Files */

const dialect = 'search_replace_blocks'

/** @type {Family} SEARCH/REPLACE blocks for files that are there. */
export const blocks = {
  name: dialect,
  takes: one => one.dialect === 'sr_blocks',
  request: ({ edit, patch = '' }) => {
    if (edit?.dry_run) return 'a dry run, which writes nothing by its nature'
    return { batches: [{ dialect, patch: withHint(withPath(patch, edit?.file), edit?.start) }] }
  },
}

/** @type {Family} What a peer's parser alone reads of a text. */
export const markerChecks = {
  name: 'blocks (parser)',
  takes: one => one.dialect === 'sr_blocks_parse',
  request: ({ expect, peer, patch = '' }) => {
    const isRefused = expect.error === true
    if (!isRefused && !expect.blocks) return 'a check of markers alone, without a file'
    const { before, after } = filesAround(expect.blocks ?? [])
    return {
      batches: [{ dialect, patch: peer === 'roo' ? withPath(patch, 'f.txt') : patch }],
      before,
      outcomes: [isRefused ? { refused: true, code: 'DIALECT_UNPARSABLE' } : { after }],
    }
  },
}

/**
 * Roo names the file beside the text.
 * @param {string} patch
 * @param {string | undefined} file
 */
function withPath(patch, file) {
  return file === undefined || patch.startsWith(`${file}\n`)
    ? patch
    : `${file}\n${patch.trimStart()}`
}

/**
 * Older versions of Roo named the line beside the text.
 * @param {string} patch
 * @param {number | null | undefined} start
 */
function withHint(patch, start) {
  if (typeof start !== 'number') return patch
  return patch.replace('SEARCH\n', `SEARCH\n:start_line:${start}\n-------\n`)
}

/**
 * Files that hold what the blocks search, and the same with what they replace it by.
 * @param {readonly (readonly [string, string, string])[]} blocks
 */
function filesAround(blocks) {
  /** @type {Files} */
  const before = new Map()
  /** @type {Files} */
  const after = new Map()
  for (const path of new Set(blocks.map(([path]) => path))) {
    const own = blocks.filter(([other]) => other === path)
    const join = (/** @type {1 | 2} */ side) =>
      new TextEncoder().encode(own.map(block => block[side]).join('(between)\n'))
    if (own.some(([, search]) => search !== '')) before.set(path, join(1))
    after.set(path, join(2))
  }
  return { before, after }
}
