// `npm run bench:match -- [--rounds N] [--peers DIR]`: how long one edit takes in files of 1,000, 10,000 and 40,000 lines,
// found at each level and not at all, and said as a patch of apply_patch (V4A), beside peers in the same run, in turn. Peers come from DIR, else from a scratch
// folder into which npm installs them; those that cannot be had are left out. Medians, minimum and maximum, and how often
// a peer takes our time. Exit code 1 where a level was not the one that was meant.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from './bench/machine.mjs'
import { codeFile, matchCases } from './bench/match-cases.mjs'
import { contendersIn } from './bench/match-contenders.mjs'
import { medianOf, renderMedian } from './bench/medians.mjs'
import { stop } from './setup.mjs'

const sizes = [1_000, 10_000, 40_000]
const peers = '@modelcontextprotocol/server-filesystem@2026.8.31'

const meant = new Map([
  ['exact', 'exact'],
  ['trailing', 'line_trimmed'],
  ['trimmed', 'line_trimmed'],
  ['normalised', 'whitespace_normalised'],
  ['shifted', 'indentation_flexible'],
  ['block', 'block_anchor'],
  ['no match', 'ZERO_MATCHES'],
  ['nothing like it', 'ZERO_MATCHES'],
  ['V4A', 'exact'],
  ['V4A trailing', 'trailing_whitespace'],
  ['V4A trimmed', 'line_trimmed'],
  ['V4A no match', 'ZERO_MATCHES'],
])

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, peers: { type: 'string' } },
})
const rounds = Number(values.rounds)
if (!(rounds >= 1)) stop('--rounds is a number from 1')
const scratch = mkdtempSync(join(tmpdir(), 'editlatch-match-'))
try {
  const folder = values.peers === undefined ? install(scratch) : resolve(values.peers)
  const isRight = await measure(await contendersIn(folder))
  process.exitCode = isRight ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true })
}

/** @param {string} folder */
function install(folder) {
  const asked = [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--prefix',
    folder,
    peers,
  ]
  const { status } = spawnSync('npm', asked, { stdio: 'ignore', timeout: 180_000 })
  if (status !== 0) console.log('the peers of npm could not be installed and are left out')
  return folder
}

/** @param {Awaited<ReturnType<typeof contendersIn>>} contenders */
async function measure(contenders) {
  console.log(describeMachine())
  for (const { name, told } of contenders) console.log(`${name}: ${told}`)
  let isRight = true
  for (const lines of sizes) {
    const file = Buffer.from(codeFile(lines))
    console.log(
      `\n${lines.toLocaleString('en')} lines, ${Math.round(file.length / 1024)} KiB, ${rounds} rounds`,
    )
    for (const one of matchCases(lines)) {
      const { outcomes, times } = await race(contenders, file, one)
      isRight &&= outcomes[0] === meant.get(one.name)
      const own = medianOf(times[0] ?? [])
      const told = contenders.map(({ name }, index) => {
        const ratio = index === 0 ? '' : ` x${(medianOf(times[index] ?? []) / own).toFixed(1)}`
        return `${name} ${outcomes[index]} ${renderMedian(times[index] ?? [])}${ratio}`
      })
      console.log(`  ${one.name.padEnd(16)}${told.join(' | ')}`)
    }
  }
  console.log(
    `\nload at the end ${loadavg()
      .map(one => one.toFixed(1))
      .join(' ')}`,
  )
  return isRight
}

/**
 * Everybody in turn; one round before the others is not counted.
 * @param {Awaited<ReturnType<typeof contendersIn>>} contenders
 * @param {Uint8Array} file
 * @param {import('./bench/match-cases.mjs').MatchCase} one
 */
async function race(contenders, file, one) {
  /** @type {number[][]} */
  const times = contenders.map(() => [])
  /** @type {string[]} */
  const outcomes = []
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const started = performance.now()
      outcomes[index] = await contender.run(file, one)
      if (round > 0) times[index]?.push(performance.now() - started)
    }
  }
  return { outcomes, times }
}
