import { mkdir, mkdtemp, realpath, rename, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { discoverRepository } from '#src/io/git/discover-repository.js'
import { makeRepository } from '../../support/repository.js'

const make = (): ReturnType<typeof makeRepository> => makeRepository({ 'd/e/a.txt': 'a\n' })

/** What is found, or the code of the refusal. */
function found(path: string): unknown {
  try {
    return discoverRepository(path)
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

test.each(['.', 'd', 'd/e'])('from %s of a checkout', async below => {
  const { path } = await make()
  const workTree = await realpath(path)
  expect(found(join(path, below))).toEqual({
    commonDir: join(workTree, '.git'),
    workTree,
    name: basename(path),
  })
})

test('from the git directory itself it is as bare', async () => {
  const { path } = await make()
  const commonDir = join(await realpath(path), '.git')
  expect(found(commonDir)).toMatchObject({ commonDir })
})

test('from a linked worktree it is the repository that the worktree belongs to', async () => {
  const { path, git } = await make()
  await git('worktree', 'add', '--quiet', '--detach', `${path}-linked`)
  const workTree = await realpath(path)
  const place = { commonDir: join(workTree, '.git'), workTree, name: basename(path) }
  expect(found(`${path}-linked`)).toEqual(place)
  expect(found(join(`${path}-linked`, 'd/e'))).toEqual(place)
})

test('a bare repository, and a worktree of it', async () => {
  const { path, git } = await makeRepository({ 'a.txt': 'a\n' }, { bare: true })
  const named = `${path}.git`
  await rename(path, named)
  const place = { commonDir: await realpath(named), name: basename(path) }
  expect(found(named)).toEqual(place)
  expect(git).toBeDefined()
})

test('a checkout whose git directory is elsewhere', async () => {
  const { path } = await make()
  const elsewhere = join(await mkdtemp(join(tmpdir(), 'elsewhere-')), 'store')
  await rename(join(path, '.git'), elsewhere)
  await writeFile(join(path, '.git'), `gitdir: ${elsewhere}\n`)
  expect(found(path)).toEqual({
    commonDir: await realpath(elsewhere),
    workTree: await realpath(path),
    name: basename(path),
    apart: true,
  })
})

test('through a link to the checkout', async () => {
  const { path } = await make()
  await symlink(path, `${path}-link`)
  expect(found(`${path}-link`)).toMatchObject({ workTree: await realpath(path) })
})

test.each([
  ['a directory that is not there', 'nowhere', 'NOT_FOUND'],
  ['a file', 'file', 'NOT_FOUND'],
  ['a directory outside of any', 'plain', 'NOT_FOUND'],
  ['an empty .git', 'empty', 'NOT_FOUND'],
  ['a .git file without a directory', 'no-pointer', 'UNSUPPORTED_REPOSITORY'],
  ['a .git file that points nowhere', 'lost', 'UNSUPPORTED_REPOSITORY'],
  ['a worktree of a repository that does not know it', 'claimed', 'UNSUPPORTED_REPOSITORY'],
])('%s is refused', async (_, name, code) => {
  const { path } = await make()
  const place = await mkdtemp(join(tmpdir(), 'places-'))
  await writeFile(join(place, 'file'), '')
  for (const folder of ['plain', 'empty/.git', 'no-pointer', 'lost', 'claimed', 'own']) {
    await mkdir(join(place, folder), { recursive: true })
  }
  await writeFile(join(place, 'no-pointer/.git'), 'not a pointer\n')
  await writeFile(join(place, 'lost/.git'), 'gitdir: /nowhere\n')
  await writeFile(join(place, 'claimed/.git'), `gitdir: ${join(place, 'own')}\n`)
  await writeFile(join(place, 'own/commondir'), `${path}/.git\n`)
  expect(dirname(join(place, name))).toBe(place)
  expect(found(join(place, name))).toBe(code)
})
