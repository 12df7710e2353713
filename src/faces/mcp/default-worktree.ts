import { sep } from 'node:path'
import { Refusal } from '../../core/errors.js'
import type { WorktreeAnswer } from '../../gateway/telling/answers.js'
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
  const repositories = await gateway.repositories()
  const around = innermost(repositories, directory)
  if (around === undefined && directory !== undefined) {
    const standing = innermost(await gateway.worktrees(), directory)
    if (standing !== undefined) return { id: standing.id }
  }
  const agent = agentOf(client)
  if (agent === undefined) throw unnamed('this client has not said its name')
  const [only, ...others] = repositories
  const repo = around?.name ?? (others.length === 0 ? only?.name : undefined)
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

/** What the agent of a client is called. Two programs of one name share a worktree: their batches are checked against each other like all others. */
export function agentOf(client: string | undefined): string | undefined {
  const name = (client ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const agent = name.slice(0, 64).replace(/^-/, '').replace(/-$/, '')
  return agent === '' ? undefined : agent
}

/** Of the places that hold a directory the one that is nearest to it. */
function innermost<Place extends { readonly path: string }>(
  places: readonly Place[],
  directory: string | undefined,
): Place | undefined {
  if (directory === undefined) return undefined
  return places
    .filter(({ path }) => directory === path || directory.startsWith(path + sep))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
}

function unnamed(why: string): Refusal {
  const problem = `${why}: open a worktree with open_worktree and name its id as worktree`
  return new Refusal('INVALID_ARGUMENTS', { problem })
}
