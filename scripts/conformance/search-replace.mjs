import { onlyFile } from './read-cases.mjs'

/** @typedef {import('./types.mjs').Case} Case */
/** @typedef {import('./types.mjs').Family} Family */
/** @typedef {import('./types.mjs').Request} Request */

/** @type {Family} Old text and new text, one or several in a file. */
export const searchReplace = {
  name: 'search_replace',
  takes: one => isReplacing(one) && one.peer !== 'opencode',
  request: one => replacingRequest(one, searchReplaceEdit),
}

/** @type {Family} */
export const opencode = {
  name: 'opencode',
  takes: one => isReplacing(one) && one.peer === 'opencode',
  request: one => replacingRequest(one, opencodeEdit),
}

/** @type {Family} The binding ones that patches can say, once more. */
export const patches = {
  name: 'patches',
  takes: one => isReplacing(one) && one.policy === undefined && fitsPatches(one),
  request: ({ edit }) => ({
    batches: [{ dialect: 'patches', edits: [patchEdit(edit)] }],
  }),
}

/** @type {Family} */
export const wholeFile = {
  name: 'whole_file',
  takes: ({ dialect }) => dialect === 'create',
  request: ({ edit }) => ({
    batches: [
      {
        dialect: 'whole_file',
        edits: { path: edit.path, expected_rev: 'new', content: edit.new_text },
      },
    ],
  }),
}

/** @param {Case} one */
function isReplacing({ dialect, edit }) {
  const isFunction = dialect === 'locate' && edit.content !== undefined
  return isFunction || (dialect === 'search_replace' && edit !== undefined)
}

/** @param {Case} one */
function fitsPatches({ edit }) {
  return (
    typeof edit?.old === 'string' &&
    edit.all === false &&
    edit.old !== '' &&
    edit.old.length <= 4096 &&
    (edit.new ?? '').length <= 8192
  )
}

/** @param {any} edit */
function patchEdit(edit) {
  return { path: edit.file ?? onlyFile, patches: [{ search: edit.old, replace: edit.new }] }
}

/**
 * @param {Case} one
 * @param {(edit: any, file: string) => any} say
 * @returns {Request | string}
 */
function replacingRequest(one, say) {
  const { edit } = one
  if (edit.dry_run) return 'a dry run, which writes nothing by its nature'
  if (edit.encoding !== undefined) return 'needs a configured encoding, which we do not have'
  const several = edit.edits ?? edit.concurrent
  if (one.dialect === 'locate') return locateRequest(one, say)
  const edits = (several ?? [edit]).map((/** @type {any} */ each) => say(each, fileOf(edit)))
  const dialect = one.peer === 'opencode' ? 'opencode' : 'search_replace'
  const isApart = edit.concurrent !== undefined || edit.dialect?.endsWith('concurrent') === true
  const lists = isApart ? edits.map((/** @type {any} */ each) => [each]) : [edits]
  return {
    batches: lists.map((/** @type {any} */ list) => ({ dialect, edits: list })),
    isStale: edit.same_expected_revision === true,
  }
}

/** @param {any} edit */
function fileOf(edit) {
  return edit.file ?? edit.path ?? onlyFile
}

/**
 * @param {any} edit
 * @param {string} file
 */
function searchReplaceEdit(edit, file) {
  const count = edit.expected_replacements
  return {
    path: file,
    old_string: edit.old ?? edit.old_text,
    new_string: edit.new ?? edit.new_text,
    ...(edit.all && { replace_all: true }),
    ...(count !== undefined && { expected_replacements: count }),
  }
}

/**
 * @param {any} edit
 * @param {string} file
 */
function opencodeEdit(edit, file) {
  return {
    filePath: file,
    oldString: edit.old,
    newString: edit.new,
    ...(edit.all && { replaceAll: true }),
  }
}

/**
 * A search that a peer tests alone is an edit where it finds the text itself in one place, or nothing.
 * @param {Case} one
 * @param {(edit: any, file: string) => any} say
 * @returns {Request | string}
 */
function locateRequest({ edit, expect, peer }, say) {
  const { content, search } = edit
  const [match, ...more] = expect.matches ?? []
  if (expect.matches === undefined || expect.policy !== undefined) {
    return 'a search function alone, whose span is its own'
  }
  if (more.length > 0 || content.split(search).length > 2) return 'asks for one of several places'
  const isItself = match === undefined || content.slice(match.startIndex, match.endIndex) === search
  if (!isItself) return 'a search function alone, whose span is its own'
  const after = match && `${content.slice(0, match.startIndex)}NEW${content.slice(match.endIndex)}`
  const bytes = (/** @type {string} */ text) =>
    new Map([[onlyFile, new TextEncoder().encode(text)]])
  const dialect = peer === 'opencode' ? 'opencode' : 'search_replace'
  return {
    batches: [{ dialect, edits: say({ old: search, new: 'NEW' }, onlyFile) }],
    before: bytes(content),
    outcomes: [after === undefined ? { refused: true } : { after: bytes(after) }],
  }
}
