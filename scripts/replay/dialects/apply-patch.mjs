// Says a commit as a patch from *** Begin Patch to *** End Patch.
import { placesOf, widths } from './grow-context.mjs'
import { fromZero, textChange, unsayable, wholeText } from './said-file.mjs'

/** @typedef {import('./said-file.mjs').SaidFile} SaidFile */
/** @typedef {import('./said-file.mjs').TextLine} TextLine */
/** @typedef {import('./said-file.mjs').TextChange} TextChange */
/** @typedef {import('./said-file.mjs').TextHunk} TextHunk */

/** Lines to either side that the format asks for before an `@@` line shall help. */
const usualContext = 3

/** @type {import('./said-file.mjs').Dialect} */
export const applyPatch = {
  name: 'apply_patch',
  view: 'plain',
  moves: true,
  modes: false,
  say: file => {
    const { path, to, before, after } = file
    if ([path, to ?? path].some(name => name !== name.trim() || name.includes('\n'))) return 'name'
    if (before === undefined) return create(path, after ?? Buffer.alloc(0))
    if (after === undefined) return { parts: [`*** Delete File: ${path}\n`], ops: 1 }
    return update(file, before, after)
  },
  join: (files, { head, turn }) => {
    const read = files.filter(({ file }) => file.before !== undefined)
    const revs = read.map(({ file }) => ({ path: file.path, rev: file.rev }))
    const isVouchedFor = turn % 2 === 0 || revs.length === 0
    return {
      dialect: 'apply_patch',
      patch: `*** Begin Patch\n${files.flatMap(({ said }) => said.parts).join('')}*** End Patch\n`,
      ...(isVouchedFor ? { expected_head: head } : { expected_revs: revs }),
    }
  },
}

/**
 * @param {string} path
 * @param {Buffer} bytes
 */
function create(path, bytes) {
  const whole = wholeText(bytes)
  if (typeof whole === 'string') return whole
  const { text } = whole
  if (text !== '' && !text.endsWith('\n')) return 'final_newline'
  if (/\r(?:\n|$)/.test(text)) return 'line_endings'
  const lines = text.split('\n').slice(0, -1)
  return { parts: [`*** Add File: ${path}\n`, ...lines.map(line => `+${line}\n`)], ops: 1 }
}

/**
 * @param {SaidFile} file
 * @param {Buffer} before
 * @param {Buffer} after
 */
function update({ path, to, hunks }, before, after) {
  // A move alone needs a hunk that changes nothing.
  const asked = hunks.length > 0 ? hunks : [{ oldStart: 0, oldCount: 0, newStart: 0, newCount: 0 }]
  const change = textChange(before, after, hunks, { keepsEnd: true })
  if (typeof change === 'string') return change
  if (hunks.length === 0 && change.before.length === 0) return 'empty_file'
  const wanted = { ...change, hunks: asked.map(fromZero) }
  const bodies = hunksOf(wanted)
  const reason = unsayable(bodies.flatMap(({ lines }) => lines))
  if (reason !== undefined) return reason
  const move = to === undefined ? '' : `*** Move to: ${to}\n`
  const head = `*** Update File: ${path}\n${move}`
  return { parts: [head, ...bodies.map(({ text }) => text)], ops: bodies.length }
}

/**
 * @typedef {object} Group Changes that one hunk says.
 * @property {readonly TextHunk[]} hunks
 * @property {number} from The first line of the hunk.
 * @property {number} to
 * @property {number | undefined} header
 */

/** @param {TextChange} change */
function hunksOf(change) {
  /** @type {Group[]} */
  const found = []
  let [at, least] = [0, 1]
  while (at < change.hunks.length) {
    const floor = found.at(-1)?.to ?? 0
    const group = groupAt(change, { at, least, floor })
    // What was added right below an earlier hunk, at the end of the file, has no line of its own: that one says it too.
    const last = group === undefined ? found.pop() : undefined
    if (group !== undefined) found.push(group)
    at += group?.hunks.length ?? -(last?.hunks.length ?? 0)
    least = 1 + (last?.hunks.length ?? 0)
  }
  return found.map(group => render(change, group))
}

/**
 * The changes from one on that a hunk must say together, at the least so many, with the fewest lines that find it below
 * `floor`; undefined where no number of them is found.
 * @param {TextChange} change
 * @param {{ readonly at: number, readonly least: number, readonly floor: number }} where
 * @returns {Group | undefined}
 */
function groupAt({ before, hunks }, { at, least, floor }) {
  const firsts = firstsFrom(before, floor)
  for (let count = least; at + count <= hunks.length; count += 1) {
    const group = hunks.slice(at, at + count)
    const start = group[0]?.start ?? 0
    const end = group.at(-1)?.end ?? 0
    const next = hunks[at + count]?.start ?? before.length
    for (const [up, down] of widths(start - floor, next - end)) {
      const [from, to] = [start - up, end + down]
      const isWhole = before.length === 0
      if (from === to && !isWhole) continue
      const stretch = before.slice(from, to)
      const isOnce = (/** @type {number} */ below) => placesOf(stretch, before, below).length === 1
      if (isWhole || isOnce(floor)) return { hunks: group, from, to, header: undefined }
      if (Math.max(up, down) < usualContext) continue
      const header = headerAbove(before, from, { floor, firsts })
      if (header !== undefined && isOnce(header + 1)) return { hunks: group, from, to, header }
    }
  }
  return undefined
}

/**
 * Where each text stands first.
 * @param {readonly TextLine[]} lines
 * @param {number} floor
 */
function firstsFrom(lines, floor) {
  /** @type {Map<string, number>} */
  const firsts = new Map()
  for (let at = lines.length - 1; at >= floor; at -= 1) firsts.set(lines[at]?.text ?? '', at)
  return firsts
}

/**
 * The nearest line above that begins something and is the first of its kind.
 * @param {readonly TextLine[]} lines
 * @param {number} from
 * @param {{ readonly floor: number, readonly firsts: ReadonlyMap<string, number> }} below
 */
function headerAbove(lines, from, { floor, firsts }) {
  for (let at = from - 1; at >= floor; at -= 1) {
    const text = lines[at]?.text ?? ''
    if (!/^[A-Za-z_$]/.test(text) || text.endsWith(' @@') || text.endsWith('\r')) continue
    if (firsts.get(text) === at) return at
  }
  return undefined
}

/**
 * @param {TextChange} change
 * @param {Group} group
 */
function render({ before, after }, { hunks, from, to, header }) {
  /** @type {TextLine[]} */
  const lines = []
  const said = [header === undefined ? '@@' : `@@ ${before[header]?.text}`]
  const say = (/** @type {string} */ prefix, /** @type {readonly TextLine[]} */ some) => {
    lines.push(...some)
    said.push(...some.map(({ text }) => prefix + text))
  }
  let at = from
  for (const { start, end, newStart, newEnd } of hunks) {
    say(' ', before.slice(at, start))
    say('-', before.slice(start, end))
    say('+', after.slice(newStart, newEnd))
    at = end
  }
  say(' ', before.slice(at, to))
  if (to === before.length && before.length > 0) said.push('*** End of File')
  return { lines, text: `${said.join('\n')}\n` }
}
