// Reads one commit of a history as what it did to each file, with the bytes before and after.
import { gitBytes, gitText } from './git.mjs'

/**
 * @typedef {object} Side One file in one tree.
 * @property {string} mode
 * @property {string} oid
 * @property {Name} name
 */

/**
 * @typedef {object} Name
 * @property {string} bytes The path with one character for each byte; git's order and git's own name.
 * @property {string | undefined} text Undefined where the bytes are not UTF-8.
 */

/**
 * @typedef {object} FileChange What a commit did to one file; created where `before` is absent, deleted where `after` is.
 * @property {Side} [before]
 * @property {Side} [after]
 */

/**
 * @typedef {object} Hunk Lines from 1; with no old lines the new ones go behind `oldStart`.
 * @property {number} oldStart
 * @property {number} oldCount
 * @property {number} newStart
 * @property {number} newCount
 */

/**
 * @typedef {object} HistoryCommit
 * @property {string} id
 * @property {string} message
 */

/**
 * @typedef {object} CommitContent
 * @property {readonly FileChange[]} changes
 * @property {(oid: string) => Buffer} blob The bytes of any blob of the changes that is one.
 * @property {(before: string, after: string) => readonly Hunk[] | undefined} hunks How one blob leads to the other.
 */

/**
 * The commits up to a revision along first parents, oldest first; one more than asked for, which is where to start.
 * @param {string} repository
 * @param {string} until
 * @param {number} count
 * @returns {readonly HistoryCommit[]}
 */
export function listHistory(repository, until, count) {
  const args = ['log', '--first-parent', '-z', '--format=%H%n%B', '-n', String(count + 1), until]
  const records = gitText(repository, args).split('\0').filter(Boolean)
  return records.toReversed().map(record => {
    const end = record.indexOf('\n')
    return { id: record.slice(0, end), message: record.slice(end + 1).trim() }
  })
}

/**
 * What lies between two commits.
 * @param {string} repository
 * @param {string} from
 * @param {string} to
 * @returns {CommitContent}
 */
export function readCommit(repository, from, to) {
  const changes = listChanges(repository, from, to)
  const blobs = readBlobs(repository, changes)
  const hunks = readHunks(repository, from, to)
  return {
    changes,
    blob: oid => {
      const bytes = blobs.get(oid)
      if (bytes === undefined) throw new Error(`blob ${oid} was not read`)
      return bytes
    },
    hunks: (before, after) => hunks.get(`${before}..${after}`),
  }
}

const bothTrees = ['diff-tree', '-r', '-M']
const asText = ['-p', '-U0', '--text', '--full-index', '--no-textconv', '--no-ext-diff']

/**
 * What git prints of each change, as patches are sent around.
 * @param {string} repository
 * @param {string} from
 * @param {string} to
 * @param {readonly FileChange[]} changes Those between the two.
 * @returns {ReadonlyMap<FileChange, Buffer>}
 */
export function readSections(repository, from, to, changes) {
  const asPrinted = ['-p', '--full-index', '--no-textconv', '--no-ext-diff']
  const patch = gitBytes(repository, [...bothTrees, ...asPrinted, from, to]).toString('latin1')
  const sections = patch.split(/^(?=diff --git )/m).filter(Boolean)
  const found = new Map()
  let at = 0
  for (const change of changes) {
    const { before, after } = change
    // A file that becomes a link is printed as one that goes and one that comes.
    const isReplaced = before && after && before.mode.slice(0, 3) !== after.mode.slice(0, 3)
    const end = at + (isReplaced ? 2 : 1)
    found.set(change, Buffer.from(sections.slice(at, end).join(''), 'latin1'))
    at = end
  }
  if (at !== sections.length) throw new Error(`${at} changes, but ${sections.length} are printed`)
  return found
}

/**
 * @param {string} repository
 * @param {string} from
 * @param {string} to
 * @returns {readonly FileChange[]}
 */
function listChanges(repository, from, to) {
  const raw = gitBytes(repository, [...bothTrees, '--raw', '-z', '--no-abbrev', from, to])
  const fields = raw.toString('latin1').split('\0')
  const changes = []
  for (let at = 0; fields[at]?.startsWith(':'); ) {
    const [modeBefore = '', modeAfter = '', oidBefore = '', oidAfter = '', status = ''] =
      fields[at]?.slice(1).split(' ') ?? []
    const path = parseName(fields[at + 1] ?? '')
    const to = /^[RC]/.test(status) ? parseName(fields[at + 2] ?? '') : path
    changes.push({
      ...(status !== 'A' && { before: { mode: modeBefore, oid: oidBefore, name: path } }),
      ...(status !== 'D' && { after: { mode: modeAfter, oid: oidAfter, name: to } }),
    })
    at += to === path ? 2 : 3
  }
  return changes
}

/**
 * @param {string} bytes
 * @returns {Name}
 */
function parseName(bytes) {
  return { bytes, text: decodeUtf8(Buffer.from(bytes, 'latin1')) }
}

/**
 * The text of UTF-8, byte order marks included; undefined where it is something else.
 * @param {Uint8Array} bytes
 */
export function decodeUtf8(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * @param {string} repository
 * @param {readonly FileChange[]} changes
 * @returns {ReadonlyMap<string, Buffer>}
 */
function readBlobs(repository, changes) {
  const sides = changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())
  const oids = new Set(sides.filter(({ mode }) => mode !== '160000').map(({ oid }) => oid))
  const blobs = new Map()
  if (oids.size === 0) return blobs
  const output = gitBytes(repository, ['cat-file', '--batch'], [...oids, ''].join('\n'))
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at)
    const [oid, type, size] = output.toString('latin1', at, end).split(' ')
    if (type !== 'blob') throw new Error(`${oid} is ${type}, not a blob`)
    blobs.set(oid, output.subarray(end + 1, end + 1 + Number(size)))
    at = end + 1 + Number(size) + 1
  }
  return blobs
}

/**
 * The hunks of each pair of blobs. A patch without context has header lines, and lines that begin with +, - or \.
 * @param {string} repository
 * @param {string} from
 * @param {string} to
 * @returns {ReadonlyMap<string, readonly Hunk[]>}
 */
function readHunks(repository, from, to) {
  const patch = gitBytes(repository, [...bothTrees, ...asText, from, to]).toString('latin1')
  /** @type {Map<string, Hunk[]>} */
  const hunks = new Map()
  /** @type {Hunk[]} */
  let current = []
  for (const line of patch.split('\n')) {
    const [, before, after] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/.exec(line) ?? []
    if (before !== undefined) {
      current = []
      hunks.set(`${before}..${after}`, current)
    } else if (line.startsWith('@@ ')) current.push(parseHunk(line))
  }
  return hunks
}

/**
 * @param {string} header
 * @returns {Hunk}
 */
function parseHunk(header) {
  const [, oldStart, oldCount = '1', newStart, newCount = '1'] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(header) ?? []
  return {
    oldStart: Number(oldStart),
    oldCount: Number(oldCount),
    newStart: Number(newStart),
    newCount: Number(newCount),
  }
}
