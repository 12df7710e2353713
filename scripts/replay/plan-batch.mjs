// Turns what a commit did into the edits of one batch, and names what no batch can say.
import { lineEdits } from './line-edits.mjs'
import { decodeUtf8 } from './read-commit.mjs'

/** @typedef {import('./read-commit.mjs').FileChange} FileChange */
/** @typedef {import('./read-commit.mjs').CommitContent} CommitContent */
/** @typedef {Readonly<Record<string, unknown>> & { readonly op: string, readonly path: string }} Edit */

/**
 * @typedef {object} PlannedBatch
 * @property {readonly Edit[]} edits
 * @property {readonly FileChange[]} owners For each edit the change that it belongs to.
 * @property {readonly string[]} wholeFiles Why a changed file was written whole, once a file.
 * @property {object} [body] The request, where it is said in another dialect than these edits.
 */

/** @typedef {Omit<PlannedBatch, 'owners'>} PlannedFile */

/**
 * Why the gateway would refuse a change by design; undefined for one that it must be able to make.
 * @param {FileChange} change
 * @returns {string | undefined}
 */
export function refusedByDesign({ before, after }) {
  const sides = [before ?? [], after ?? []].flat()
  if (sides.some(({ mode }) => mode === '120000')) return 'symlink'
  if (sides.some(({ mode }) => mode === '160000')) return 'gitlink'
  if (sides.some(({ name }) => name.text === undefined)) return 'name_not_utf8'
  return undefined
}

/**
 * The edits that do what the changes did.
 * @param {readonly FileChange[]} changes
 * @param {CommitContent} content
 * @returns {PlannedBatch}
 */
export function planBatch(changes, content) {
  const files = changes.map(change => ({ change, ...planFile(change, content) }))
  return {
    edits: files.flatMap(({ edits }) => edits),
    owners: files.flatMap(({ change, edits }) => edits.map(() => change)),
    wholeFiles: files.flatMap(({ wholeFiles }) => wholeFiles),
  }
}

/**
 * @param {FileChange} change
 * @param {CommitContent} content
 * @returns {PlannedFile}
 */
function planFile({ before, after }, content) {
  if (after === undefined) {
    return plain(before ? [{ op: 'delete_file', ...named(before, before) }] : [])
  }
  if (before === undefined) {
    const mode = after.mode === '100755' ? { mode: after.mode } : {}
    const created = { path: after.name.text ?? '', expected_rev: null }
    return plain([{ op: 'write_file', ...created, ...contentOf(content.blob(after.oid)), ...mode }])
  }
  const edits = []
  if (before.name.bytes !== after.name.bytes) {
    edits.push({ op: 'move_file', ...named(before, before), to: after.name.text })
  }
  if (before.mode !== after.mode) {
    edits.push({ op: 'set_mode', ...named(after, before), executable: after.mode === '100755' })
  }
  const changed = planContent(before, after, content)
  return { ...changed, edits: [...edits, ...changed.edits] }
}

/**
 * @param {NonNullable<FileChange['before']>} before
 * @param {NonNullable<FileChange['after']>} after
 * @param {CommitContent} content
 * @returns {PlannedFile}
 */
function planContent(before, after, content) {
  if (before.oid === after.oid) return plain([])
  const bytes = content.blob(after.oid)
  const hunks = content.hunks(before.oid, after.oid) ?? []
  const edits = lineEdits(content.blob(before.oid), bytes, hunks)
  const place = named(after, before)
  if (typeof edits !== 'string') return plain(edits.map(edit => ({ ...edit, ...place })))
  return { edits: [{ op: 'write_file', ...place, ...contentOf(bytes) }], wholeFiles: [edits] }
}

/**
 * A path, and the revision its file was read at. A moved file is still named by the revision it had.
 * @param {NonNullable<FileChange['after']>} place
 * @param {NonNullable<FileChange['before']>} read
 */
function named(place, read) {
  return { path: place.name.text ?? '', expected_rev: read.oid }
}

/** @param {Buffer} bytes */
function contentOf(bytes) {
  const text = bytes.includes(0) ? undefined : decodeUtf8(bytes)
  return text === undefined ? { content_base64: bytes.toString('base64') } : { text }
}

/**
 * @param {readonly Edit[]} edits
 * @returns {PlannedFile}
 */
function plain(edits) {
  return { edits, wholeFiles: [] }
}
