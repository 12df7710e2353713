// Works out what the edit of a commit is on an older revision of its file.

import { placesOf, widths } from './dialects/grow-context.mjs'
import { fromZero, textLines } from './dialects/said-file.mjs'
import { tryGit } from './git.mjs'

/** @typedef {import('./read-commit.mjs').FileChange} FileChange */
/** @typedef {import('./read-commit.mjs').CommitContent} CommitContent */
/** @typedef {import('./dialects/said-file.mjs').SaidFile} SaidFile */
/** @typedef {import('./dialects/said-file.mjs').TextHunk} TextHunk */
/** @typedef {import('./dialects/said-file.mjs').TextLine} TextLine */
/** @typedef {import('./read-commit.mjs').Hunk} Hunk */

/**
 * @typedef {object} OldEdit
 * @property {SaidFile} file The older file before and after the edit.
 * @property {Buffer} current The file of the parent.
 * @property {string} wanted The blob that the commit made of it.
 */

const regular = ['100644', '100755']
const maxLines = 20_000

/**
 * The edit that a commit made to a file, on the text which that file had at an earlier commit; a text is why not.
 * @param {string} repository
 * @param {string} ancestor
 * @param {FileChange} change
 * @param {CommitContent} content
 * @returns {OldEdit | string}
 */
export function oldFile(repository, ancestor, { before, after }, content) {
  if (before === undefined || after === undefined) return 'created or deleted'
  if (before.name.bytes !== after.name.bytes || before.mode !== after.mode) return 'moved or mode'
  const path = before.name.text
  if (!regular.includes(before.mode) || path === undefined) return 'no regular file'
  const rev = oldBlob(repository, ancestor, path)
  if (rev === undefined) return 'not there then'
  if (rev === before.oid) return 'the same then'
  const older = tryGit(repository, ['cat-file', 'blob', rev]).stdout
  const [current, wanted] = [content.blob(before.oid), content.blob(after.oid)]
  if ([older, current, wanted].some(bytes => bytes.includes(0))) return 'binary'
  const lines = { older: textLines(older), current: textLines(current) }
  if (lines.older.length > maxLines) return 'many lines'
  const hunks = (content.hunks(before.oid, after.oid) ?? []).map(fromZero)
  const placed = placeHunks(lines.older, lines.current, hunks)
  if (placed === undefined) return 'changed lines not there then, or not once'
  const edited = spliceLines(older, wanted, placed, hunks)
  return {
    file: { path, rev, before: older, after: edited, hunks: asHunks(placed, hunks) },
    current,
    wanted: after.oid,
  }
}

/**
 * @param {string} repository
 * @param {string} commit
 * @param {string} path
 */
function oldBlob(repository, commit, path) {
  const { stdout } = tryGit(repository, ['ls-tree', '-z', commit, '--', `:(literal)${path}`])
  const [mode = '', , oid] = stdout.toString('utf8').split('\t')[0]?.split(' ') ?? []
  return regular.includes(mode) ? oid : undefined
}

/**
 * Where each change stands in the older lines, in order: found by the lines that it takes away, with the fewest lines
 * around it that stand there once. Undefined where one does not.
 * @param {readonly TextLine[]} older
 * @param {readonly TextLine[]} current
 * @param {readonly TextHunk[]} hunks
 */
function placeHunks(older, current, hunks) {
  const starts = []
  let floor = 0
  for (const { start, end } of hunks) {
    const at = placeHunk(older, current, start, end)
    if (at === undefined || at < floor) return undefined
    starts.push(at)
    floor = at + end - start + 1
  }
  return starts
}

/**
 * @param {readonly TextLine[]} older
 * @param {readonly TextLine[]} current
 * @param {number} start
 * @param {number} end
 */
function placeHunk(older, current, start, end) {
  for (const [up, down] of widths(start, current.length - end)) {
    if (end + down === start - up) continue
    const stretch = current.slice(start - up, end + down)
    const [place, another] = placesOf(stretch, older)
    if (place === undefined) return undefined
    // One place in the older file counts only where it is one in the newer file as well.
    if (another === undefined && placesOf(stretch, current).length === 1) return place + up
  }
  return undefined
}

/**
 * The older bytes with the new lines of the commit.
 * @param {Buffer} older
 * @param {Buffer} wanted
 * @param {readonly number[]} starts
 * @param {readonly TextHunk[]} hunks
 */
function spliceLines(older, wanted, starts, hunks) {
  const [old, young] = [lineBytes(older), lineBytes(wanted)]
  const parts = []
  let at = 0
  for (const [index, { start, end, newStart, newEnd }] of hunks.entries()) {
    const place = starts[index] ?? 0
    parts.push(...old.slice(at, place), ...young.slice(newStart, newEnd))
    at = place + end - start
  }
  return Buffer.concat([...parts, ...old.slice(at)])
}

/** @param {Buffer} bytes */
function lineBytes(bytes) {
  return bytes
    .toString('latin1')
    .split(/(?<=\n)/)
    .filter(Boolean)
    .map(line => Buffer.from(line, 'latin1'))
}

/**
 * The hunks from the older file to the edited one, as git counts.
 * @param {readonly number[]} starts
 * @param {readonly TextHunk[]} hunks
 * @returns {readonly Hunk[]}
 */
function asHunks(starts, hunks) {
  let grown = 0
  return hunks.map(({ start, end, newStart, newEnd }, index) => {
    const place = starts[index] ?? 0
    const [oldCount, newCount] = [end - start, newEnd - newStart]
    const young = place + grown
    grown += newCount - oldCount
    return {
      oldStart: oldCount === 0 ? place : place + 1,
      oldCount,
      newStart: newCount === 0 ? young : young + 1,
      newCount,
    }
  })
}
