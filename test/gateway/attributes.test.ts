import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { create, expectClean, openGateway, refusal, type TestWorktree } from '../support/gateway.js'
import {
  type Content,
  makeRepository,
  type RepositoryOptions,
  type TestRepository,
} from '../support/repository.js'
import { makeStored, type Stored } from '../support/stored-blob.js'

const onDisk = ({ path }: TestWorktree, file: string): string =>
  readFileSync(join(path, file), 'latin1')

const stored = async (worktree: TestWorktree, file: string): Promise<string> =>
  Buffer.from(await worktree.gitRaw(['cat-file', 'blob', `HEAD:${file}`])).toString('latin1')

/** Every revision that a read answers is the blob id that git has. */
async function expectRevs(worktree: TestWorktree, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    expect(await worktree.rev(path)).toBe(await worktree.git('rev-parse', `HEAD:${path}`))
  }
}

async function open(
  files: Readonly<Record<string, Content>>,
  options: RepositoryOptions & { readonly trustConfig?: boolean } = {},
): Promise<TestWorktree & { readonly repository: TestRepository }> {
  const { trustConfig = false, ...rest } = options
  const repository = await makeRepository(files, rest)
  return { ...(await (await openGateway(repository, { trustConfig })).open('x')), repository }
}

interface Case extends Stored {
  readonly name: string
  readonly disk: string
  /** What is in the repository and on the disk after `two` became `TWO`. */
  readonly blobAfter: string
  readonly diskAfter: string
}

const utf16 = (text: string): string => Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1')

const cases: readonly Case[] = [
  {
    name: 'eol=crlf: LF inside, CRLF outside',
    attributes: '*.txt eol=crlf\n',
    blob: 'one\ntwo\n',
    disk: 'one\r\ntwo\r\n',
    blobAfter: 'one\nTWO\n',
    diskAfter: 'one\r\nTWO\r\n',
  },
  {
    name: 'text=auto: a blob with CRLF stays as it is',
    attributes: '* text=auto\n',
    blob: 'one\r\ntwo\r\n',
    disk: 'one\r\ntwo\r\n',
    blobAfter: 'one\r\nTWO\r\n',
    diskAfter: 'one\r\nTWO\r\n',
  },
  {
    name: 'text=auto with eol=crlf',
    attributes: '* text=auto eol=crlf\n',
    blob: 'one\ntwo\n',
    disk: 'one\r\ntwo\r\n',
    blobAfter: 'one\nTWO\n',
    diskAfter: 'one\r\nTWO\r\n',
  },
  {
    name: 'core.autocrlf=true',
    config: { 'core.autocrlf': 'true' },
    blob: 'one\ntwo\n',
    disk: 'one\r\ntwo\r\n',
    blobAfter: 'one\nTWO\n',
    diskAfter: 'one\r\nTWO\r\n',
  },
  {
    name: 'core.autocrlf=input',
    config: { 'core.autocrlf': 'input' },
    blob: 'one\ntwo\n',
    disk: 'one\ntwo\n',
    blobAfter: 'one\nTWO\n',
    diskAfter: 'one\nTWO\n',
  },
  {
    name: 'core.eol=crlf with text',
    config: { 'core.eol': 'crlf' },
    attributes: '*.txt text\n',
    blob: 'one\ntwo\n',
    disk: 'one\r\ntwo\r\n',
    blobAfter: 'one\nTWO\n',
    diskAfter: 'one\r\nTWO\r\n',
  },
  {
    name: '-text under core.autocrlf=true',
    config: { 'core.autocrlf': 'true' },
    attributes: '*.txt -text\n',
    blob: 'one\ntwo\n',
    disk: 'one\ntwo\n',
    blobAfter: 'one\nTWO\n',
    diskAfter: 'one\nTWO\n',
  },
  {
    name: 'working-tree-encoding',
    attributes: '*.txt text working-tree-encoding=UTF-16LE-BOM\n',
    blob: 'one\ntwo\u00c3\u00a9\n',
    disk: utf16('one\ntwoé\n'),
    blobAfter: 'one\nTWO\u00c3\u00a9\n',
    diskAfter: utf16('one\nTWOé\n'),
  },
  {
    name: 'ident',
    attributes: '*.txt ident\n',
    blob: '$Id$\ntwo\n',
    disk: '$Id: 5ffc3cf9ca41b7b9d1fe10b1d0ee8cc1ed2ec56a $\ntwo\n',
    blobAfter: '$Id$\nTWO\n',
    diskAfter: '$Id: 0f5dddeb9bb9e7c3c9d7c0bca2a2ad9c35a7e2ac $\nTWO\n',
  },
]

/** A worktree whose file was checked out by git from exactly this blob. */
async function openCase(one: Case): Promise<TestWorktree> {
  return (await openGateway(await makeStored(one))).open('x')
}

const withoutId = (text: string): string => text.replace(/\$Id: \w+ \$/, '$Id: $')

test.each(cases)('$name', async one => {
  const worktree = await openCase(one)
  expect(withoutId(onDisk(worktree, 'a.txt'))).toBe(withoutId(one.disk))
  await expectRevs(worktree, 'a.txt')
  const { warnings } = await worktree.replace('a.txt', 'two', 'TWO')
  expect(warnings).toEqual([])
  expect(await stored(worktree, 'a.txt')).toBe(one.blobAfter)
  expect(withoutId(onDisk(worktree, 'a.txt'))).toBe(withoutId(one.diskAfter))
  await expectRevs(worktree, 'a.txt')
  await expectClean(worktree)

  const byHand = Buffer.from(onDisk(worktree, 'a.txt').replace(/T(\0?)W/, 't$1w'), 'latin1')
  await worktree.write('a.txt', byHand)
  await worktree.replace('a.txt', 'O', '0')
  expect(await stored(worktree, 'a.txt')).toBe(one.blobAfter.replace('TWO', 'tw0'))
  const sources = (await worktree.worktree.log({})).batches.map(({ source }) => source)
  expect(sources).toEqual(['batch', 'external', 'batch'])
  await worktree.apply([create('n.txt', 'new\n')])
  expect(await stored(worktree, 'n.txt')).toBe('new\n')
  await expectRevs(worktree, 'a.txt', 'n.txt')
  await expectClean(worktree)
})

describe('a blob that git would not store so', () => {
  test('is written as the agent says, with a warning', async () => {
    const worktree = await open({ 'a.txt': 'a\n', '.gitattributes': '*.txt text\n' })
    const rev = await worktree.rev('a.txt')
    const receipt = await worktree.apply([
      { op: 'write_file', path: 'a.txt', expected_rev: rev, text: 'a\r\nb\r\n' },
    ])
    expect(receipt.warnings).toEqual([{ code: 'would_be_renormalised', path: 'a.txt' }])
    expect(await stored(worktree, 'a.txt')).toBe('a\r\nb\r\n')
    await expectRevs(worktree, 'a.txt')
    await worktree.replace('a.txt', 'b', 'c')
    expect(await stored(worktree, 'a.txt')).toBe('a\r\nc\r\n')
    const { batches } = await worktree.worktree.log({})
    expect(batches.map(({ source }) => source)).toEqual(['batch', 'batch'])
  })
})

test('a file that is not in the encoding it should have is refused', async () => {
  const encoded = await openCase({
    name: '',
    attributes: '*.txt text working-tree-encoding=UTF-16\n',
    blob: 'a\n',
    disk: '',
    blobAfter: '',
    diskAfter: '',
  })
  await encoded.write('a.txt', 'no byte order mark\n')
  expect(await refusal(encoded.rev('a.txt'))).toMatchObject({
    code: 'UNSUPPORTED_ENCODING',
    path: 'a.txt',
    problem: expect.stringContaining('BOM'),
  })
  await encoded.apply([create('b.txt', 'b\n')])
})

describe('.gitattributes', () => {
  test('that come, change and go are followed', async () => {
    const worktree = await open({ 'd/a.txt': 'a\n', 'd/b.txt': 'b\n' })
    await worktree.replace('d/a.txt', 'a', 'aa')
    expect(onDisk(worktree, 'd/a.txt')).toBe('aa\n')
    await worktree.write('d/.gitattributes', 'a.txt eol=crlf\n')
    await worktree.replace('d/a.txt', 'aa', 'a')
    expect(onDisk(worktree, 'd/a.txt')).toBe('a\r\n')
    await worktree.write('d/.gitattributes', '*.txt eol=crlf\n')
    await worktree.replace('d/b.txt', 'b', 'bb')
    expect(onDisk(worktree, 'd/b.txt')).toBe('bb\r\n')
    await rm(join(worktree.path, 'd/.gitattributes'))
    await worktree.replace('d/b.txt', 'bb', 'b')
    expect(await stored(worktree, 'd/a.txt')).toBe('a\n')
  })

  test('that are only in the index count, as they do for git', async () => {
    const worktree = await open({ 'a.txt': 'a\n', '.gitattributes': '*.txt eol=crlf\n' })
    await rm(join(worktree.path, '.gitattributes'))
    expect(await worktree.git('check-attr', 'eol', 'a.txt')).toBe('a.txt: eol: crlf')
    await expectRevs(worktree, 'a.txt')
    await worktree.replace('a.txt', 'a', 'b')
    expect(await stored(worktree, 'a.txt')).toBe('b\n')
    await expectRevs(worktree, 'a.txt')
    expect((await worktree.worktree.log({})).batches).toHaveLength(1)
    expect(await worktree.git('status', '--porcelain')).toBe('D .gitattributes')
  })

  test('made in the same batch rule what it writes', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    const { open: openIn } = await openGateway(repository, { allowProtected: ['.gitattributes'] })
    const worktree = await openIn('x')
    await worktree.apply([create('n.txt', 'n\n'), create('.gitattributes', 'n.txt eol=crlf\n')])
    expect(onDisk(worktree, 'n.txt')).toBe('n\r\n')
    await expectRevs(worktree, 'n.txt', '.gitattributes')
    await expectClean(worktree)
  })

  test('of the repository, outside of its files', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    await repository.write('.git/info/attributes', '*.txt eol=crlf\n')
    const worktree = await (await openGateway(repository)).open('x')
    expect(onDisk(worktree, 'a.txt')).toBe('a\r\n')
    await worktree.replace('a.txt', 'a', 'b')
    expect([await stored(worktree, 'a.txt'), onDisk(worktree, 'a.txt')]).toEqual(['b\n', 'b\r\n'])
    await expectRevs(worktree, 'a.txt')
    await expectClean(worktree)
  })
})

describe('a file with a filter', () => {
  const files = { '.gitattributes': '*.enc filter=rot\n', 'a.enc': 'uryyb\n', 'b.txt': 'b\n' }
  const openFiltered = async (
    trustConfig: boolean,
  ): Promise<TestWorktree & { readonly ran: () => boolean }> => {
    const repository = await makeRepository(files)
    const mark = join(repository.path, '.git/the-filter-ran')
    const rot = `touch '${mark}'; tr a-zA-Z n-za-mN-ZA-M`
    for (const way of ['clean', 'smudge']) await repository.git('config', `filter.rot.${way}`, rot)
    await repository.git('config', 'filter.rot.required', 'true')
    const worktree = await (await openGateway(repository, { trustConfig })).open('x')
    return { ...worktree, ran: () => existsSync(mark) }
  }

  test('is read as git stores it, is no target, and runs nothing', async () => {
    const worktree = await openFiltered(false)
    expect(await worktree.text('a.enc')).toBe('uryyb\n')
    await expectRevs(worktree, 'a.enc')
    const rev = await worktree.rev('a.enc')
    for (const edit of [
      { op: 'append_lines', path: 'a.enc', text: 'x', expected_rev: rev },
      { op: 'delete_file', path: 'a.enc', expected_rev: rev },
      { op: 'move_file', path: 'a.enc', to: 'a.txt', expected_rev: rev },
      { op: 'move_file', path: 'b.txt', to: 'b.enc', expected_rev: await worktree.rev('b.txt') },
      create('n.enc', 'n\n'),
    ] as const) {
      expect(await refusal(worktree.apply([edit]))).toMatchObject({
        code: 'FILTERED',
        filter: 'rot',
      })
    }
    await worktree.replace('b.txt', 'b', 'c')
    expect(worktree.ran()).toBe(false)
    await expectRevs(worktree, 'a.enc', 'b.txt')
    expect(await worktree.git('diff', '--cached', '--name-only')).toBe('')
  })

  test('that git does not track is neither read nor kept', async () => {
    const worktree = await openFiltered(false)
    await worktree.write('n.enc', 'secret\n')
    expect(await refusal(worktree.rev('n.enc'))).toMatchObject({ code: 'FILTERED' })
    await worktree.write('b.txt', 'by hand\n')
    const { files: kept } = await worktree.worktree.snapshot()
    expect(kept.map(({ path }) => path)).toEqual(['b.txt'])
    expect(worktree.ran()).toBe(false)
  })

  test('with trust, but failing on the way out, nothing is committed', async () => {
    const repository = await makeRepository(files)
    await repository.git('config', 'filter.rot.clean', 'cat')
    await repository.git('config', 'filter.rot.smudge', 'sed /x/q1')
    await repository.git('config', 'filter.rot.required', 'true')
    const worktree = await (await openGateway(repository, { trustConfig: true })).open('x')
    const head = await worktree.git('rev-parse', 'HEAD')
    expect(await refusal(worktree.apply([create('n.enc', 'x\n')]))).toMatchObject({
      code: 'FILTERED',
      filter: 'rot',
    })
    expect(await worktree.git('rev-parse', 'HEAD')).toBe(head)
    await expectClean(worktree)
    await worktree.replace('b.txt', 'b', 'c')
    await expectClean(worktree)
  })

  test('with trust, but failing, it is told in its own words', async () => {
    const repository = await makeRepository({ ...files, '.gitattributes': '' })
    await repository.git('config', 'filter.broken.clean', 'echo on fire >&2; false')
    await repository.git('config', 'filter.broken.required', 'true')
    const worktree = await (await openGateway(repository, { trustConfig: true })).open('x')
    await worktree.write('.gitattributes', '*.enc filter=broken\n')
    await worktree.write('a.enc', 'by hand\n')
    expect(await refusal(worktree.rev('a.enc'))).toMatchObject({
      code: 'FILTERED',
      filter: 'broken',
      problem: expect.stringContaining('failed'),
    })
    await worktree.replace('b.txt', 'b', 'c')
  })

  test('with trust the filter runs, both ways', async () => {
    const worktree = await openFiltered(true)
    expect(worktree.ran()).toBe(true)
    expect(onDisk(worktree, 'a.enc')).toBe('hello\n')
    await expectRevs(worktree, 'a.enc')
    await worktree.replace('a.enc', 'uryyb', 'jbeyq')
    expect(onDisk(worktree, 'a.enc')).toBe('world\n')
    await expectClean(worktree)
    await worktree.write('a.enc', 'by hand\n')
    await worktree.replace('a.enc', 'ol', 'BL')
    expect(onDisk(worktree, 'a.enc')).toBe('OY hand\n')
    await expectRevs(worktree, 'a.enc')
    await worktree.apply([create('n.enc', 'arj\n')])
    expect(onDisk(worktree, 'n.enc')).toBe('new\n')
    await expectClean(worktree)
  })
})

test('a file became a directory by hand, in a repository that converts', async () => {
  const worktree = await open({ 'a.txt': 'a\n', '.gitattributes': '* text=auto eol=crlf\n' })
  await rm(join(worktree.path, 'a.txt'))
  await worktree.write('a.txt/inner', 'i\r\n')
  await worktree.replace('a.txt/inner', 'i', 'I')
  expect(await stored(worktree, 'a.txt/inner')).toBe('I\n')
  await expectRevs(worktree, 'a.txt/inner')
})
