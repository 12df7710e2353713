// Names and lines of our symbols against those that another tool tells, with the reason of each difference.
import { readOutline } from '../../dist/formats/code/read-outline.js'
import { benchEngines } from './symbols-engines.mjs'

/** @typedef {import('../../dist/core/outline.js').CodeSymbol} CodeSymbol */
/** @typedef {{ readonly path: string, readonly name: string, readonly line: number, readonly kind: string }} Tag */

const shownOthers = 8
const functions = [
  'function',
  'arrow',
  'method',
  'getter',
  'setter',
  'constructor',
  'component',
  'hook',
  'test',
]

/**
 * Prints the table of one repository.
 * @param {string} tool
 * @param {readonly Tag[]} told by it
 * @param {readonly import('./symbols-sources.mjs').Source[]} sources
 */
export async function compareWith(tool, told, sources) {
  const tags = groupByPath(told)
  const tally = { both: 0, sameLine: 0, ours: 0, theirs: 0 }
  /** @type {Map<string, number>} */
  const reasons = new Map()
  /** @type {string[]} */
  const others = []
  /** @param {string} reason */
  const count = reason => reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  for (const source of sources) {
    const { symbols } = await readOutline(source, benchEngines)
    const flat = flatten(symbols)
    const lines = source.text.split('\n')
    const { pairs, restOurs, restTheirs } = pair(flat, tags.get(source.path) ?? [])
    tally.both += pairs.length
    tally.sameLine += pairs.filter(([symbol, tag]) => linesOf(symbol).includes(tag.line)).length
    for (const one of restOurs) count(`only ours: ${whyOurs(one)}`)
    for (const tag of restTheirs) {
      const reason = reasonOf(tag, flat, lines[tag.line - 1] ?? '')
      count(`only ${tool}: ${reason}`)
      if (reason === 'other') others.push(`${source.path}:${tag.line} ${tag.kind} ${tag.name}`)
    }
    tally.ours += restOurs.length
    tally.theirs += restTheirs.length
  }
  print(tool, sources.length, tally, reasons, others)
}

/**
 * @param {readonly Tag[]} tags
 * @returns {Map<string, Tag[]>}
 */
function groupByPath(tags) {
  /** @type {Map<string, Tag[]>} */
  const groups = new Map()
  for (const tag of tags) {
    const group = groups.get(tag.path)
    if (group === undefined) groups.set(tag.path, [tag])
    else group.push(tag)
  }
  return groups
}

/**
 * @param {string} tool
 * @param {number} files
 * @param {{ both: number, sameLine: number, ours: number, theirs: number }} tally
 * @param {Map<string, number>} reasons
 * @param {readonly string[]} others
 */
function print(tool, files, { both, sameLine, ours, theirs }, reasons, others) {
  console.log(
    `${files} files; ${tool} tells ${both + theirs} names, we tell ${both + ours}; ${both} in common,`,
  )
  console.log(`${sameLine} of these on the same line (${percent(sameLine, both)})`)
  for (const [reason, many] of [...reasons].toSorted((a, b) => b[1] - a[1])) {
    console.log(`${String(many).padStart(7)}  ${reason}`)
  }
  for (const other of others.slice(0, shownOthers)) console.log(`         other: ${other}`)
}

/** @typedef {{ symbol: CodeSymbol, owners: readonly CodeSymbol[] }} Flat */

/**
 * @param {readonly CodeSymbol[]} symbols
 * @param {readonly CodeSymbol[]} owners
 * @returns {readonly Flat[]}
 */
function flatten(symbols, owners = []) {
  return symbols.flatMap(symbol => [
    { symbol, owners },
    ...flatten(symbol.children, [...owners, symbol]),
  ])
}

/** @param {CodeSymbol} symbol */
function linesOf(symbol) {
  return [symbol.name_line, symbol.start_line]
}

/** The last part of a name: ctags tells `push`, we `Stack::push` and `Queue.prototype.push`.
 * @param {string} name */
function bareName(name) {
  return name.replace(/^.*(?:\.|::)(?=[^.:]+$)/, '').replace(/^.* for /, '')
}

/**
 * Each name of theirs with the nearest of ours of the same name.
 * @param {readonly Flat[]} ours
 * @param {readonly Tag[]} theirs
 */
function pair(ours, theirs) {
  const left = new Set(ours)
  /** @type {(readonly [CodeSymbol, Tag])[]} */
  const pairs = []
  let restTheirs = theirs
  // Those on the very line first, lest a field of the same name nearby takes its type's place.
  for (const most of [0, 8]) {
    restTheirs = restTheirs.filter(tag => {
      const near = [...left].filter(
        ({ symbol }) =>
          bareName(symbol.name) === bareName(tag.name) && distance(symbol, tag) <= most,
      )
      const [best] = near.toSorted((a, b) => distance(a.symbol, tag) - distance(b.symbol, tag))
      if (best === undefined) return true
      left.delete(best)
      pairs.push([best.symbol, tag])
      return false
    })
  }
  return { pairs, restOurs: [...left], restTheirs }
}

/** @param {Flat} one */
function whyOurs({ symbol, owners }) {
  if (symbol.kind === 'test') return 'a test'
  if (symbol.kind === 'reexport') return 'a re-export'
  if (owners.some(({ kind }) => functions.includes(kind))) return 'a function in a function'
  if (owners.some(({ kind }) => kind === 'object')) return 'a function of an object literal'
  if (owners.length > 0) return `a ${symbol.kind} in a ${owners.at(-1)?.kind}`
  return `a ${symbol.kind} at the top`
}

/**
 * @param {CodeSymbol} symbol
 * @param {Tag} tag
 */
function distance(symbol, tag) {
  return Math.min(...linesOf(symbol).map(line => Math.abs(line - tag.line)))
}

/**
 * @param {Tag} tag
 * @param {readonly Flat[]} ours
 * @param {string} line
 */
function reasonOf(tag, ours, line) {
  if (/^(?:package|packageName)$/.test(tag.kind)) return 'the package clause'
  if (tag.kind === 'implementation') return 'an impl, which we name with its trait'
  if (/^\s*(?:import|from|use|require|using)\b/.test(line) || /\brequire\(/.test(line))
    return 'an import'
  if (
    /^(?:alias|module|namespace|unknown)$/.test(tag.kind) &&
    !/\b(?:namespace|module|mod)\b/.test(line)
  )
    return 'an import'
  if (tag.name.startsWith('anon') || /__anon/.test(tag.name)) return 'a name that ctags made up'
  const around = ours.filter(
    ({ symbol }) => symbol.start_line <= tag.line && tag.line <= symbol.end_line,
  )
  const isMerged = around.some(
    ({ symbol }) => symbol.flags.includes('overload') && bareName(symbol.name) === tag.name,
  )
  if (isMerged) return 'a signature of an overload, one entry with its body here'
  const isValue = /^(?:constant|variable|property|local|parameter|field|member|anonMember)$/.test(
    tag.kind,
  )
  const isLocal = around.some(
    ({ symbol }) => functions.includes(symbol.kind) && symbol.start_line < tag.line,
  )
  if (isValue && isLocal) return 'a value inside a function'
  if (isValue && around.some(({ symbol }) => functions.includes(symbol.kind)))
    return 'a value inside a function'
  if (isValue && around.length > 0) return 'a field of a value or a type'
  if (/^\s*(?:\/\/|\*|#|\/\*)/.test(line)) return 'text in a comment'
  if (isValue) return 'a value in a nameless function'
  if (isLocal) return 'a function deeper than we tell, or a nameless one'
  return 'other'
}

/**
 * @param {number} part
 * @param {number} whole
 */
function percent(part, whole) {
  return `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`
}
