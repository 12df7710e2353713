import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorAt, anchoredCount, findMoved, parseAnchor } from '../../dist/formats/text/anchors.js'
import { normaliseBreaks } from '../../dist/formats/text/line-index.js'

/** @typedef {import('../../dist/formats/text/anchors.js').AnchorRules} AnchorRules */

/**
 * @typedef {object} Vector the anchors of a whole text
 * @property {string} name
 * @property {string} text
 * @property {AnchorRules['scheme']} scheme
 * @property {number} block
 * @property {number} hash_len
 * @property {readonly string[]} anchors
 *
 * @typedef {object} Shift an anchor of a text that was moved
 * @property {AnchorRules['scheme']} scheme
 * @property {number} block
 * @property {string} anchor
 * @property {number} moved_by
 * @property {string} result
 *
 * @typedef {object} VectorScore
 * @property {number} cases
 * @property {number} pass
 * @property {readonly Shift[]} lost moved lines that the vectors find and we do not
 * @property {readonly Shift[]} more moved lines that we find and the vectors do not
 */

/**
 * Compares the golden values of the anchors' first maker with what we make of the same texts.
 * @param {string} folder
 * @returns {VectorScore}
 */
export function scoreVectors(folder) {
  /** @type {(name: string) => any} */
  const read = name => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  /** @type {readonly Vector[]} */
  const vectors = read('anchors.json')
  /** @type {readonly Shift[]} */
  const shifts = read('find_shifted.json').cases
  const base = vectors.find(({ name }) => name === 'rows70')?.text ?? ''
  const right = vectors.filter(hasSameAnchors)
  const same = shifts.filter(shift => foundByAnchors(base, shift) === shift.result)
  return {
    cases: vectors.length + shifts.length,
    pass: right.length + same.length,
    lost: shifts.filter(shift => /Found \{/.test(shift.result) && !isFound(base, shift)),
    more: shifts.filter(shift => shift.result === 'NotFound' && isFound(base, shift)),
  }
}

/** @param {Vector} vector */
function hasSameAnchors({ text, scheme, block, hash_len: letters, anchors }) {
  const view = normaliseBreaks(text)
  const rules = { scheme, block, letters }
  return (
    anchoredCount(view) === anchors.length &&
    anchors.every((anchor, index) => anchor === anchorAt(view, index + 1, rules))
  )
}

/**
 * @param {string} base
 * @param {number} by
 */
function afterMove(base, by) {
  const lines = base.split('\n')
  const added = Array.from({ length: Math.max(by, 0) }, (_, index) => `new ${index}`)
  return normaliseBreaks([...added, ...lines.slice(Math.max(-by, 0))].join('\n'))
}

/**
 * What the vectors mean by found: near by stands a line whose whole anchor differs in its number alone.
 * @param {string} base
 * @param {Shift} shift
 */
function foundByAnchors(base, { scheme, block, anchor, moved_by: by }) {
  const view = afterMove(base, by)
  const rules = { scheme, block, letters: 3 }
  const [line = '', ...hashes] = anchor.split(':')
  const near = Array.from({ length: 31 }, (_, index) => Number(line) - 15 + index)
  const found = near.filter(
    one =>
      one >= 1 &&
      one <= anchoredCount(view) &&
      anchorAt(view, one, rules) === [one, ...hashes].join(':'),
  )
  return found.length === 0 ? 'NotFound' : `Found { new_line: ${found.join()} }`
}

/**
 * @param {string} base
 * @param {Shift} shift
 */
function isFound(base, { scheme, block, anchor, moved_by: by }) {
  const rules = { scheme, block, letters: 3 }
  const parsed = parseAnchor(anchor, rules)
  if (parsed === undefined) return false
  const { lines } = findMoved(afterMove(base, by), parsed, rules)
  return lines.length === 1 && lines[0] === parsed.line + by
}
