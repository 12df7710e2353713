import { parsedText } from './patch-texts.mjs'

/** @typedef {import('./types.mjs').Case} Case */
/** @typedef {import('./types.mjs').Family} Family */
/** @typedef {import('./types.mjs').Op} Op */

const dialect = 'unified_diff'

/** @type {Family} What `git diff` and `diff -u` print. */
export const unifiedDiff = {
  name: dialect,
  takes: one => one.dialect === dialect,
  request: one => {
    const patch = patchOf(one)
    return patch === undefined ? 'a patch that no text says' : { batches: [{ dialect, patch }] }
  },
}

/** @type {Family} What a peer's parser alone reads of such a patch. */
export const diffReadings = {
  name: 'unified_diff (parser)',
  takes: one => one.dialect === 'unified_diff_parse',
  request: ({ expect, patch }) => ({
    batches: [{ dialect, patch }],
    readOps: hunksOf,
    outcomes: [{ reading: expect.edits }],
  }),
}

/**
 * Some peers are told the file beside the patch, whatever name stands in it, or take the patch parsed.
 * @param {Case} one
 */
function patchOf({ edit, patch }) {
  const file = edit?.file
  if (patch !== undefined) return file === undefined ? patch : renamed(patch, file)
  const [parsed] = [edit.patch].flat()
  return typeof parsed === 'object' ? parsedText(file, parsed) : undefined
}

/**
 * @param {string} patch
 * @param {string} file
 */
function renamed(patch, file) {
  return patch.replace(/^(---|\+\+\+) [^\t\r\n]*/gm, `$1 ${file}`)
}

/** @param {readonly Op[]} ops */
function hunksOf(ops) {
  return ops.flatMap(op => {
    if (op.op !== 'apply_hunks') return []
    return op.hunks.map(({ lines }) => [
      op.path,
      lines.map(({ kind, text }) => `${prefixes[kind]}${text}\n`),
    ])
  })
}

const prefixes = { context: ' ', removed: '-', added: '+' }
