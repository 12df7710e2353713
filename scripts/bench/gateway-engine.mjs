// The gateway in process: one file changed by one batch. Which durability it promises is its argument.
import { join } from 'node:path'
import { defaultLimits } from '../../dist/core/limits.js'
import { parseBatch } from '../../dist/edit/batch.js'
import { Gateway } from '../../dist/gateway/gateway.js'
import { gitEnvironment, gitText } from '../replay/git.mjs'
import { changedText } from './changed-text.mjs'
import { serveEngine } from './serve-engine.mjs'

const durability = process.argv[2] === 'power' ? 'power' : 'process'

await serveEngine(async ({ clone, folder, base, texts }) => {
  const gateway = await Gateway.open({
    repositories: [clone],
    stateDir: join(folder, `state-${durability}`),
    worktreesDir: join(folder, `worktrees-${durability}`),
    durability,
    branchPrefix: 'bench',
    allowProtected: ['**'],
    trustConfig: false,
    limits: defaultLimits,
    secret: 'only for a benchmark',
    host: gitEnvironment,
  })
  const { id, path } = await gateway.openWorktree({ agent: durability, base })
  const worktree = await gateway.worktree(id)
  return {
    path,
    prepare: async number => {
      const [file, text] = changedText(texts, number)
      const input = batchInput(file, text, gitText(path, ['rev-parse', `HEAD:${file}`]))
      const asked = { ...input, message: `batch ${number}` }
      return async () => {
        await worktree.apply(parseBatch(asked, defaultLimits))
      }
    },
    stop: () => gateway.close(),
  }
})

/**
 * @param {string} path
 * @param {string} text
 * @param {string} rev
 */
function batchInput(path, text, rev) {
  const lines = { start_line: 1, end_line: 1, text: text.slice(0, text.indexOf('\n')) }
  /** @type {import('../../dist/edit/ops/parse-edit.js').EditInput} */
  const edit = { op: 'replace_lines', path, expected_rev: rev, ...lines }
  return { edits: [edit] }
}
