// The engine to compare with: writes the file and spawns `git add` and `git commit`. A process of its own, and a lean
// one, because a fork costs the more the larger the process is.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitEnvironment, gitText } from '../replay/git.mjs'
import { changedText } from './changed-text.mjs'
import { serveEngine } from './serve-engine.mjs'

await serveEngine(async ({ clone, folder, base, texts }) => {
  const path = join(folder, 'git')
  gitText(clone, ['worktree', 'add', '--quiet', '--no-track', '-b', 'bench/git', path, base])
  return {
    path,
    prepare: async number => {
      const [file, text] = changedText(texts, number)
      return () => commitFile(path, file, text, `batch ${number}`)
    },
    stop: async () => undefined,
  }
})

/**
 * @param {string} cwd
 * @param {string} file
 * @param {string} text
 * @param {string} message
 */
async function commitFile(cwd, file, text, message) {
  writeFileSync(join(cwd, file), text)
  run(cwd, ['add', '--', file])
  run(cwd, ['commit', '--quiet', '--no-verify', '-m', message])
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 */
function run(cwd, args) {
  const { status, stderr } = spawnSync('git', args, { cwd, env: gitEnvironment })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
}
