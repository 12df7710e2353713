import { expect, test } from 'vitest'
import { listDirectories } from '#src/io/git/list-directories.js'
import { openGateway } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

test('directories that hold what git tracks or would add, owners first', async () => {
  const repository = await makeRepository({
    '.gitignore': 'out/\n',
    top: 'x',
    'a/b/c/one': 'x',
    'a/b/c/two': 'x',
    'a/b-c/three': 'x',
    'a/four': 'x',
    'größe/five': 'x',
  })
  const { worktree, write } = await (await openGateway(repository)).open('alice')
  await write('new/deep/six', 'x')
  await write('out/seven', 'x')
  const directories = await listDirectories(worktree.checkout.place)
  const owners = ['a', 'a/b', 'a/b-c', 'a/b/c', 'größe', 'new', 'new/deep']
  expect(directories.toSorted()).toEqual(owners)
  const isAfterOwner = (name: string, at: number): boolean =>
    !name.includes('/') || directories.indexOf(name.slice(0, name.lastIndexOf('/'))) < at
  expect(directories.every(isAfterOwner)).toBe(true)
})
