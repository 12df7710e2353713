// Says what a commit did in one dialect, and in native edits what that dialect has no words for.
import { planBatch } from './plan-batch.mjs'
import { touches } from './replay-commit.mjs'

/** @typedef {import('./read-commit.mjs').FileChange} FileChange */
/** @typedef {import('./read-commit.mjs').CommitContent} CommitContent */
/** @typedef {import('./dialects/said-file.mjs').Dialect} Dialect */
/** @typedef {import('./dialects/said-file.mjs').SaidFile} SaidFile */
/** @typedef {import('./dialects/said-file.mjs').Said} Said */
/** @typedef {import('./plan-batch.mjs').PlannedBatch} PlannedBatch */

/**
 * @typedef {object} SaidChange One change, said in the dialect, or why not.
 * @property {FileChange} change
 * @property {SaidFile} file
 * @property {Said | string} said
 * @property {readonly string[]} peeled What was done natively before, such as a move.
 */

/**
 * @param {Dialect} dialect
 * @param {readonly FileChange[]} changes
 * @param {CommitContent} content
 * @param {{ readonly anchors: (change: FileChange) => Promise<readonly string[]>, readonly section: (change: FileChange) => Buffer | undefined, readonly turn: number }} sources
 * @returns {Promise<readonly SaidChange[]>}
 */
export async function sayChanges(dialect, changes, content, { anchors, section, turn }) {
  const said = []
  for (const change of changes) {
    const { file, peeled } = fileOf(dialect, change, content, () => section(change))
    const context = { anchors: () => anchors(change), head: '', turn }
    const isModeless = change.before === undefined && change.after?.mode === '100755'
    const isUntouched = file.before !== undefined && file.before === file.after && !file.to
    if (isUntouched && peeled.length > 0) said.push({ change, file, said: 'no_text', peeled })
    else if (isModeless && !dialect.modes) said.push({ change, file, said: 'mode', peeled: [] })
    else said.push({ change, file, said: await dialect.say(file, context), peeled })
  }
  return withoutCollisions(said)
}

/**
 * @param {Dialect} dialect
 * @param {FileChange} change
 * @param {CommitContent} content
 * @param {() => Buffer | undefined} section
 * @returns {{ readonly file: SaidFile, readonly peeled: readonly string[] }}
 */
function fileOf(dialect, { before, after }, content, section) {
  const isMoved = before && after && before.name.bytes !== after.name.bytes
  const isMode = before && after && before.mode !== after.mode
  const isPeeled = isMoved && !dialect.moves
  const from = (isPeeled ? after : (before ?? after))?.name.text ?? ''
  const peeled = [...(isPeeled ? ['move'] : []), ...(isMode && !dialect.modes ? ['mode'] : [])]
  const file = {
    path: from,
    ...(isMoved && dialect.moves && { to: after.name.text ?? '' }),
    ...(before && { rev: before.oid, before: content.blob(before.oid) }),
    ...(after && { after: content.blob(after.oid) }),
    hunks: (before && after && content.hunks(before.oid, after.oid)) ?? [],
    section,
  }
  return { file, peeled }
}

/**
 * What is done natively comes first; a change that stands in its way goes with it.
 * @param {readonly SaidChange[]} said
 * @returns {readonly SaidChange[]}
 */
function withoutCollisions(said) {
  const native = said.flatMap(({ change, said: one }) => (typeof one === 'string' ? [change] : []))
  const collided = said.map(one => {
    if (typeof one.said === 'string') return one
    const paths = [one.change.before?.name.text, one.change.after?.name.text]
    const isInTheWay = paths.some(path => path !== undefined && touches(native, path))
    return isInTheWay ? { ...one, said: 'in_the_way', peeled: [] } : one
  })
  const isSettled = collided.every((one, index) => one === said[index])
  return isSettled ? collided : withoutCollisions(collided)
}

/**
 * The native edits that come before the others.
 * @param {readonly SaidChange[]} said
 * @param {CommitContent} content
 * @returns {PlannedBatch}
 */
export function planNative(said, content) {
  const parts = said.flatMap(({ change, said: one, peeled }) => {
    if (typeof one === 'string') return [{ change, ...planBatch([change], content) }]
    if (peeled.length === 0) return []
    return [{ change, ...planBatch([shapeOf(change, peeled)], content) }]
  })
  return {
    edits: parts.flatMap(({ edits }) => edits),
    owners: parts.flatMap(({ change, edits }) => edits.map(() => change)),
    wholeFiles: parts.flatMap(({ wholeFiles }) => wholeFiles),
  }
}

/**
 * The change without that of the text.
 * @param {FileChange} change
 * @param {readonly string[]} peeled
 * @returns {FileChange}
 */
function shapeOf({ before, after }, peeled) {
  if (before === undefined || after === undefined) return {}
  const isMoved = peeled.includes('move')
  const isMode = peeled.includes('mode')
  return {
    before,
    after: {
      ...before,
      name: isMoved ? after.name : before.name,
      mode: isMode ? after.mode : before.mode,
    },
  }
}

/**
 * The same changes natively, after their moves and modes were done: for those that the dialect did not get through.
 * @param {readonly SaidChange[]} said
 * @param {CommitContent} content
 * @returns {PlannedBatch}
 */
export function planInstead(said, content) {
  const rest = said.map(({ change: { before, after }, peeled }) => ({
    ...(after && { after }),
    ...(before && {
      before: {
        ...before,
        ...(after && peeled.includes('move') && { name: after.name }),
        ...(after && peeled.includes('mode') && { mode: after.mode }),
      },
    }),
  }))
  return planBatch(rest, content)
}
