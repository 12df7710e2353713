// A worktree of a repository for a benchmark, with the gateway that serves it in this process.
import { join } from 'node:path'
import { defaultLimits } from '../../dist/core/limits.js'
import { Gateway } from '../../dist/gateway/gateway.js'
import { gitEnvironment } from '../replay/git.mjs'

/**
 * @param {string} repository
 * @param {string} folder Where state and worktrees are kept.
 * @param {{ readonly base?: string, readonly files?: 'all' | 'none' }} [input]
 */
export async function openWorktree(repository, folder, input = {}) {
  const gateway = await Gateway.open({
    repositories: [repository],
    stateDir: join(folder, 'state'),
    worktreesDir: join(folder, 'worktrees'),
    durability: 'process',
    branchPrefix: 'bench',
    allowProtected: [],
    trustConfig: false,
    limits: defaultLimits,
    secret: 'only for a benchmark',
    host: gitEnvironment,
    syntaxMs: 0,
    maintenance: false,
  })
  const { id, path } = await gateway.openWorktree({ agent: 'bench', ...input })
  return { gateway, worktree: await gateway.worktree(id), path }
}
