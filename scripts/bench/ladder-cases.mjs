// Edits with one right answer, for the benchmark of the ladder: from labelled cases and from real code.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitText } from '../replay/git.mjs'
import { mutations } from './ladder-mutations.mjs'

/** @typedef {import('./ladder-mutations.mjs').Random} Random */
/**
 * `after` is the right text, undefined where the edit must be refused.
 * @typedef {{ kind: string, path: string, before: string, find: string, replace: string, all: boolean, count?: number, after?: string }} LadderCase
 */

/**
 * The labelled search and replace cases of the corpora that have one right answer.
 * @param {string} corpora
 * @returns {readonly LadderCase[]}
 */
export function labelledCases(corpora) {
  const folder = join(corpora, 'edit/peers')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter(name => name.endsWith('.jsonl'))
  const peers = files.flatMap(name => readLines(join(folder, name)).flatMap(peerCase))
  return [...peers, ...readLines(join(corpora, 'edit/failures.jsonl')).flatMap(failureCase)]
}

/** @param {string} file @returns {any[]} */
function readLines(file) {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

/** @param {any} one @returns {LadderCase[]} */
function peerCase({ edit, before, after, expect }) {
  const isPlain =
    edit?.dialect === 'search_replace' && typeof edit.old === 'string' && edit.old !== ''
  if (!isPlain || expect.policy !== undefined || edit.old === edit.new) return []
  const text = before[edit.file]
  const right = expect.error ? undefined : after?.[edit.file]
  if (typeof text !== 'string' || (!expect.error && typeof right !== 'string')) return []
  return [makeCase('labelled', edit.file, text, edit, right)]
}

/** @param {any} one @returns {LadderCase[]} */
function failureCase({ dialect, before, edit, expect, also_acceptable }) {
  const isOne =
    typeof before === 'string' && !before.startsWith('@') && also_acceptable === undefined
  if (
    dialect !== 'search_replace' ||
    !isOne ||
    typeof edit.old !== 'string' ||
    edit.old === '' ||
    edit.old === edit.new
  )
    return []
  return [makeCase('failures', 'f', before, edit, expect.after)]
}

/**
 * @param {string} kind @param {string} path @param {string} before
 * @param {{ old: string, new: string, all?: boolean, expected_replacements?: number }} edit @param {string | undefined} after
 * @returns {LadderCase}
 */
function makeCase(kind, path, before, edit, after) {
  const count = edit.expected_replacements
  return {
    ...{ kind, path, before, find: edit.old, replace: edit.new, all: edit.all === true },
    ...(count !== undefined && { count }),
    ...(after !== undefined && { after }),
  }
}

const codeFile =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|c|h|cc|cpp|cs|svelte|vue|css|scss|html|ya?ml|toml|json|sh|sql)$/

/**
 * Blocks of real files, misremembered in every way; and the same where the true block is gone, but its siblings are not.
 * @param {string} repository @param {Random} random @param {number} perMutation
 * @returns {readonly LadderCase[]}
 */
export function codeCases(repository, random, perMutation) {
  const paths = gitText(repository, ['ls-tree', '-r', '--name-only', 'HEAD'])
    .split('\n')
    .filter(path => codeFile.test(path))
  /** @type {LadderCase[]} */
  const cases = []
  for (const { name, mutate } of mutations) {
    let made = 0
    for (let tries = 0; made < perMutation && tries < perMutation * 5; tries += 1) {
      const path = random.pick(paths)
      const text = gitText(repository, ['show', `HEAD:${path}`]).replaceAll('\r\n', '\n')
      const found = codeCase(name, path, `${text}\n`, mutate, random)
      if (found === undefined) continue
      cases.push(...found)
      made += 1
    }
  }
  return cases
}

/**
 * @param {string} kind @param {string} path @param {string} before
 * @param {typeof mutations[number]['mutate']} mutate @param {Random} random
 * @returns {LadderCase[] | undefined}
 */
function codeCase(kind, path, before, mutate, random) {
  const lines = before.slice(0, -1).split('\n')
  const size = random.int(4, 16)
  if (lines.length < size + 2 || lines.length > 5_000) return undefined
  const start = random.int(0, lines.length - size)
  const block = lines.slice(start, start + size)
  if (block[0]?.trim() === '' || block.at(-1)?.trim() === '') return undefined
  const { lines: wanted, origins } = mutate(block, random)
  const find = wanted.join('\n')
  if (find.length > 4_000) return undefined
  const changed = random.int(0, wanted.length)
  const origin = origins[changed]
  if (origin === undefined || block[origin]?.trim() === '') return undefined
  const replace = wanted
    .with(changed, `${indentOf(wanted[changed] ?? '')}changed(this, line)`)
    .join('\n')
  const actual = block[origin] ?? ''
  const young = `${indentOf(actual)}changed(this, line)${/[ \t]*$/.exec(wanted[changed] ?? '')?.[0] === '' ? (/[ \t]*$/.exec(actual)?.[0] ?? '') : ''}`
  const right = `${lines.with(start + origin, young).join('\n')}\n`
  const gone = `${lines.toSpliced(start, size).join('\n')}\n`
  const said = { path, find, replace, all: false }
  return [
    { ...said, kind, before, after: right },
    { ...said, kind: 'the block is gone', before: gone },
  ]
}

/** @param {string} line */
function indentOf(line) {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}
