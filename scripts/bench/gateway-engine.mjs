// The gateway in process. Its argument is the durability that it promises, or `checked`: process, with the syntax check,
// which git has none of and the others therefore do without.
import { join } from 'node:path'
import { defaultLimits } from '../../dist/core/limits.js'
import { parseBatch } from '../../dist/edit/batch.js'
import { Gateway } from '../../dist/gateway/gateway.js'
import { gitEnvironment } from '../replay/git.mjs'
import { BatchInputs } from './changed-texts.mjs'
import { serveEngine } from './serve-engine.mjs'

const kind = process.argv[2] ?? 'process'
const durability = kind === 'power' ? 'power' : 'process'

await serveEngine(async ({ clone, folder, base, texts }) => {
  const gateway = await Gateway.open({
    repositories: [clone],
    stateDir: join(folder, `state-${kind}`),
    worktreesDir: join(folder, `worktrees-${kind}`),
    durability,
    branchPrefix: 'bench',
    allowProtected: ['**'],
    trustConfig: false,
    limits: defaultLimits,
    secret: 'only for a benchmark',
    host: gitEnvironment,
    ...(kind !== 'checked' && { syntaxMs: 0 }),
  })
  const { id, path } = await gateway.openWorktree({ agent: kind, base })
  const worktree = await gateway.worktree(id)
  const inputs = new BatchInputs(texts)
  return {
    path,
    // No child is started here: after a fork every page that is written costs a fault, which is none of a batch's work.
    prepare: async batch => {
      const asked = inputs.next(batch)
      return () => worktree.apply(parseBatch(asked, defaultLimits))
    },
    stop: () => gateway.close(),
  }
})
