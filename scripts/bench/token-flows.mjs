// The ways in which an agent makes one small change, asked of the real server, in tokens of what it says and is told.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { commands } from '../../dist/commands/registry.js'
import { linesOf, mergeRanges, replacementsOf } from './token-edits.mjs'

/** @typedef {import('./token-repositories.mjs').CommitFile} CommitFile */
/** @typedef {import('./token-edits.mjs').Lines} Lines */
/** @typedef {{ search: number, reads: number, said: number, replies: number, calls: number, total: number }} Cost */

/**
 * @typedef {object} Change
 * @property {Pick<import('../replay/server.mjs').Server, 'get' | 'post'>} server
 * @property {string} base route of the worktree
 * @property {readonly CommitFile[]} files
 * @property {string} term what is searched for
 */

/** What a call costs besides its arguments and its answer: the model's words around it, and the marks of the answer. */
const envelope = { out: 15, in: 12 }
const longRead = 2_000
const windowLines = 100
const snippetLines = 4
const grepLines = 100

/** @returns {Cost} */
export function noCost() {
  return { search: 0, reads: 0, said: 0, replies: 0, calls: 0, total: 0 }
}

/**
 * @param {Cost} cost
 * @param {'search' | 'reads' | 'replies'} step
 * @param {unknown} said the arguments of the call
 * @param {string} told
 */
function call(cost, step, said, told) {
  const out = countTokens(JSON.stringify(said)) + envelope.out
  const back = countTokens(told) + envelope.in
  cost.said += out
  cost[step] += back
  cost.calls += 1
  cost.total += out + back
}

/**
 * Asks, and answers what the model would read with the value it was made from.
 * @param {Change} change
 * @param {string} name of the command
 * @param {Readonly<Record<string, string>>} query
 * @returns {Promise<{ value: any, text: string }>}
 */
async function ask({ server, base }, name, query) {
  const command = commands.find(one => one.name === name)
  const route = command?.routes[0].path.replace('/v1/worktrees/:worktree', '') ?? ''
  const { status, body } = await server.get(`${base}${route}?${new URLSearchParams(query)}`)
  if (status !== 200) throw new Error(`${name} ${JSON.stringify(query)}: ${status} ${body.code}`)
  return { value: body, text: command?.render(body) ?? '' }
}

/**
 * @param {Change} change
 * @param {unknown} batch
 */
async function commit({ server, base }, batch) {
  const { status, body } = await server.post(`${base}/batches`, batch)
  if (status !== 201) throw new Error(`batch: ${status} ${body.code} ${body.message ?? ''}`)
  return { value: body, text: commands.find(one => one.name === 'edit')?.render(body) ?? '' }
}

/**
 * The first lines that hold the term, as grep prints them.
 * @param {Change} change
 */
async function grep(change) {
  const asked = { pattern: change.term, limit: String(grepLines), max_bytes: '49152' }
  const { value } = await ask(change, 'search', asked)
  return value.files
    .flatMap((/** @type {any} */ { path, hits }) =>
      hits.map((/** @type {any} */ hit) => `${path}:${hit.line}:${hit.text}`),
    )
    .join('\n')
}

/**
 * Our search, on and on as it says until the files to change have come that grep would have shown.
 * @param {Change} change
 * @param {readonly Cost[]} costs
 * @param {string} shown what grep showed
 * @returns {Promise<readonly any[]>} the files
 */
async function searchOn(change, costs, shown) {
  const wanted = change.files.filter(({ path }) => shown.includes(`${path}:`))
  /** @type {any[]} */
  const files = []
  /** @type {string | undefined} */
  let after
  do {
    const asked = { pattern: change.term, ...(after !== undefined && { after }) }
    const { value, text } = await ask(change, 'search', asked)
    for (const cost of costs) call(cost, 'search', asked, text)
    files.push(...value.files)
    after = value.next
  } while (
    after !== undefined &&
    !wanted.every(({ path }) => files.some(file => file.path === path))
  )
  return files
}

/**
 * A: grep, whole reads, whole writes, and the full diff once at the end.
 * @param {Change} change
 * @param {Cost} cost
 */
export async function flowA(change, cost) {
  call(cost, 'search', { pattern: change.term }, await grep(change))
  const commits = []
  for (const { path, before, after } of change.files) {
    call(cost, 'reads', { path }, before)
    const { value } = await ask(change, 'read', { path, lines: '1' })
    const edits = [{ op: 'write_file', path, expected_rev: value.rev, text: after }]
    const { value: receipt } = await commit(change, { edits })
    commits.push(receipt.commit)
    call(cost, 'replies', { path, content: after }, 'ok')
  }
  const diff = await ask(change, 'diff', { full: 'true', detail: 'u3' })
  call(cost, 'replies', {}, diff.text)
  return commits
}

/**
 * A1: grep, whole numbered reads of at most 2,000 lines, search and replace, answered by the lines around each edit.
 * @param {Change} change
 * @param {Cost} cost
 * @param {Cost} windows the same with windows of 100 lines in place of whole reads
 */
export async function flowA1(change, cost, windows) {
  const found = await grep(change)
  for (const one of [cost, windows]) call(one, 'search', { pattern: change.term }, found)
  const commits = []
  for (const file of change.files) {
    const { path, before, blocks } = file
    const edits = replacementsOf(file, blocks)
    const total = linesOf(before).length
    await readRanges(change, cost, path, wholeReads(edits, total))
    await readRanges(change, windows, path, windowReads(edits, total))
    const { value } = await ask(change, 'read', { path, lines: '1' })
    const { value: receipt } = await commit(change, {
      dialect: 'search_replace',
      edits: said(path, edits, value.rev),
    })
    commits.push(receipt.commit)
    const snippets = []
    for (const { start, end } of receipt.files[0]?.ranges ?? []) {
      const lines = `${Math.max(1, start - snippetLines)}-${end + snippetLines}`
      snippets.push((await ask(change, 'read', { path, lines, view: 'numbered' })).value.text)
    }
    const told = `The file ${path} has been updated.\n${snippets.join('\n...\n')}`
    const asked = { path, edits: edits.map(one => ({ old_string: one.old, new_string: one.new })) }
    for (const one of [cost, windows]) call(one, 'replies', asked, told)
  }
  return commits
}

/**
 * @param {Change} change
 * @param {Cost} cost
 * @param {string} path
 * @param {readonly Lines[]} ranges
 */
async function readRanges(change, cost, path, ranges) {
  for (const { start, end } of ranges) {
    const asked = { path, lines: `${start}-${end}`, view: 'numbered' }
    const { value } = await ask(change, 'read', asked)
    call(cost, 'reads', { path, offset: start, limit: end - start + 1 }, value.text)
  }
}

/**
 * The file in pieces of 2,000 lines, those with an edit.
 * @param {readonly { readonly lines: Lines }[]} edits
 * @param {number} total
 */
function wholeReads(edits, total) {
  const pieces = edits.flatMap(({ lines }) => {
    const [first, last] = [lines.start, lines.end].map(line => Math.floor((line - 1) / longRead))
    return [first ?? 0, last ?? 0]
  })
  return [...new Set(pieces)].map(piece => ({
    start: piece * longRead + 1,
    end: Math.min(total, (piece + 1) * longRead),
  }))
}

/**
 * @param {readonly { readonly lines: Lines }[]} edits
 * @param {number} total
 */
function windowReads(edits, total) {
  const windows = edits.map(({ lines: { start, end } }) => {
    const around = Math.max(0, Math.floor((windowLines - (end - start + 1)) / 2))
    return { start: Math.max(1, start - around), end: Math.min(total, end + around) }
  })
  return mergeRanges(windows, 0)
}

/**
 * @param {string} path
 * @param {readonly import('./token-edits.mjs').Replacement[]} edits
 * @param {string} rev
 */
function said(path, edits, rev) {
  return edits.map((edit, at) => ({
    path,
    ...(at === 0 && { expected_rev: rev }),
    old_string: edit.old,
    new_string: edit.new,
  }))
}

/**
 * B: search with the symbols around, one read of the declarations around the lines to change, one batch of
 * replacements, its receipt.
 * @param {Change} change
 * @param {Cost} cost
 * @param {Cost} outlined the same and an outline of each file in which no hit lies in what is read
 */
export async function flowB(change, cost, outlined) {
  const { edited, value, text } = await findPlaces(change, cost, outlined)
  const batch = {
    dialect: 'search_replace',
    edits: edited.flatMap(({ path, edits }) =>
      said(path, edits, shownRev(revOf(value, path), text)),
    ),
  }
  const receipt = await commit(change, batch)
  for (const each of [cost, outlined]) call(each, 'replies', batch, receipt.text)
  return [receipt.value.commit]
}

/**
 * The same with the edits said as one patch.
 * @param {Change} change
 * @param {Cost} cost
 */
export async function flowBPatch(change, cost) {
  const { edited } = await findPlaces(change, cost, noCost())
  const { status, body } = await change.server.get(`${change.base}/state`)
  if (status !== 200) throw new Error(`state: ${status} ${body.code}`)
  const patch = ['*** Begin Patch', ...edited.map(patchOf), '*** End Patch'].join('\n')
  const batch = { dialect: 'apply_patch', patch, expected_head: body.head.slice(0, 12) }
  const receipt = await commit(change, batch)
  call(cost, 'replies', batch, receipt.text)
  return [receipt.value.commit]
}

/**
 * @param {Change} change
 * @param {Cost} cost
 * @param {Cost} outlined
 */
async function findPlaces(change, cost, outlined) {
  const found = await searchOn(change, [cost, outlined], await grep(change))
  const edited = change.files.map(file => ({
    path: file.path,
    edits: replacementsOf(file, file.blocks),
  }))
  const paths = edited.map(({ path, edits }) => `${path}@${edits.map(placeOf).join(',')}`)
  const { value, text } = await ask(change, 'read', { paths: paths.join('\n') })
  for (const { path } of edited) {
    const hits = found.find((/** @type {any} */ one) => one.path === path)?.hits ?? []
    const shown = value.files.filter((/** @type {any} */ one) => one.path === path)
    if (
      hits.some((/** @type {any} */ hit) =>
        shown.some((/** @type {any} */ part) => leadsTo(hit, part)),
      )
    )
      continue
    const told = await ask(change, 'symbols', { path })
    call(outlined, 'reads', { path }, told.text)
  }
  for (const each of [cost, outlined]) call(each, 'reads', { paths }, text)
  return { edited, value, text }
}

/**
 * @param {{ readonly path: string, readonly edits: readonly import('./token-edits.mjs').Replacement[] }} file
 * @returns {string}
 */
function patchOf({ path, edits }) {
  return [`*** Update File: ${path}`, ...edits.map(hunkOf)].join('\n')
}

/**
 * Lines that stay at both ends are said once.
 * @param {import('./token-edits.mjs').Replacement} edit
 */
function hunkOf({ old, new: young }) {
  const [before, after] = [linesOf(old), linesOf(young)].map(lines =>
    lines.map(line => line.replace(/\n$/, '')),
  )
  if (before === undefined || after === undefined) return '@@'
  const shortest = Math.min(before.length, after.length)
  let top = 0
  while (top < shortest && before[top] === after[top]) top += 1
  let bottom = 0
  while (bottom < shortest - top && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom += 1
  return [
    '@@',
    ...before.slice(0, top).map(line => ` ${line}`),
    ...before.slice(top, before.length - bottom).map(line => `-${line}`),
    ...after.slice(top, after.length - bottom).map(line => `+${line}`),
    ...before.slice(before.length - bottom).map(line => ` ${line}`),
  ].join('\n')
}

/** @param {{ readonly lines: Lines }} edit */
function placeOf({ lines: { start, end } }) {
  return start === end ? `${start}` : `${start}-${end}`
}

/**
 * @param {any} read
 * @param {string} path
 * @returns {string}
 */
function revOf({ files }, path) {
  return files.find((/** @type {any} */ one) => one.path === path)?.rev ?? ''
}

/**
 * The revision as the model read it.
 * @param {string} rev
 * @param {string} text
 */
function shownRev(rev, text) {
  return text.includes(rev) ? rev : rev.slice(0, 12)
}

/**
 * @param {any} hit
 * @param {any} part of the file that is read
 */
function leadsTo({ line, symbol }, { start_line: from, end_line: to }) {
  const { start_line: start, end_line: end } = symbol ?? { start_line: line, end_line: line }
  return start <= to && end >= from
}
