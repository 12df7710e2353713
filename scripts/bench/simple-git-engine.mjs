// An engine to compare with: `add` and `commit` of the package simple-git, as its users call them.
import { simpleGit } from 'simple-git'
import { gitText } from '../replay/git.mjs'
import { serveEngine } from './serve-engine.mjs'
import { addWorktree, writeTexts } from './write-texts.mjs'

await serveEngine(async setting => {
  const path = addWorktree(setting, 'simple-git')
  // It passes nobody's name on from the environment.
  gitText(path, ['config', 'user.name', 'A Person'])
  gitText(path, ['config', 'user.email', 'person@example.com'])
  const git = simpleGit(path)
  return {
    path,
    prepare: async batch => async () => {
      await git.add([...writeTexts(path, setting.texts, batch)])
      await git.commit(`batch ${batch.number}`)
    },
    stop: async () => undefined,
  }
})
