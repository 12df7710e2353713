import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestGateway,
  type TestWorktree,
} from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'

const files = { 'a.txt': 'a\n', 'b/b.txt': 'b\n', 'c/d/e.txt': 'e\n', 'z.txt': 'z\n' }

let served: TestGateway
beforeAll(async () => {
  served = await openGateway(await makeRepository(files))
})

/** Edits, creates, deletes, moves; after each the worktree is clean and nothing is left to do. */
async function goThroughAll(worktree: TestWorktree): Promise<void> {
  const done = async (edits: Parameters<TestWorktree['apply']>[0]): Promise<void> => {
    const { warnings, commit } = await worktree.apply(edits)
    expect({ warnings, commit }).toMatchObject({ warnings: [], commit: expect.any(String) })
    await expectClean(worktree)
  }
  const rev = (path: string): Promise<string> => worktree.rev(path)
  await done([
    { op: 'append_lines', path: 'b/b.txt', text: 'more', expected_rev: await rev('b/b.txt') },
    { op: 'append_lines', path: 'z.txt', text: 'more', expected_rev: await rev('z.txt') },
  ])
  await done([create('c/new.txt', 'new\n'), create('n/n.txt', 'n\n')])
  await done([
    { op: 'delete_file', path: 'c/d/e.txt', expected_rev: await rev('c/d/e.txt') },
    { op: 'move_file', path: 'b/b.txt', to: 'b2.txt', expected_rev: await rev('b/b.txt') },
  ])
  await done([
    { op: 'set_mode', path: 'a.txt', executable: true, expected_rev: await rev('a.txt') },
  ])
  const { batches } = await worktree.worktree.log({})
  expect(batches.map(({ source }) => source)).toEqual(['batch', 'batch', 'batch', 'batch'])
}

const indexes: readonly (readonly [
  name: string,
  prepare: (worktree: TestWorktree) => Promise<unknown>,
])[] = [
  ['version 2', async () => undefined],
  [
    'version 3',
    async ({ git, write }) => {
      await write('later.txt', '')
      await git('add', '--intent-to-add', 'later.txt')
      await git('rm', '--quiet', '--cached', 'later.txt')
      await git('update-index', '--skip-worktree', 'a.txt')
      await git('update-index', '--no-skip-worktree', 'a.txt')
      await git('clean', '--quiet', '--force')
    },
  ],
  ['version 4', ({ git }) => git('update-index', '--index-version', '4')],
  ['split', ({ git }) => git('update-index', '--split-index')],
  [
    'with an untracked cache',
    async ({ git }) => {
      await git('update-index', '--force-untracked-cache')
      await git('status')
    },
  ],
  [
    'with a cache tree that git does not know yet',
    async ({ git }) => {
      await git('read-tree', 'HEAD')
    },
  ],
]

test.each(indexes)('an index %s', async (name, prepare) => {
  const worktree = await served.open(name.replaceAll(' ', '-'))
  await prepare(worktree)
  await goThroughAll(worktree)
})

describe('what only git can look up in its index', () => {
  test.each([
    ['version 4', ['--index-version', '4']],
    ['split', ['--split-index']],
  ])('%s', async (name, flags) => {
    const worktree = await served.open(`lookup-${name.replace(' ', '')}`)
    await worktree.git('update-index', ...flags)
    await worktree.write('a.txt', 'staged\n')
    await worktree.git('add', 'a.txt')
    await worktree.write('a.txt', 'on the disk\n')
    await worktree.write('new.txt', 'new\n')
    await worktree.git('add', '--intent-to-add', 'new.txt')
    await worktree.git('update-index', '--skip-worktree', 'z.txt')
    await rm(join(worktree.path, 'z.txt'))
    await worktree.apply([
      { op: 'append_lines', path: 'a.txt', text: 'x', expected_rev: await worktree.rev('a.txt') },
      {
        op: 'append_lines',
        path: 'new.txt',
        text: 'x',
        expected_rev: await worktree.rev('new.txt'),
      },
    ])
    expect(await worktree.text('z.txt')).toBe('z\n')
    await expectClean(worktree)
    const { batches } = await worktree.worktree.log({})
    expect(batches.map(({ source, files: all }) => [source, all.length])).toEqual([
      ['batch', 2],
      ['external', 2],
      ['external', 1],
    ])
  })
})

test.each([
  ['core.splitIndex', 'true'],
  ['feature.manyFiles', 'true'],
  ['core.untrackedCache', 'true'],
])("with trust in the user's %s = %s", async (key, value) => {
  const repository = await makeRepository(files, { config: { [key]: value } })
  await goThroughAll(await (await openGateway(repository, { trustConfig: true })).open('x'))
})

describe('sparse checkouts', () => {
  test.each([
    ['with a full index', []],
    ['with a sparse index', ['--sparse-index']],
  ])('%s', async (_, flags) => {
    const worktree = await (await openGateway(await makeRepository(files))).open('x')
    await worktree.git('sparse-checkout', 'init', '--cone', ...flags)
    await worktree.git('sparse-checkout', 'set', 'b')
    expect(existsSync(join(worktree.path, 'c'))).toBe(false)
    expect(await worktree.text('c/d/e.txt')).toBe('e\n')
    await worktree.replace('b/b.txt', 'b', 'B')
    await worktree.replace('a.txt', 'a', 'A')
    expect(await worktree.git('status', '--porcelain')).toBe('')
    expect(existsSync(join(worktree.path, 'c'))).toBe(false)
    await worktree.replace('c/d/e.txt', 'e', 'E')
    expect(readFileSync(join(worktree.path, 'c/d/e.txt'), 'utf8')).toBe('E\n')
    await worktree.apply([create('c/n.txt', 'n\n')])
    expect(await worktree.git('status', '--porcelain')).toBe('')
    expect(await worktree.git('write-tree')).toBe(await worktree.git('rev-parse', 'HEAD^{tree}'))
    const { batches } = await worktree.worktree.log({})
    expect(batches.map(({ source }) => source)).toEqual(Array(4).fill('batch'))
  })
})

describe('a file that need not be there', () => {
  let opened = 0
  const open = async (): Promise<TestWorktree> => {
    opened += 1
    const worktree = await served.open(`absent-${opened}`)
    await worktree.git('update-index', '--skip-worktree', 'a.txt', 'z.txt')
    await rm(join(worktree.path, 'a.txt'))
    return worktree
  }

  test('is read from git, and others are edited beside it', async () => {
    const worktree = await open()
    expect(await worktree.text('a.txt')).toBe('a\n')
    await worktree.replace('b/b.txt', 'b', 'B')
    await worktree.apply([create('n.txt', 'n\n')])
    expect(existsSync(join(worktree.path, 'a.txt'))).toBe(false)
    await expectClean(worktree)
    expect(await worktree.git('ls-files', '-t', 'a.txt')).toBe('S a.txt')
  })

  test('comes back when it is edited, and the mark goes', async () => {
    const worktree = await open()
    await worktree.replace('a.txt', 'a', 'A')
    expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('A\n')
    expect(await worktree.git('ls-files', '-t', 'a.txt')).toBe('H a.txt')
    await expectClean(worktree)
    await worktree.git('commit', '--quiet', '--all', '--allow-empty', '-m', 'mine')
    expect(await worktree.git('show', 'HEAD:a.txt')).toBe('A')
  })

  test('can be deleted and moved', async () => {
    const worktree = await open()
    await worktree.apply([
      { op: 'delete_file', path: 'a.txt', expected_rev: await worktree.rev('a.txt') },
      { op: 'move_file', path: 'z.txt', to: 'y.txt', expected_rev: await worktree.rev('z.txt') },
    ])
    await expectClean(worktree)
  })

  test('assumed unchanged, it is looked at all the same', async () => {
    const worktree = await open()
    await worktree.git('update-index', '--assume-unchanged', 'b/b.txt')
    await worktree.write('b/b.txt', 'by hand\n')
    await worktree.replace('b/b.txt', 'by', 'BY')
    const { batches } = await worktree.worktree.log({})
    expect(batches.map(({ source }) => source)).toEqual(['batch', 'external'])
    await expectClean(worktree)
  })
})

describe('entries that git writes no more', () => {
  /** A commit whose tree has a name that is no UTF-8 and an old mode, written past every check. */
  async function openOdd(): Promise<TestWorktree & { readonly repository: TestRepository }> {
    const repository = await makeRepository({ 'd/a.txt': 'a\n', 'top.txt': 't\n' })
    const blob = Buffer.from(await repository.git('rev-parse', 'HEAD:top.txt'), 'hex')
    const line = (mode: string, name: string | Buffer): Buffer =>
      Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), blob])
    const odd = Buffer.from([0x66, 0xe9, 0xff])
    const entries = [line('100664', 'a.txt'), line('100664', 'b.txt'), line('100644', odd)]
    const write = async (type: string, body: Uint8Array | string): Promise<string> => {
      const args = ['hash-object', '-w', '--literally', '-t', type, '--stdin']
      return new TextDecoder().decode(await repository.gitRaw(args, { input: body })).trim()
    }
    const inner = Buffer.from(await write('tree', Buffer.concat(entries)), 'hex')
    const root = await write(
      'tree',
      Buffer.concat([Buffer.from('40000 d\0'), inner, line('100644', 'top.txt')]),
    )
    const commit = await repository.git('commit-tree', root, '-p', 'HEAD', '-m', 'odd')
    await repository.git('reset', '--quiet', '--hard', commit)
    const { open } = await openGateway(repository, { secondReader: false })
    return { ...(await open('x')), repository }
  }

  const lines = async (worktree: TestWorktree): Promise<readonly string[]> => {
    const raw = Buffer.from(await worktree.gitRaw(['cat-file', 'tree', 'HEAD:d']))
    return raw.toString('latin1').match(/\d{5,6} [^\0]+(?=\0)/g) ?? []
  }

  /** Git itself would write the old mode anew, so that its tree is another one. */
  const clean = async ({ git }: TestWorktree): Promise<readonly string[]> => [
    await git('status', '--porcelain'),
    await git('fsck', '--no-dangling', '--no-progress'),
  ]

  test('stay as they are when a sibling is edited, added or deleted', async () => {
    const worktree = await openOdd()
    const odd = '100644 f\u00e9\u00ff'
    expect(await lines(worktree)).toEqual(['100664 a.txt', '100664 b.txt', odd])
    await worktree.replace('d/a.txt', 't', 'T')
    expect(await clean(worktree)).toEqual(['', ''])
    expect(await lines(worktree)).toEqual(['100644 a.txt', '100664 b.txt', odd])
    await worktree.apply([create('d/n.txt', 'n\n')])
    expect(await clean(worktree)).toEqual(['', ''])
    expect(await lines(worktree)).toEqual(['100644 a.txt', '100664 b.txt', odd, '100644 n.txt'])
    const rev = await worktree.rev('d/n.txt')
    await worktree.apply([{ op: 'delete_file', path: 'd/n.txt', expected_rev: rev }])
    expect(await clean(worktree)).toEqual(['', ''])
    expect(await lines(worktree)).toEqual(['100644 a.txt', '100664 b.txt', odd])
    const told = await worktree.worktree.unreported({})
    expect(told.files.map(({ path }) => path)).toEqual(['d/a.txt'])
    expect((await worktree.worktree.files({})).files).toEqual(['d/a.txt', 'd/b.txt', 'top.txt'])
  })

  test('that the user changes are told as well as they can be', async () => {
    const worktree = await openOdd()
    const name = Buffer.concat([
      Buffer.from(`${worktree.path}/d/`),
      Buffer.from([0x66, 0xe9, 0xff]),
    ])
    writeFileSync(name, 'changed\n')
    expect((await worktree.worktree.state()).dirty).toHaveLength(1)
    await worktree.git('commit', '--quiet', '--all', '-m', 'mine')
    const told = await worktree.worktree.unreported({})
    expect(told.files.map(({ status }) => status)).toEqual(['modified'])
    await worktree.replace('top.txt', 't', 'T')
    await expectClean(worktree)
  })
})

test('where letter case does not count, two spellings are one file', async () => {
  const repository = await makeRepository(files, { config: { 'core.ignoreCase': 'true' } })
  const worktree = await (await openGateway(repository)).open('x')
  for (const path of ['A.txt', 'B/new.txt', 'c/D']) {
    expect(await refusal(worktree.apply([create(path, 'x')]))).toMatchObject({
      code: 'PATH_EXISTS',
    })
  }
  const rev = await worktree.rev('a.txt')
  await worktree.apply([{ op: 'move_file', path: 'a.txt', to: 'A.txt', expected_rev: rev }])
  await expectClean(worktree)
})

test('with every durability the same is written', async () => {
  const repository = await makeRepository(files)
  const worktree = await (await openGateway(repository, { durability: 'power' })).open('x')
  await goThroughAll(worktree)
})
