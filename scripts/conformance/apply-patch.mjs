import { chunksText } from './patch-texts.mjs'

/** @typedef {import('./types.mjs').Case} Case */
/** @typedef {import('./types.mjs').Family} Family */
/** @typedef {import('./types.mjs').Op} Op */

const dialect = 'apply_patch'

/** @type {Family} Patches from `*** Begin Patch` to `*** End Patch`. */
export const applyPatch = {
  name: dialect,
  takes: one => one.dialect === 'v4a',
  request: ({ edit, patch }) => ({
    batches: [{ dialect, patch: patch ?? chunksText(edit.file, edit.chunks) }],
  }),
}

/** @type {Family} What a peer's parser alone reads of such a patch. */
export const patchReadings = {
  name: 'apply_patch (parser)',
  takes: one => one.dialect === 'v4a_parse',
  request: ({ expect, patch }) => ({
    batches: [{ dialect, patch }],
    readOps: sectionsOf,
    outcomes: [expect.error ? { refused: true } : { reading: expect.hunks ?? undefined }],
  }),
}

/**
 * The sections of a patch as the peers that publish theirs call them.
 * @param {readonly Op[]} ops
 */
function sectionsOf(ops) {
  return ops.flatMap(op => {
    if (op.op === 'write_file') return [{ type: 'add', path: op.path, contents: op.text }]
    if (op.op === 'delete_file') return [{ type: 'delete', path: op.path }]
    if (op.op !== 'apply_hunks') return []
    const move = ops.find(other => other.op === 'move_file' && other.path === op.path)
    const to = move !== undefined && 'to' in move ? { move: move.to } : {}
    return [{ type: 'update', path: op.path, ...to, chunks: op.hunks.map(chunkOf) }]
  })
}

/** @param {Extract<Op, { op: 'apply_hunks' }>['hunks'][number]} hunk */
function chunkOf({ headers, lines, isAtEnd, looseLines }) {
  const sides = lines.slice(0, isAtEnd ? lines.length - looseLines : lines.length)
  const side = (/** @type {string} */ kind) =>
    sides.filter(line => line.kind === kind || line.kind === 'context').map(line => line.text)
  return {
    context: headers.at(-1) ?? null,
    old: side('removed'),
    new: side('added'),
    eof: isAtEnd,
  }
}
