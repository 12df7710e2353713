// `npm run bench:anchors -- [REPO] [--commits N] [--pairs N]`: what the three schemes of anchors cost to read, and how
// they survive. Anchors are taken of every line of a file of a real history (the demo repository without REPO) and
// checked 1, 5 and 20 revisions of that file later. Tokens are estimated as bytes / 4, for want of a tokenizer. Exit
// code 1 where an anchor under chunk or checkpoint fitted a line of another text, or nothing was checked.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openText } from '#src/formats/text/text-file.js'
import { buildDemoRepository } from '../fixtures-repos/demo.mjs'
import { driftOf, placesOf, readCosts } from './bench/anchor-drift.mjs'
import { fileHistories, readBlobs } from './bench/file-histories.mjs'
import { stop } from './setup.mjs'

/** @typedef {import('#src/formats/text/text-file.js').TextFile} TextFile */

const schemes = /** @type {const} */ (['content', 'chunk', 'checkpoint'])
const distances = [1, 5, 20]
const maxBytes = 200_000
const fates = [
  'valid',
  'shifted by block',
  'shifted by line',
  'ambiguous',
  'refused',
  'twin',
  'twin by block',
  'twin by line',
  'misled',
  'wrong',
]

const asked = readArguments()
const scratch = mkdtempSync(join(tmpdir(), 'editlatch-anchors-'))
try {
  const repository = asked.repository ?? join(scratch, 'demo')
  if (asked.repository === undefined) buildDemoRepository(repository)
  process.exitCode = measure(repository) ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      commits: { type: 'string', default: '3000' },
      pairs: { type: 'string', default: '400' },
    },
  })
  const [commits, pairs] = [Number(values.commits), Number(values.pairs)]
  if (!(commits >= 1 && pairs >= 1)) stop('--commits and --pairs are numbers from 1')
  // npm changes to the top of the checkout; relative paths mean where the user stood.
  const [path] = positionals
  const from = process.env.INIT_CWD ?? process.cwd()
  return { commits, pairs, repository: path === undefined ? undefined : resolve(from, path) }
}

/** @param {string} repository */
function measure(repository) {
  const histories = fileHistories(repository, asked.commits)
  const drifts = distances.map(distance => ({ distance, pairs: pickPairs(histories, distance) }))
  const oids = [...new Set(drifts.flatMap(({ pairs }) => pairs.flat()))]
  const files = openAll(repository, oids)
  printCosts([...files.values()])
  const results = drifts.map(({ distance, pairs }) => printDrift(distance, pairs, files))
  const checked = results.reduce((sum, one) => sum + one.checked, 0)
  const wrong = results.reduce((sum, one) => sum + one.wrong, 0)
  console.log(
    `\n${checked} anchors checked; under chunk and checkpoint ${wrong} fitted another text`,
  )
  return checked > 0 && wrong === 0
}

/**
 * Pairs of revisions of one file that lie so far apart, evenly over all that there are.
 * @param {readonly (readonly string[])[]} histories
 * @param {number} distance
 * @returns {readonly (readonly [string, string])[]}
 */
function pickPairs(histories, distance) {
  const all = histories.flatMap(oids =>
    oids.slice(distance).flatMap((later, index) => {
      const earlier = oids[index]
      return earlier === undefined ? [] : [/** @type {const} */ ([earlier, later])]
    }),
  )
  const step = Math.max(1, all.length / asked.pairs)
  return Array.from(
    { length: Math.min(asked.pairs, all.length) },
    (_, index) => all[Math.floor(index * step)],
  ).filter(pair => pair !== undefined)
}

/**
 * @param {string} repository
 * @param {readonly string[]} oids
 * @returns {ReadonlyMap<string, TextFile>}
 */
function openAll(repository, oids) {
  /** @type {Map<string, TextFile>} */
  const files = new Map()
  for (const [oid, bytes] of readBlobs(repository, oids, maxBytes)) {
    const file = openText(bytes)
    if (file !== undefined) files.set(oid, file)
  }
  return files
}

/** @param {readonly TextFile[]} files */
function printCosts(files) {
  const lines = files.reduce((sum, file) => sum + file.lines.count, 0)
  /** @type {Map<string, { bytes: number, characters: number }>} */
  const costs = new Map()
  for (const file of files) {
    for (const [view, { bytes, characters }] of Object.entries(readCosts(file))) {
      const sum = costs.get(view) ?? { bytes: 0, characters: 0 }
      costs.set(view, { bytes: sum.bytes + bytes, characters: sum.characters + characters })
    }
  }
  const plain = costs.get('plain')?.bytes ?? 0
  console.log(`read cost, ${files.length} texts of ${lines} lines (tokens are bytes / 4):`)
  for (const [view, { bytes, characters }] of costs) {
    const perLine = (bytes / 4 / Math.max(lines, 1)).toFixed(1)
    const more = `${Math.round((100 * bytes) / Math.max(plain, 1) - 100)} %`
    console.log(
      `  ${view.padEnd(10)} ${bytes} bytes, ${characters} characters, about ${Math.round(bytes / 4)} tokens, ${perLine} a line, +${more}`,
    )
  }
}

/**
 * @param {number} distance
 * @param {readonly (readonly [string, string])[]} pairs
 * @param {ReadonlyMap<string, TextFile>} files
 */
function printDrift(distance, pairs, files) {
  const totals = new Map(
    schemes.map(scheme => [scheme, /** @type {Map<string, number>} */ (new Map())]),
  )
  let [compared, anchors] = [0, 0]
  for (const [earlier, later] of pairs) {
    const [read, now] = [files.get(earlier), files.get(later)]
    const places = read && now && placesOf(read, now)
    if (places === undefined || read === undefined || now === undefined) continue
    compared += 1
    anchors += read.lines.count
    for (const [scheme, total] of totals) {
      for (const [fate, count] of driftOf(read, now, scheme, places)) {
        total.set(fate, (total.get(fate) ?? 0) + count)
      }
    }
  }
  console.log(
    `\n${distance} revision(s) later: ${anchors} anchors in ${compared} of ${pairs.length} pairs of texts`,
  )
  console.log(`  ${'fate'.padEnd(18)}${schemes.map(scheme => scheme.padStart(20)).join('')}`)
  for (const fate of fates) {
    const cells = schemes.map(scheme => cell(totals.get(scheme)?.get(fate) ?? 0, anchors))
    console.log(`  ${fate.padEnd(18)}${cells.join('')}`)
  }
  const wrongOf = (/** @type {'chunk' | 'checkpoint'} */ scheme) =>
    totals.get(scheme)?.get('wrong') ?? 0
  return { checked: anchors * schemes.length, wrong: wrongOf('chunk') + wrongOf('checkpoint') }
}

/**
 * @param {number} count
 * @param {number} total
 */
function cell(count, total) {
  return `${count} (${((100 * count) / Math.max(total, 1)).toFixed(2)} %)`.padStart(20)
}
