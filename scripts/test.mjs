// `npm test [-- FILTER...]`: sets up what is missing, then runs every check and every test. A failed check
// does not keep the others from running. The last line says how many passed, failed and were skipped.
// `--full` (`npm run test:full`) adds the long tests, *.long.test.ts, and, where no FILTER is given, the scripts that
// kill, replay and load a server; each prints what it tried and fails where that is nothing.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, installCommands, installPackages, root, tool } from './setup.mjs'

const args = process.argv.slice(2)
const full = args.includes('--full')
const filters = args.filter(argument => argument !== '--full')

installCommands(full ? ['git', 'strace'] : ['git'])
installPackages()

/** @type {readonly (readonly [name: string, script: string, ...args: readonly string[]])[]} */
const longChecks = [
  ['the package, installed and run', 'package.mjs'],
  ['100 kills under load', 'torture.mjs', '--rounds', '100'],
  ['replay of the history of this repository', 'replay.mjs', root, '--commits', '100'],
  ['a minute of load', 'load.mjs', '--seconds', '60'],
]

const results = [
  check('types of src', build),
  check('types of tests and scripts', () => node('typescript/bin/tsc', ['-p', 'test'])),
  check('biome', () => node('@biomejs/biome/bin/biome', ['check', '--error-on-warnings'])),
  check('knip', () => node('knip/bin/knip.js', [])),
  runTests(),
  ...(full && filters.length === 0 ? longChecks : []).map(([name, script, ...rest]) =>
    check(name, () => runNode([join(root, 'scripts', script), ...rest])),
  ),
]
const passed = sum(results, 'passed')
const failed = sum(results, 'failed')
const skipped = sum(results, 'skipped')
process.exitCode = failed === 0 ? 0 : 1
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)

/** @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Result */

/**
 * A check counts as one test.
 * @param {string} name
 * @param {() => boolean} passes
 * @returns {Result}
 */
function check(name, passes) {
  const passed = passes()
  console.log(`${passed ? 'ok' : 'FAILED'}: ${name}`)
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 }
}

/** @returns {Result} */
function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'editlatch-report-'))
  const report = join(folder, 'report.json')
  if (full) process.env.EDITLATCH_LONG = '1'
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const succeeded = node('vitest/vitest.mjs', ['run', ...reporters, ...filters])
  const result = readReport(report)
  rmSync(folder, { recursive: true })
  // An error outside of all tests is in no count, and neither is a run without tests.
  const uncounted = result.passed + result.failed === 0 || (!succeeded && result.failed === 0)
  return uncounted ? { ...result, failed: 1 } : result
}

/**
 * @param {string} file
 * @returns {Result}
 */
function readReport(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + report.testResults.filter(isBroken).length,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  } catch (error) {
    console.error(`There is no report of the tests: ${error}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/**
 * A file that cannot be loaded, or whose hooks fail, has failed without a failed test.
 * @param {{ status: string, assertionResults: { status: string }[] }} file
 */
function isBroken({ status, assertionResults }) {
  return status === 'failed' && assertionResults.every(test => test.status !== 'failed')
}

/**
 * @param {string} script
 * @param {readonly string[]} args
 */
function node(script, args) {
  return runNode([tool(script), ...args])
}

/** @param {readonly string[]} args */
function runNode(args) {
  const started = performance.now()
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (full) console.log(`${Math.round((performance.now() - started) / 1000)} s`)
  return status === 0
}

/**
 * @param {readonly Result[]} results
 * @param {keyof Result} field
 */
function sum(results, field) {
  return results.reduce((total, result) => total + result[field], 0)
}
