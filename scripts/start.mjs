// `npm start [-- REPO... --flags]`: sets up what is missing, then serves the given repositories, or a small
// demo repository where none is given. Signals go on to the server, and its exit code is ours. (npm sends
// signals to its shell only: hence the `exec` in package.json.)
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildDemoRepository } from '../fixtures-repos/demo.mjs'
import { namesRepository } from './names-repository.mjs'
import { build, installCommands, installPackages, root, stop } from './setup.mjs'

installCommands(['git'])
installPackages()
if (!build()) stop('The sources do not compile')

const args = process.argv.slice(2)
serve(namesRepository(args) ? args : [openDemo(), ...args])

// Kept between runs, so that it can be looked at; a broken one is put aside, for work may be in it.
function openDemo() {
  const state = process.env.XDG_STATE_HOME || join(homedir(), '.local/state')
  const demo = join(state, 'editlatch/demo')
  if (isWhole(demo)) return demo
  mkdirSync(dirname(demo), { recursive: true })
  if (existsSync(demo)) renameSync(demo, `${demo}-broken-${Date.now()}`)
  const unfinished = `${demo}-${process.pid}`
  buildDemoRepository(unfinished)
  renameSync(unfinished, demo)
  return demo
}

/** @param {string} repository */
function isWhole(repository) {
  const args = ['-C', repository, 'cat-file', '-e', 'main:src/greet.ts']
  return existsSync(repository) && spawnSync('git', args).status === 0
}

/** @param {readonly string[]} args */
function serve(args) {
  const main = join(root, 'dist/main.js')
  // npm changes to the top of the checkout; relative paths mean where the user stood.
  const cwd = process.env.INIT_CWD ?? process.cwd()
  const server = spawn(process.execPath, [main, 'serve', ...args], { cwd, stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => server.kill(signal))
  }
  server.on('exit', (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal]
  })
}
