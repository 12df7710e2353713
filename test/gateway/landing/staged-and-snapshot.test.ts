import { chmod, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestWorktree,
} from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

let repository: TestRepository
let worktree: TestWorktree
let base: string
beforeAll(async () => {
  repository = await makeRepository({
    'a.txt': 'one\ntwo\nthree\n',
    'b.txt': 'b\n',
    'd/c.txt': 'c\n',
    '.gitignore': '*.log\n',
  })
  worktree = await (await openGateway(repository)).open('x')
  base = worktree.opened.head
})
beforeEach(async () => {
  await worktree.git('reset', '--quiet', '--hard', base)
  await worktree.git('clean', '--quiet', '-ffdx')
})

/** Commits since the base, oldest first: source, subject, changed files. */
async function history(): Promise<readonly string[]> {
  const { batches } = await worktree.worktree.log({})
  return batches
    .toReversed()
    .map(({ source, files }) => `${source}: ${files.map(({ path }) => path).join(' ')}`)
}

describe('what was staged', () => {
  test('and is neither in head nor on the disk gets a commit of its own', async () => {
    await worktree.write('a.txt', 'staged\n')
    await worktree.git('add', 'a.txt')
    const staged = await worktree.git('rev-parse', ':a.txt')
    await worktree.write('a.txt', 'on the disk\n')
    const onDisk = await worktree.rev('a.txt')
    await worktree.replace('a.txt', 'on the', 'in the')
    expect(await history()).toEqual(['external: a.txt', 'external: a.txt', 'batch: a.txt'])
    expect(await worktree.git('rev-parse', 'HEAD~2:a.txt', 'HEAD~1:a.txt')).toBe(
      `${staged}\n${onDisk}`,
    )
    const trailers = (commit: string): Promise<string> =>
      worktree.git('log', '-1', '--format=%(trailers:key=Editlatch-Edit,valueonly)', commit)
    const first = await worktree.git('rev-parse', `${base}:a.txt`)
    expect(await trailers('HEAD~2')).toBe(`a.txt ${first}..${staged} external -`)
    expect(await trailers('HEAD~1')).toBe(`a.txt ${staged}..${onDisk} external -`)
    await expectClean(worktree)
  })

  test('and is what stands on the disk is one commit', async () => {
    await worktree.write('a.txt', 'staged\n')
    await worktree.git('add', 'a.txt')
    await worktree.replace('a.txt', 'staged', 'edited')
    expect(await history()).toEqual(['external: a.txt', 'batch: a.txt'])
    await expectClean(worktree)
  })

  test('while the disk is as head has it', async () => {
    await worktree.write('a.txt', 'staged\n')
    await worktree.git('add', 'a.txt')
    await worktree.write('a.txt', 'one\ntwo\nthree\n')
    await worktree.replace('a.txt', 'two', 'TWO')
    expect(await worktree.git('show', 'HEAD:a.txt')).toBe('one\nTWO\nthree')
    expect(await worktree.git('log', '--format=%H', '-1', '-S', 'staged', '--', 'a.txt')).not.toBe(
      '',
    )
    await expectClean(worktree)
  })

  test('while the file is gone from the disk', async () => {
    await worktree.write('n.txt', 'staged\n')
    await worktree.git('add', 'n.txt')
    await rm(join(worktree.path, 'n.txt'))
    await worktree.apply([create('n.txt', 'new\n')])
    expect(await history()).toEqual(['external: n.txt', 'external: n.txt', 'batch: n.txt'])
    expect(await worktree.git('show', 'HEAD~2:n.txt')).toBe('staged')
    await expectClean(worktree)
  })

  test('a deletion while the file stands is nothing that could be lost', async () => {
    await worktree.git('rm', '--quiet', '--cached', 'b.txt')
    await worktree.replace('b.txt', 'b', 'B')
    expect(await history()).toEqual(['batch: b.txt'])
    await expectClean(worktree)
  })

  test('an intended addition is a file like any other', async () => {
    await worktree.write('n.txt', 'new\n')
    await worktree.git('add', '--intent-to-add', 'n.txt')
    expect(await refusal(worktree.apply([create('n.txt', 'x')]))).toMatchObject({
      code: 'PATH_EXISTS',
    })
    await worktree.replace('n.txt', 'new', 'old')
    expect(await history()).toEqual(['external: n.txt', 'batch: n.txt'])
    await expectClean(worktree)
  })

  test('an intended addition elsewhere survives', async () => {
    await worktree.write('n.txt', 'new\n')
    await worktree.git('add', '--intent-to-add', 'n.txt')
    await worktree.replace('a.txt', 'two', 'TWO')
    await worktree.apply([create('m.txt', 'm\n')])
    expect(await worktree.git('status', '--porcelain')).toBe('A n.txt')
  })
})

describe('the executable bit', () => {
  test('set by hand it is drift, and stays', async () => {
    await chmod(join(worktree.path, 'a.txt'), 0o755)
    await worktree.replace('a.txt', 'two', 'TWO')
    expect(await history()).toEqual(['external: a.txt', 'batch: a.txt'])
    expect(await worktree.git('ls-tree', '--format=%(objectmode)', 'HEAD', 'a.txt')).toBe('100755')
    await expectClean(worktree)
  })

  test('means nothing where core.fileMode is off', async () => {
    const other = await makeRepository({ 'a.txt': 'a\n' }, { config: { 'core.fileMode': 'false' } })
    const modeless = await (await openGateway(other)).open('x')
    await chmod(join(modeless.path, 'a.txt'), 0o755)
    await modeless.replace('a.txt', 'a', 'b')
    const { batches } = await modeless.worktree.log({})
    expect(batches.map(({ source }) => source)).toEqual(['batch'])
    await expectClean(modeless)
  })
})

describe('snapshot', () => {
  test('commits all that was changed outside', async () => {
    await worktree.write('a.txt', 'by hand\n')
    await worktree.write('n/new.txt', 'new\n')
    await worktree.write('x.log', 'ignored\n')
    await rm(join(worktree.path, 'd/c.txt'))
    const receipt = await worktree.worktree.snapshot({ message: 'What I did' })
    expect(receipt).toMatchObject({
      commit: await worktree.git('rev-parse', 'HEAD'),
      parent: base,
      files: [
        { path: 'a.txt', status: 'modified' },
        { path: 'd/c.txt', status: 'deleted' },
        { path: 'n/new.txt', status: 'added' },
      ],
    })
    expect(await history()).toEqual(['external: a.txt d/c.txt n/new.txt'])
    expect(await worktree.git('log', '-1', '--format=%s')).toBe('What I did')
    await expectClean(worktree)
  })

  test('of nothing is nothing', async () => {
    expect(await worktree.worktree.snapshot()).toMatchObject({
      commit: null,
      already_applied: true,
      parent: base,
    })
  })

  test('leaves links, repositories inside and odd names alone', async () => {
    await worktree.write('plain.txt', 'p\n')
    await worktree.write('back\\slash', 'x')
    await symlink('a.txt', join(worktree.path, 'link'))
    await worktree.git('init', '--quiet', 'inner')
    await worktree.write('inner/file', 'x')
    const { files } = await worktree.worktree.snapshot()
    expect(files.map(({ path }) => path)).toEqual(['plain.txt'])
    expect(await worktree.git('status', '--porcelain')).toBe(
      '?? "back\\\\slash"\n?? inner/\n?? link',
    )
  })

  test('stops at a file that is too large, and names it', async () => {
    const limits = { ...defaultLimits, fileBytes: 1_000 }
    const small = await (await openGateway(repository, { limits })).open('small')
    await small.write('large.txt', 'x'.repeat(1_001))
    await small.write('plain.txt', 'p\n')
    expect(await refusal(small.worktree.snapshot())).toMatchObject({
      code: 'TOO_LARGE',
      path: 'large.txt',
      limit: 1_000,
    })
    expect(await refusal(small.rev('large.txt'))).toMatchObject({ code: 'TOO_LARGE' })
    expect(await small.git('rev-parse', 'HEAD')).toBe(base)
  })

  test('a staged version is kept beside what stands on the disk', async () => {
    await worktree.write('a.txt', 'staged\n')
    await worktree.git('add', 'a.txt')
    await worktree.write('a.txt', 'on the disk\n')
    await worktree.worktree.snapshot()
    expect(await history()).toEqual(['external: a.txt', 'external: a.txt'])
    await expectClean(worktree)
  })
})
