// What must hold after every kill.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gitText } from '../replay/git.mjs'

/**
 * @typedef {import('./agent.mjs').Agent} Agent
 * @typedef {import('../replay/server.mjs').Server} Server
 */

/**
 * Each agent's branch holds all that was acknowledged, in order and once; no half batch shows in branch, index or files;
 * nothing of ours lies about; and what got no answer is done once when it is sent again.
 * @param {readonly Agent[]} agents
 * @param {Server} server
 * @returns {Promise<Record<string, number>>}
 */
export async function checkAgents(agents, server) {
  const found = { 'checked clean': 0, 'sent again': 0, 'rolled forward': 0 }
  for (const agent of agents) {
    const state = await server.get(`/v1/worktrees/${agent.name}`)
    if (state.status !== 200)
      throw new Error(`no state of ${agent.name}: ${JSON.stringify(state.body)}`)
    expectNothing(agent, 'dirty files', JSON.stringify(state.body.dirty), '[]')
    found['rolled forward'] += isInHistory(agent, agent.pending?.key) ? 1 : 0
    if ((await agent.resend(server)) === 'done') found['sent again'] += 1
    checkHistory(agent)
    checkWorktree(agent)
    found['checked clean'] += 1
  }
  return found
}

/**
 * @param {string} repository
 * @returns {number} how many checks that was
 */
export function checkRepository(repository) {
  gitText(repository, ['fsck', '--no-dangling', '--no-progress', '--connectivity-only'])
  return 1
}

/** @param {Agent} agent */
function checkHistory(agent) {
  const commits = history(agent)
  const batches = commits.filter(({ key }) => key !== '')
  const keys = new Set(batches.map(({ key }) => key))
  expectNothing(agent, 'keys committed twice', String(batches.length - keys.size), '0')
  let at = -1
  for (const { key, commit } of agent.acknowledged) {
    const next = commits.findIndex(one => one.commit === commit && one.key === key)
    if (next <= at) throw new Error(`${agent.name} lost ${commit} (${key})`)
    at = next
  }
}

/** @param {Agent} agent */
function checkWorktree(agent) {
  const { path } = agent
  const tree = gitText(path, ['write-tree'])
  expectNothing(agent, 'index and head differ', tree, gitText(path, ['rev-parse', 'HEAD^{tree}']))
  expectNothing(
    agent,
    'status',
    gitText(path, ['status', '--porcelain', '--untracked-files=all']),
    '',
  )
  const gitDir = gitText(path, ['rev-parse', '--absolute-git-dir'])
  const left = readdirSync(join(gitDir, 'editlatch')).filter(name => !name.startsWith('owner-'))
  expectNothing(agent, 'files of ours', left.join(' '), '')
  if (existsSync(join(gitDir, 'index.lock'))) throw new Error(`${agent.name} is left locked`)
}

/**
 * @param {Agent} agent
 * @param {string | undefined} key
 */
function isInHistory(agent, key) {
  return key !== undefined && history(agent).some(one => one.key === key)
}

/**
 * Commits of the agent, oldest first, each with the key of its batch.
 * @param {Agent} agent
 */
function history({ path }) {
  const format = '--format=%H %(trailers:key=Editlatch-Key,valueonly,separator=%x20)'
  const lines = gitText(path, ['log', '--reverse', format, 'origin/main..HEAD']).split('\n')
  return lines.map(line => {
    const [commit = '', key = ''] = line.split(' ')
    return { commit, key }
  })
}

/**
 * @param {Agent} agent
 * @param {string} what
 * @param {string} actual
 * @param {string} expected
 */
function expectNothing(agent, what, actual, expected) {
  if (actual !== expected)
    throw new Error(`${agent.name}: ${what}: ${actual} (expected: ${expected})`)
}
