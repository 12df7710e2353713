import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '../../faces/cli/run.js'
import { type Content, makeRepository, type TestRepository, testRepository } from '../repository.js'
import { type Client, clientOf, openElsewhere, openHere, openOn, type Places } from './clients.js'
import type { Desk } from './user-commands.js'

/** One agent's worktree with two gateways at work on it. */
export interface SharedWorktree {
  readonly clients: readonly [Client, Client]
  readonly worktree: TestRepository
}

type Files = Readonly<Record<string, Content>>

const agent = 'dora'

/** The ways in which two can work on one worktree. */
export const sharedWorktrees = {
  'two gateways in one process': async (files: Files): Promise<SharedWorktree> => {
    const places = await makePlaces(files)
    const clients = [await openHere(places, agent), await openHere(places, agent)] as const
    return { clients, worktree: await worktreeOf(places) }
  },
  'two processes': async (files: Files): Promise<SharedWorktree> => {
    const places = await makePlaces(files)
    await (await openHere(places, agent)).close()
    const clients = [
      await openElsewhere(places, agent),
      await openElsewhere(places, agent),
    ] as const
    return { clients, worktree: await worktreeOf(places) }
  },
  'two servers': async (files: Files): Promise<SharedWorktree> => {
    const repository = await makeRepository(files)
    const servers = [await serve([repository.path]), await serve([repository.path])] as const
    const { token, path } = JSON.parse(await (await openOn(servers[0], agent)).text())
    const [first, second] = servers.map(server => clientOf(server, token, agent))
    if (first === undefined || second === undefined) throw new Error('no servers')
    return { clients: [first, second], worktree: testRepository(path) }
  },
}

/** A repository, and where its worktrees and our state go. */
export async function makePlaces(files: Files): Promise<Places> {
  const repository = await makeRepository(files)
  const root = await mkdtemp(join(tmpdir(), 'race-'))
  const [worktreesDir, stateDir] = [join(root, 'worktrees'), join(root, 'state')]
  return { repositories: [repository.path], worktreesDir, stateDir }
}

/** The worktree of an agent, once it has been opened. */
export async function worktreeOf(places: Places, name = agent): Promise<TestRepository> {
  const [path = ''] = places.repositories
  const list = await testRepository(path).git('worktree', 'list', '--porcelain')
  const found = list.split('\n').find(line => line.endsWith(`/${name}`))
  return testRepository(found?.slice('worktree '.length) ?? '')
}

/** Where a person sits beside the agent. */
export async function deskOf(places: Places): Promise<Desk> {
  const [path = ''] = places.repositories
  return { worktree: await worktreeOf(places), main: testRepository(path) }
}

/** An agent's worktree on a server, with a person beside it. */
export async function openServed(files: Files): Promise<{ client: Client; desk: Desk }> {
  const main = await makeRepository(files)
  const server = await serve([main.path])
  const { token, path } = JSON.parse(await (await openOn(server, agent)).text())
  return { client: clientOf(server, token, agent), desk: { worktree: testRepository(path), main } }
}
