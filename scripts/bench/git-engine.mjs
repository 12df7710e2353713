// An engine to compare with: writes the files and spawns `git add` and `git commit`. A process of its own, and a lean
// one, because a fork costs the more the larger the process is.
import { spawnSync } from 'node:child_process'
import { gitEnvironment } from '../replay/git.mjs'
import { serveEngine } from './serve-engine.mjs'
import { addWorktree, writeTexts } from './write-texts.mjs'

await serveEngine(async setting => {
  const path = addWorktree(setting, 'git')
  return {
    path,
    prepare: async batch => async () => {
      run(path, ['add', '--', ...writeTexts(path, setting.texts, batch)])
      run(path, ['commit', '--quiet', '--no-verify', '-m', `batch ${batch.number}`])
    },
    stop: async () => undefined,
  }
})

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 */
function run(cwd, args) {
  const { status, stderr } = spawnSync('git', args, { cwd, env: gitEnvironment })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
}
