// An engine to compare with: `add` and `commit` of the package isomorphic-git. It knows no linked worktrees, so that it
// works in an ordinary repository of the same content.
import fs from 'node:fs'
import { join } from 'node:path'
import git from 'isomorphic-git'
import { gitText } from '../replay/git.mjs'
import { serveEngine } from './serve-engine.mjs'
import { writeTexts } from './write-texts.mjs'

const author = { name: 'A Person', email: 'person@example.com' }

await serveEngine(async ({ clone, folder, base, texts }) => {
  const dir = join(folder, 'isomorphic-git')
  gitText(folder, ['clone', '--quiet', '--no-hardlinks', '--no-checkout', clone, dir])
  gitText(dir, ['checkout', '--quiet', '-b', 'bench/isomorphic-git', base])
  // Without it every read would parse the whole pack again.
  const cache = {}
  return {
    path: dir,
    prepare: async batch => async () => {
      await git.add({ fs, dir, cache, filepath: writeTexts(dir, texts, batch) })
      await git.commit({ fs, dir, cache, message: `batch ${batch.number}`, author })
    },
    stop: async () => undefined,
  }
})
