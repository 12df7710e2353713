import { expect, test } from 'vitest'
import { ignoredPaths, untrackedDirectories } from '#src/io/git/check-ignored.js'
import { openGateway } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

const repository = await makeRepository({
  '.gitignore': 'out/\n*.log\n',
  'src/a.txt': 'a\n',
  'kept.log': 'tracked all the same\n',
  link: { symlink: 'src' },
})
const { worktree, write } = await (await openGateway(repository)).open('alice')
const { place } = worktree.checkout

test.each<[string, readonly string[], readonly string[]]>([
  ['nothing', [], []],
  ['a directory that is there', ['out', 'src'], ['out']],
  ['what is not there', ['gone.log', 'gone'], ['gone.log']],
  ['names with signs of patterns', [':(top)x', ':!src', 's*c', '[s]rc.log'], ['[s]rc.log']],
  ['a name in other letters', ['größe.log', 'größe'], ['größe.log']],
  ['what lies behind a link beside what does not', ['link/x', 'new', 'out'], ['link/x', 'out']],
])('%s', async (_, paths, ignored) => {
  await write('out/x', 'x')
  expect([...(await ignoredPaths(place, paths))].toSorted()).toEqual(ignored.toSorted())
})

test('directories that are not tracked, with empty ones', async () => {
  await write('new/deep/x', 'x')
  await write('src/more/y', 'y')
  expect(await untrackedDirectories(place)).toEqual(['new', 'src/more'])
})
