import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../server.js'
import { differences, readState } from './worktree-state.js'

const server = await startServer({ 'a.txt': 'one\n' })
const { path } = await server.gateway.openWorktree({ agent: 'alice' })
const { repository } = server

/** The kinds of places that differ after something was done. */
async function changedBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  const look = (): ReadonlyMap<string, string> => readState(repository.path, dirname(path))
  const before = look()
  await act()
  return differences(before, look()).map(one => one.split('/').at(-1) ?? '')
}

test.each<[string, readonly string[], () => Promise<unknown>]>([
  ['nothing', [], () => server.ask('GET', '/v1/worktrees/alice')],
  ['a file', ['new.txt'], () => writeFile(join(path, 'new.txt'), 'x\n')],
  ['an index', ['index'], () => repository.git('-C', path, 'add', 'new.txt')],
  ['a ref', ['tag'], () => repository.git('update-ref', 'refs/editlatch/tag', 'HEAD')],
  ['a head', ['HEAD'], () => repository.git('-C', path, 'checkout', '--quiet', '--detach')],
])('%s that changes is seen', async (_, places, act) => {
  expect(await changedBy(act)).toEqual(places)
})
