import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestGateway,
  type TestWorktree,
} from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

const files = {
  'a.txt': 'a\n',
  'b/b.txt': 'b\n',
  'b/c/d.txt': 'd\n',
  'run.sh': { text: '#!/bin/sh\n', mode: '755' },
  link: { symlink: 'a.txt' },
  'crlf.txt': 'one\r\n',
  '.gitattributes': 'eol.txt text eol=crlf\n',
  'eol.txt': 'one\n',
} as const

let repository: TestRepository
let served: TestGateway
beforeAll(async () => {
  repository = await makeRepository(files)
  served = await openGateway(repository, { allowProtected: ['.gitattributes'] })
})

let opened = 0
/** A new worktree without files. */
async function openEmpty(gateway = served): Promise<TestWorktree> {
  opened += 1
  return gateway.open(`empty-${opened}`, { files: 'none' })
}

const onDisk = ({ path }: Pick<TestWorktree, 'path'>): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => name !== '.git')

/** Nothing on the disk, everything in git, and each entry of the index says that this is as it should be. */
async function expectEmpty(worktree: TestWorktree): Promise<void> {
  await expectClean(worktree)
  expect(onDisk(worktree)).toEqual([])
  expect(await worktree.git('ls-files', '-t')).not.toMatch(/^[^S]/m)
}

describe('a worktree without files', () => {
  test('is clean, tells of itself, and reads from git', async () => {
    const worktree = await openEmpty()
    expect(worktree.opened.files).toBe('none')
    await expectEmpty(worktree)
    expect(await worktree.text('b/c/d.txt')).toBe('d\n')
    const { absent_files, dirty } = await worktree.worktree.state()
    expect({ absent_files, dirty }).toEqual({ absent_files: 8, dirty: [] })
    expect((await worktree.worktree.files({})).files).toEqual(Object.keys(files).sort())
  })

  test.each<[string, (worktree: TestWorktree) => Promise<unknown>, Record<string, string | null>]>([
    ['an edit', ({ replace }) => replace('b/b.txt', 'b', 'B'), { 'b/b.txt': 'B\n' }],
    [
      'an edit of a file that git would smudge',
      ({ replace }) => replace('eol.txt', 'one', 'two'),
      { 'eol.txt': 'two\n' },
    ],
    ['a new file', ({ apply }) => apply([create('n.txt', 'n\n')]), { 'n.txt': 'n\n' }],
    [
      'a new file in a new directory',
      ({ apply }) => apply([create('x/y/n.txt', 'n\n')]),
      { 'x/y/n.txt': 'n\n' },
    ],
    [
      'a deletion',
      async ({ apply, rev }) =>
        apply([
          { op: 'delete_file', path: 'b/c/d.txt', expected_rev: await rev('b/c/d.txt') },
          create('b/c', 'now a file\n'),
        ]),
      { 'b/c': 'now a file\n', 'b/c/d.txt': null },
    ],
    [
      'a move',
      async ({ apply, rev }) =>
        apply([
          { op: 'move_file', path: 'a.txt', to: 'm/a.txt', expected_rev: await rev('a.txt') },
        ]),
      { 'm/a.txt': 'a\n', 'a.txt': null },
    ],
    [
      'a mode',
      async ({ apply, rev }) =>
        apply([
          { op: 'set_mode', path: 'a.txt', executable: true, expected_rev: await rev('a.txt') },
        ]),
      { 'a.txt': 'a\n' },
    ],
    [
      'other attributes',
      async ({ replace }) => {
        await replace('.gitattributes', 'eol.txt', 'a.txt')
        await replace('a.txt', 'a', 'b')
      },
      { 'a.txt': 'b\n', '.gitattributes': 'a.txt text eol=crlf\n' },
    ],
  ])('stays so with %s, and git commit -a erases nothing', async (_, change, after) => {
    const worktree = await openEmpty()
    await change(worktree)
    await expectEmpty(worktree)
    for (const [path, text] of Object.entries(after)) {
      if (text === null) expect(await refusal(worktree.rev(path))).toMatchObject({ path })
      else expect(await worktree.text(path)).toBe(text)
    }
    const tree = await worktree.git('rev-parse', 'HEAD^{tree}')
    await worktree.git('commit', '--quiet', '--all', '--allow-empty', '-m', 'mine')
    expect(await worktree.git('rev-parse', 'HEAD^{tree}')).toBe(tree)
    await expectEmpty(worktree)
  })

  test('takes edit after edit, undoes them and shows the patches', async () => {
    const worktree = await openEmpty()
    const { commit } = await worktree.replace('a.txt', 'a', 'A')
    await worktree.replace('a.txt', 'A', 'AA')
    await worktree.replace('b/b.txt', 'b', 'B')
    await worktree.worktree.revert((await worktree.worktree.log({})).batches[0]?.commit ?? '')
    expect(await refusal(worktree.worktree.revert(commit ?? ''))).toMatchObject({
      code: 'DEPENDENT_CHANGES',
    })
    await expectEmpty(worktree)
    const { files: told } = await worktree.worktree.unreported({})
    expect(told.map(({ path }) => path)).toEqual(['a.txt'])
  })

  test('keeps its kind when it is opened again, also by another process', async () => {
    const worktree = await openEmpty()
    const again = await served.open(worktree.opened.agent, { files: 'all' })
    expect(again.opened.files).toBe('none')
    const other = await openGateway(repository, {
      worktreesDir: join(worktree.path, '../..'),
      secondReader: false,
    })
    const later = await other.open(worktree.opened.agent)
    await later.apply([create('later.txt', 'l\n')])
    await expectEmpty(later)
  })

  test('is closed like any other', async () => {
    const worktree = await openEmpty()
    await served.gateway.closeWorktree(worktree.id, { force: false })
    expect(existsSync(worktree.path)).toBe(false)
  })

  test.each([
    ['version 4', ['--index-version', '4']],
    ['split', ['--split-index']],
  ])('with an index that only git can change: %s', async (_, flags) => {
    const worktree = await openEmpty()
    await worktree.git('update-index', ...flags)
    await worktree.replace('a.txt', 'a', 'A')
    await worktree.apply([create('n/n.txt', 'n\n')])
    await expectEmpty(worktree)
    expect((await worktree.worktree.state()).absent_files).toBe(9)
  })

  test('in a sha256 repository', async () => {
    const other = await makeRepository(files, { objectFormat: 'sha256' })
    const worktree = await (await openGateway(other)).open('x', { files: 'none' })
    await worktree.replace('a.txt', 'a', 'A')
    await worktree.apply([create('n/n.txt', 'n\n')])
    await expectEmpty(worktree)
  })
})

describe('what a person puts at the path of an absent file', () => {
  test('is drift, is shown, and gets a commit of its own before an edit', async () => {
    const worktree = await openEmpty()
    await worktree.write('a.txt', 'by hand\n')
    expect(await worktree.text('a.txt')).toBe('by hand\n')
    expect((await worktree.worktree.state()).dirty).toEqual([{ path: 'a.txt', status: ' M' }])
    const { warnings } = await worktree.replace('a.txt', 'hand', 'hand, and more')
    expect(warnings).toEqual([{ code: 'external_changes_committed' }])
    expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('by hand, and more\n')
    await expectClean(worktree)
    expect(await worktree.git('ls-files', '-t', 'a.txt')).toBe('H a.txt')
    expect(onDisk(worktree)).toEqual(['a.txt'])
  })

  test('is cleaned as git would where attributes say so', async () => {
    const worktree = await openEmpty()
    await worktree.write('eol.txt', 'two\r\n')
    expect(await worktree.text('eol.txt')).toBe('two\n')
    await worktree.write('eol.txt', 'one\r\n')
    expect((await worktree.worktree.state()).dirty).toEqual([])
  })

  test('the same bytes are no drift, and the file is written from then on', async () => {
    const worktree = await openEmpty()
    await worktree.write('a.txt', 'a\n')
    expect((await worktree.worktree.state()).dirty).toEqual([])
    const { warnings } = await worktree.replace('a.txt', 'a', 'A')
    expect(warnings).toEqual([])
    expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('A\n')
    await expectClean(worktree)
  })

  test('is committed by a snapshot, and keeps the worktree from being closed', async () => {
    const worktree = await openEmpty()
    await worktree.write('b/b.txt', 'by hand\n')
    expect(
      await refusal(served.gateway.closeWorktree(worktree.id, { force: false })),
    ).toMatchObject({ code: 'UNLANDED', dirty: ['b/b.txt'] })
    await worktree.worktree.snapshot({})
    expect(await worktree.git('show', 'HEAD:b/b.txt')).toBe('by hand')
    await expectClean(worktree)
    expect((await worktree.worktree.state()).absent_files).toBe(7)
  })

  test('a directory that is there gets new files, and a file that is there is moved as one', async () => {
    const worktree = await openEmpty()
    await worktree.write('b/b.txt', 'b\n')
    await worktree.apply([create('b/n.txt', 'n\n')])
    await worktree.apply([
      {
        op: 'move_file',
        path: 'b/b.txt',
        to: 'moved.txt',
        expected_rev: await worktree.rev('b/b.txt'),
      },
    ])
    expect(onDisk(worktree).slice().sort()).toEqual(['b', 'b/n.txt', 'moved.txt'])
    await expectClean(worktree)
  })
})

test.each(['a.txt', 'new/n.txt'])(
  'a batch on %s that was cut off after the commit point is finished in the index alone',
  async path => {
    const worktree = await openEmpty()
    const index = await worktree.git('rev-parse', '--path-format=absolute', '--git-path', 'index')
    await copyFile(index, `${index}.before`)
    const old = await worktree.git('rev-parse', 'HEAD')
    if (path === 'a.txt') await worktree.replace('a.txt', 'a', 'A')
    else await worktree.apply([create(path, 'A\n')])
    const head = await worktree.git('rev-parse', 'HEAD')
    await copyFile(`${index}.before`, index)
    await rm(`${index}.before`)
    const oid = await worktree.git('rev-parse', `HEAD:${path}`)
    const intent = {
      ref: await worktree.git('symbolic-ref', 'HEAD'),
      old,
      new: head,
      paths: [{ path, disk: null, after: { oid, mode: '100644' }, absent: true }],
    }
    const ours = join(index, '../editlatch')
    mkdirSync(ours, { recursive: true })
    writeFileSync(join(ours, 'intent'), JSON.stringify(intent))
    expect(await worktree.text(path)).toBe('A\n')
    expect(existsSync(join(ours, 'intent'))).toBe(false)
    await expectEmpty(worktree)
  },
)
