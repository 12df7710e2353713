// A person who uses git in the main checkout while the server is at work and killed.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gitEnvironment } from '../replay/git.mjs'

const execute = promisify(execFile)

/** @type {Readonly<Record<string, readonly (readonly string[])[]>>} */
const commands = {
  commit: [
    ['add', 'person.txt'],
    ['commit', '--quiet', '-m', 'by a person'],
  ],
  rebase: [['rebase', '--quiet', '--force-rebase', 'HEAD~1']],
  gc: [['gc', '--quiet', '--prune=now']],
  repack: [['repack', '-a', '-d', '-q']],
  'pack-refs': [['pack-refs', '--all', '--prune']],
  'worktree prune': [['worktree', 'prune']],
  'branch -f': [['branch', '-f', 'moving', 'HEAD~1']],
  status: [['status', '--porcelain']],
}

/**
 * Does one command after another until it is told to stop. None of them may fail, because the agents work elsewhere; but
 * git prunes what is just being written, and finds it missing until the server has written it again.
 * @param {string} repository
 * @param {(below: number) => number} random
 * @param {() => boolean} isOver
 * @returns {Promise<Readonly<Record<string, number>>>} how often each was done
 */
export async function useGitBeside(repository, random, isOver) {
  /** @type {Record<string, number>} */
  const done = {}
  const names = Object.keys(commands)
  const options = { cwd: repository, env: gitEnvironment }
  for (let round = 0; !isOver(); round += 1) {
    const name = names[random(names.length)] ?? ''
    writeFileSync(join(repository, 'person.txt'), `${round}\n`)
    if (name === 'rebase') await execute('git', ['reset', '--quiet', '--hard'], options)
    let what = `a person's ${name}`
    try {
      for (const args of commands[name] ?? []) await execute('git', [...args], options)
    } catch (error) {
      if (!isDisturbed(error)) throw error
      what += ', disturbed'
    }
    done[what] = (done[what] ?? 0) + 1
    await new Promise(resolve => setTimeout(resolve, 50 + random(500)))
  }
  return done
}

/** @param {unknown} error */
function isDisturbed(error) {
  return /bad object refs\/heads\/agent\//.test(String(error))
}
