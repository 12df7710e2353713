import { sep } from 'node:path'
import { Refusal } from '../../core/errors.js'
import type { WorktreeAnswer } from '../../gateway/answers.js'
import type { Asker, FaceParts } from './parts.js'

/** The worktree of a request that names none. */
export interface DefaultWorktree {
  readonly id: string
  /** Where this request has opened it. */
  readonly opened?: WorktreeAnswer
}

/**
 * That of the token, else the one that the client stands in, else the one of the client's name, which is opened where
 * it is not there yet. Nothing is remembered: the same client comes to the same worktree by every way. Refuses with
 * `INVALID_ARGUMENTS` where neither a name nor a repository can be told.
 */
export async function defaultWorktree(
  { gateway, tools }: FaceParts,
  { caller, directory }: Asker,
  client: string | undefined,
): Promise<DefaultWorktree> {
  if (caller.kind === 'worktree') return { id: caller.id }
  const standing = directory && (await worktreeAround(gateway, directory))
  if (standing) return { id: standing }
  const agent = agentOf(client)
  if (agent === undefined) throw unnamed('this client has not said its name')
  const repo = await repositoryAround(gateway, directory)
  if (repo === undefined) throw unnamed('several repositories are served')
  const id = `${repo}~${agent}`
  try {
    return { id: (await gateway.worktree(id)).id }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error
  }
  const opened = await gateway.openWorktree({ agent, repo, ...tools.get('open_worktree')?.preset })
  return { id: opened.id, opened }
}

type Gateway = FaceParts['gateway']

/** Two programs of one name share a worktree: their batches are checked against each other like all others. */
function agentOf(client: string | undefined): string | undefined {
  const name = (client ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const agent = name.slice(0, 64).replace(/^-/, '').replace(/-$/, '')
  return agent === '' ? undefined : agent
}

async function worktreeAround(gateway: Gateway, directory: string): Promise<string | undefined> {
  const around = (await gateway.worktrees()).find(({ path }) => holds(path, directory))
  return around?.id
}

/** The repository whose checkout holds the directory, else the only one. */
async function repositoryAround(
  gateway: Gateway,
  directory: string | undefined,
): Promise<string | undefined> {
  const repositories = await gateway.repositories()
  const around = repositories
    .filter(({ path }) => directory !== undefined && holds(path, directory))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
  return (around ?? (repositories.length === 1 ? repositories[0] : undefined))?.name
}

function holds(path: string, directory: string): boolean {
  return directory === path || directory.startsWith(path + sep)
}

function unnamed(why: string): Refusal {
  const problem = `${why}: open a worktree with open_worktree and name its id as worktree`
  return new Refusal('INVALID_ARGUMENTS', { problem })
}
