import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { IncludedAnswer } from '#src/gateway/telling/answers.js'
import { openGateway, refusal, type TestWorktree } from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

/** A text is a file, `-> x` a link, null a directory. */
type Planted = Readonly<Record<string, string | null>>

interface Case {
  /** What is committed. */
  readonly tracked?: Readonly<Record<string, string>>
  /** What is put into the checkout after that. */
  readonly planted?: Planted
  readonly plant?: (checkout: string) => void
  readonly include: readonly string[]
  /** What is in the worktree then, beside what is tracked. */
  readonly there: Planted
  readonly leftOut?: readonly string[]
}

const cases: Readonly<Record<string, Case>> = {
  'files by name, at any depth': {
    tracked: { '.gitignore': '.env*\n', 'packages/a/main.js': '' },
    planted: { '.env': 'A=1', '.env.local': 'B=2', 'packages/a/.env': 'C=3', 'other/.env': 'D=4' },
    include: ['.env*'],
    there: { '.env': 'A=1', '.env.local': 'B=2', 'other/.env': 'D=4', 'packages/a/.env': 'C=3' },
  },
  'a path from the top': {
    tracked: { '.gitignore': '.env\n', 'packages/a/main.js': '' },
    planted: { '.env': 'A=1', 'packages/a/.env': 'C=3' },
    include: ['/packages/*/.env'],
    there: { 'packages/a/.env': 'C=3' },
  },
  'a whole directory': {
    tracked: { '.gitignore': 'build/\n' },
    planted: { 'build/a.txt': 'a', 'build/deep/er/b.txt': 'b', 'build/empty': null },
    include: ['build/'],
    there: { 'build/a.txt': 'a', 'build/deep/er/b.txt': 'b' },
  },
  'a directory is no file of that name': {
    tracked: { '.gitignore': 'build\n' },
    planted: { build: 'a file' },
    include: ['build/'],
    there: {},
    leftOut: ['build/ no_match'],
  },
  'a part of an ignored directory, by its own path': {
    tracked: { '.gitignore': '.cache/\n' },
    planted: { '.cache/tool/a.json': '{}', '.cache/tool/b.bin': 'b', '.cache/c.json': '{}' },
    include: ['.cache/tool/*.json'],
    there: { '.cache/tool/a.json': '{}' },
  },
  'a file and a directory in ignored ones, by their own paths': {
    tracked: { '.gitignore': '.cache/\n.local/\n' },
    planted: { '.cache/a.json': '{}', '.cache/b.json': '{}', '.local/x/y/z': 'z', '.local/w': 'w' },
    include: ['.cache/a.json', '.local/x/', '.local/gone', '.local/w/'],
    there: { '.cache/a.json': '{}', '.local/x/y/z': 'z' },
    leftOut: ['.local/gone no_match', '.local/w/ no_match'],
  },
  'what several patterns choose, each once': {
    tracked: { '.gitignore': '.cache/\n.cache-b\n' },
    planted: { '.cache/a/b': 'b', '.cache/c': 'c', '.cache-b': 'd' },
    include: ['.cache/a', '.cache', '.cache/a/b', '.cache-b', '.cache*'],
    there: { '.cache-b': 'd', '.cache/a/b': 'b', '.cache/c': 'c' },
  },
  'a name does not reach into an ignored directory': {
    tracked: { '.gitignore': 'node_modules/\n' },
    planted: { 'node_modules/foo/.env': 'X=1' },
    include: ['.env'],
    there: {},
    leftOut: ['.env no_match'],
  },
  'what git does not ignore stays behind': {
    tracked: { '.gitignore': 'build/\n', 'notes.txt': 'tracked' },
    planted: { 'new.txt': 'new', 'notes.txt': 'changed' },
    include: ['*.txt'],
    there: {},
    leftOut: ['*.txt no_match'],
  },
  'a tracked file in an ignored directory stays as it is': {
    tracked: { 'dist/kept.js': 'tracked' },
    planted: { '.git/info/exclude': 'dist\n', 'dist/kept.js': 'changed', 'dist/made.js': 'made' },
    include: ['dist'],
    there: { 'dist/made.js': 'made' },
  },
  'what is ignored only by words that are not committed': {
    tracked: { 'a.txt': '' },
    planted: { '.gitignore': 'build/\n.env\n', 'build/deep/a.txt': 'a', '.env': 'A=1' },
    include: ['build', '.env'],
    there: {},
    leftOut: ['.env not_ignored', 'build/deep not_ignored'],
  },
  'packages become links': {
    tracked: { '.gitignore': 'node_modules/\n', 'packages/own/index.js': '' },
    planted: {
      'node_modules/foo/index.js': 'module.exports = "foo"',
      'node_modules/@scope/bar/index.js': 'module.exports = "bar"',
      'node_modules/own': '-> ../packages/own',
      'node_modules/.bin/foo': '-> ../foo/index.js',
      'node_modules/.package-lock.json': '{}',
      'node_modules/.cache/x/y': 'y',
      'node_modules/linked': '-> /somewhere/else',
      'packages/own/node_modules/baz/index.js': '',
    },
    include: ['node_modules'],
    there: {
      'node_modules/.bin/foo': '-> ../foo/index.js',
      'node_modules/.package-lock.json': '{}',
      'node_modules/@scope/bar': '-> CHECKOUT/node_modules/@scope/bar',
      'node_modules/foo': '-> CHECKOUT/node_modules/foo',
      'node_modules/own': '-> ../packages/own',
      'packages/own/node_modules/baz': '-> CHECKOUT/packages/own/node_modules/baz',
    },
    leftOut: ['node_modules/.cache cache', 'node_modules/linked link_out'],
  },
  'packages as another package manager lays them': {
    tracked: { '.gitignore': 'node_modules\n' },
    planted: {
      'node_modules/.pnpm/foo@1.0.0/node_modules/foo/index.js': '',
      'node_modules/foo': '-> .pnpm/foo@1.0.0/node_modules/foo',
      'node_modules/.bin/foo': '#!/bin/sh',
    },
    include: ['node_modules'],
    there: {
      'node_modules/.bin/foo': '#!/bin/sh',
      'node_modules/.pnpm': '-> CHECKOUT/node_modules/.pnpm',
      'node_modules/foo': '-> .pnpm/foo@1.0.0/node_modules/foo',
    },
  },
  'packages that are ignored each': {
    tracked: {
      '.gitignore': '/node_modules/*\n!/node_modules/kept\n',
      'node_modules/kept/a.js': '',
    },
    planted: {
      'node_modules/foo/index.js': '',
      'node_modules/@scope/bar/index.js': '',
      'node_modules/.cache/x': 'x',
    },
    include: ['node_modules'],
    there: {
      'node_modules/@scope/bar': '-> CHECKOUT/node_modules/@scope/bar',
      'node_modules/foo': '-> CHECKOUT/node_modules/foo',
    },
    leftOut: ['node_modules/.cache cache'],
  },
  'what is in a directory that is not ignored itself': {
    tracked: { '.gitignore': '/node_modules/*\n/build/*\n', 'a.js': '' },
    planted: {
      'node_modules/foo/index.js': '',
      'node_modules/.bin/foo': '-> ../foo/index.js',
      'build/deep/a.txt': 'a',
      'build/b.txt': 'b',
    },
    include: ['node_modules', 'build'],
    there: {
      'build/b.txt': 'b',
      'build/deep/a.txt': 'a',
      'node_modules/.bin/foo': '-> ../foo/index.js',
      'node_modules/foo': '-> CHECKOUT/node_modules/foo',
    },
  },
  'packages whose links git would not ignore': {
    tracked: { '.gitignore': '/node_modules/*/\n', 'a.js': '' },
    planted: { 'node_modules/foo/index.js': '' },
    include: ['node_modules'],
    there: {},
    leftOut: ['node_modules/foo not_ignored'],
  },
  'links that lead out': {
    tracked: { '.gitignore': 'cache/\n', 'a.txt': 'a' },
    planted: {
      'cache/absolute': '-> /etc/passwd',
      'cache/up': '-> ../../outside',
      'cache/git': '-> ../.git/config',
      'cache/fine': '-> ../a.txt',
      'cache/circle': '-> circle',
    },
    include: ['cache'],
    there: { 'cache/circle': '-> circle', 'cache/fine': '-> ../a.txt' },
    leftOut: ['cache/absolute link_out', 'cache/git link_out', 'cache/up link_out'],
  },
  'a link in the place of an ignored directory': {
    tracked: { '.gitignore': 'node_modules\n' },
    planted: { node_modules: '-> /somewhere/else' },
    include: ['node_modules'],
    there: {},
    leftOut: ['node_modules link_out'],
  },
  'git directories in every spelling': {
    tracked: { '.gitignore': 'vendor/\n' },
    planted: {
      'vendor/repo/.git/config': '[core]',
      'vendor/repo/a.txt': 'a',
      'vendor/.GIT/config': '[core]',
      'vendor/git~1/config': '[core]',
      'vendor/.gitignore': '!*\n',
    },
    include: ['vendor'],
    there: { 'vendor/.gitignore': '!*\n', 'vendor/repo/a.txt': 'a' },
    leftOut: ['vendor/.GIT name', 'vendor/git~1 name', 'vendor/repo/.git name'],
  },
  'names that no answer could say': {
    tracked: { '.gitignore': 'odd/\n' },
    planted: { 'odd/a\\b': '', 'odd/a\nb': '', 'odd/ok': '' },
    include: ['odd'],
    there: { 'odd/ok': '' },
    leftOut: ['odd/a\nb name', 'odd/a\\b name'],
  },
  'what is neither file nor directory': {
    tracked: { '.gitignore': 'run/\n' },
    planted: { 'run/a': 'a', 'run/setuid': 'x' },
    plant: checkout => {
      spawnSync('mkfifo', [join(checkout, 'run/pipe')])
      chmodSync(join(checkout, 'run/setuid'), 0o4755)
    },
    include: ['run'],
    there: { 'run/a': 'a' },
    leftOut: ['run/pipe special', 'run/setuid special'],
  },
  'what is larger than all that may come': {
    tracked: { '.gitignore': 'big/\n' },
    planted: { 'big/a': 'a', 'big/b': '', 'big/c': 'c' },
    plant: checkout => truncateSync(join(checkout, 'big/b'), 2 ** 40),
    include: ['big'],
    there: { 'big/a': 'a', 'big/c': 'c' },
    leftOut: ['big/b limit'],
  },
  'a link that is committed where the directory stands': {
    tracked: { '.gitignore': 'data/\n', 'a.txt': 'a' },
    planted: { 'data/secret': 'x' },
    plant: checkout => {
      const run = (...args: readonly string[]): unknown => spawnSync('git', args, { cwd: checkout })
      const link = spawnSync('git', ['hash-object', '-w', '--stdin'], {
        cwd: checkout,
        input: '..',
      })
      run('update-index', '--add', '--cacheinfo', `120000,${link.stdout.toString().trim()},data`)
      run('commit', '--quiet', '-m', 'link')
      run('reset', '--quiet', '--soft', 'HEAD~1')
      run('reset', '--quiet')
      run('branch', 'linked', 'HEAD@{1}')
    },
    include: ['data'],
    there: { 'data/secret': 'x' },
  },
}

const opened: { readonly test: string; readonly files: number }[] = []

describe('a new worktree gets', () => {
  test.each(Object.entries(cases))('%s', async (name, one) => {
    const { repository, worktree, close } = await open(one)
    const { included } = worktree.opened
    expect(told(included)).toEqual(one.leftOut ?? [])
    expect(listIgnoredIn(worktree, repository)).toEqual(one.there)
    expect(included).toMatchObject(countsOf(one.there))
    expect(await worktree.git('status', '--porcelain', '--untracked-files=all')).toBe('')
    const before = contentsOf(repository.path)
    await close('alice')
    expect(existsSync(worktree.path)).toBe(false)
    expect(contentsOf(repository.path)).toEqual(before)
    opened.push({ test: name, files: Object.keys(one.there).length })
  })
})

test('a socket stays behind', async () => {
  const repository = await makeRepository({ '.gitignore': 'run/\n' })
  mkdirSync(join(repository.path, 'run'))
  const server = createServer()
  await new Promise<void>(resolve => server.listen(join(repository.path, 'run/s'), resolve))
  const { open: openOne } = await openGateway(repository, { include: ['run'] })
  const { included } = (await openOne('alice')).opened
  await new Promise(resolve => server.close(resolve))
  expect(told(included)).toEqual(['run/s special'])
})

test('a package is found by those who import it, and goes with the worktree alone', async () => {
  const { repository, worktree, close } = await open(cases['packages become links'] as Case)
  const script = 'console.log(require("foo"), require("@scope/bar"))'
  const { stdout } = spawnSync(process.execPath, ['-e', script], { cwd: worktree.path })
  expect(stdout.toString()).toBe('foo bar\n')
  await close('alice')
  expect(() => lstatSync(worktree.path)).toThrow('ENOENT')
  const left = readdirSync(join(repository.path, 'node_modules/foo'))
  expect(left).toEqual(['index.js'])
})

test('no link that an agent has put there is gone through when the worktree goes', async () => {
  const { repository, worktree, close } = await open({
    tracked: { '.gitignore': 'node_modules/\ncache\n', 'a.txt': 'a' },
    planted: { 'node_modules/foo/deep/index.js': 'foo', 'cache/deep/file': 'kept' },
    include: ['node_modules'],
    there: {},
  })
  const { path } = worktree
  symlinkSync(join(repository.path, 'cache'), join(path, 'cache'))
  symlinkSync(join(repository.path, '.git'), join(path, 'node_modules/git'))
  symlinkSync(repository.path, join(path, 'node_modules/all'))
  symlinkSync('../../..', join(path, 'node_modules/up'))
  const [before, head] = [contentsOf(repository.path), await repository.git('rev-parse', 'HEAD')]
  await close('alice')
  expect(existsSync(path)).toBe(false)
  expect(contentsOf(repository.path)).toEqual(before)
  expect(await repository.git('rev-parse', 'HEAD')).toBe(head)
  expect(await repository.git('fsck', '--no-dangling')).toBe('')
})

test('what may be run stays so, and what is copied is no more the same file', async () => {
  const plant = (checkout: string): void => chmodSync(join(checkout, 'bin/tool'), 0o755)
  const { repository, worktree } = await open({
    tracked: { '.gitignore': 'bin/\n' },
    planted: { 'bin/tool': '#!/bin/sh', 'bin/data': 'd' },
    plant,
    include: ['bin'],
    there: {},
  })
  const [tool, data] = ['tool', 'data'].map(name => lstatSync(join(worktree.path, 'bin', name)))
  expect([tool?.mode, data?.mode].map(mode => ((mode ?? 0) & 0o111) !== 0)).toEqual([true, false])
  writeFileSync(join(worktree.path, 'bin/data'), 'changed')
  expect(readFileSync(join(repository.path, 'bin/data'), 'utf8')).toBe('d')
})

test('it is told once, and only where a worktree was made with its files', async () => {
  const repository = await makeRepository({ '.gitignore': '.env\n' })
  await repository.write('.env', 'A=1')
  const { open: openOne } = await openGateway(repository, { include: ['.env'] })
  const included = [
    (await openOne('alice')).opened.included,
    (await openOne('alice')).opened.included,
    (await openOne('bob', { files: 'none' })).opened.included,
  ]
  expect(included).toEqual([
    { files: 1, links: 0, bytes: 3, paths: ['.env'] },
    undefined,
    undefined,
  ])
})

test('nothing comes unless the operator says so, whatever the repository says', async () => {
  const settings = '{"include": [".env"], "setup": ["touch", "ran"]}'
  const repository = await makeRepository({ '.gitignore': '.env\n', '.editlatch.json': settings })
  await repository.write('.env', 'A=1')
  const { open: openOne } = await openGateway(repository)
  const worktree = await openOne('alice')
  expect(worktree.opened).not.toHaveProperty('included')
  expect(readdirSync(worktree.path).sort()).toEqual(['.editlatch.json', '.git', '.gitignore'])
})

test('a bare repository has nothing to give', async () => {
  const repository = await makeRepository({ 'a.txt': 'a' }, { bare: true })
  const { open: openOne } = await openGateway(repository, { include: ['.env'] })
  expect(told((await openOne('alice')).opened.included)).toEqual(['. no_checkout'])
})

test.each(['', '!a', '../a', 'a/../b', './a', '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'])(
  'the pattern %j is refused at the start',
  async pattern => {
    const repository = await makeRepository({ 'a.txt': 'a' })
    expect(await refusal(openGateway(repository, { include: [pattern] }))).toMatchObject({
      code: 'INVALID_ARGUMENTS',
    })
  },
)

afterAll(() => {
  const files = opened.reduce((sum, one) => sum + one.files, 0)
  console.log(`${opened.length} worktrees with ${files} files and links of ignored ones`)
})

async function open(one: Case): Promise<{
  readonly repository: TestRepository
  readonly worktree: TestWorktree
  readonly close: (id: string) => Promise<unknown>
}> {
  const repository = await makeRepository(one.tracked ?? {})
  for (const [path, content] of Object.entries(one.planted ?? {})) {
    plantAt(join(repository.path, path), content)
  }
  one.plant?.(repository.path)
  const { gateway, open: openOne } = await openGateway(repository, { include: one.include })
  const close = (id: string): Promise<unknown> => gateway.closeWorktree(id, { force: false })
  return { repository, worktree: await openOne('alice'), close }
}

function plantAt(path: string, content: string | null): void {
  mkdirSync(dirname(path), { recursive: true })
  if (content === null) mkdirSync(path)
  else if (content.startsWith('-> ')) symlinkSync(content.slice(3), path)
  else writeFileSync(path, content)
}

/** What is left out, each with its reason, sorted. */
function told(included: IncludedAnswer | undefined): readonly string[] {
  const list = included?.left_out ?? []
  expect(included?.left_out_total ?? 0).toBe(list.length)
  return list.map(({ path, why }) => `${path} ${why}`).sort()
}

function countsOf(there: Planted): Pick<IncludedAnswer, 'files' | 'links' | 'bytes'> {
  const contents = Object.values(there).filter(content => content !== null)
  const files = contents.filter(content => !content.startsWith('-> '))
  const bytes = files.reduce((sum, content) => sum + content.length, 0)
  return { files: files.length, links: contents.length - files.length, bytes }
}

/** Files and links of the worktree that git ignores, as they were planted. */
function listIgnoredIn({ path }: TestWorktree, repository: TestRepository): Planted {
  const tracked = spawnSync('git', ['ls-files', '-z'], { cwd: path }).stdout.toString().split('\0')
  const found = namesBelow(path).flatMap(name => {
    const stat = lstatSync(join(path, name))
    if (stat.isDirectory() || name === '.git' || tracked.includes(name)) return []
    if (!stat.isSymbolicLink()) return [[name, readFileSync(join(path, name), 'utf8')] as const]
    const target = readlinkSync(join(path, name)).replace(repository.path, 'CHECKOUT')
    return [[name, `-> ${target}`] as const]
  })
  return Object.fromEntries(found)
}

/** All of a checkout but its repository, with what it says. */
function contentsOf(checkout: string): Readonly<Record<string, string>> {
  const names = namesBelow(checkout).filter(name => !name.startsWith('.git/'))
  const entries = names.map(name => {
    const path = join(checkout, name)
    const stat = lstatSync(path)
    if (stat.isSymbolicLink()) return [name, `-> ${readlinkSync(path)}`] as const
    const isRead = stat.isFile() && stat.size < 1_000_000
    return [name, isRead ? readFileSync(path, 'utf8') : `${stat.mode} ${stat.size}`] as const
  })
  return Object.fromEntries(entries)
}

/** No link is followed. */
function namesBelow(directory: string): readonly string[] {
  const entries = readdirSync(directory, { withFileTypes: true })
  const below = entries.flatMap(({ name }) => {
    const isDirectory = lstatSync(join(directory, name)).isDirectory()
    return isDirectory ? namesBelow(join(directory, name)).map(one => join(name, one)) : [name]
  })
  return below.sort()
}
