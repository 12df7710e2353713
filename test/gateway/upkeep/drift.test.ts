import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

/** All that a refused batch must leave as it is: refs, reflog, index and files, byte for byte. */
async function everything(): Promise<Record<string, string>> {
  const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
  const files: Record<string, string> = {
    refs: await worktree.git('for-each-ref'),
    reflog: readFileSync(join(gitDir, 'logs/HEAD'), 'latin1'),
    index: readFileSync(join(gitDir, 'index'), 'latin1'),
    'git directory': readdirSync(gitDir).sort().join(' '),
  }
  for (const entry of readdirSync(worktree.path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile()) files[file] = readFileSync(file, 'latin1')
  }
  return files
}

describe('a file that was changed by hand', () => {
  test('is read and edited as it stands: two commits, moved in one step', async () => {
    await worktree.write('a.txt', 'one\ntwo\nthree\nfour\n')
    const rev = await worktree.rev('a.txt')
    expect(rev).toBe(await worktree.git('hash-object', 'a.txt'))
    const receipt = await worktree.replace('a.txt', 'four', 'FOUR')
    expect(receipt.warnings).toEqual([{ code: 'external_changes_committed' }])
    expect(receipt.files).toMatchObject([{ path: 'a.txt', before_rev: rev }])
    expect(receipt.parent).toBe(await worktree.git('rev-parse', 'HEAD~1'))
    expect(await history()).toEqual(['external: a.txt', 'batch: a.txt'])
    expect(await worktree.git('rev-parse', 'HEAD~1:a.txt', 'HEAD~2')).toBe(`${rev}\n${base}`)
    expect(await worktree.git('reflog', '-2', '--format=%H', 'HEAD')).not.toContain(receipt.parent)
    await expectClean(worktree)
  })

  test('the outside commit says what it is', async () => {
    await worktree.write('a.txt', 'one\n')
    await worktree.replace('a.txt', 'one', '1')
    const before = await worktree.git('rev-parse', `${base}:a.txt`)
    const after = await worktree.git('rev-parse', 'HEAD~1:a.txt')
    expect(await worktree.git('log', '-1', '--format=%B', 'HEAD~1')).toBe(
      [
        'Keep changes made outside: a.txt',
        '',
        'Editlatch-Agent: x',
        'Editlatch-Source: external',
        `Editlatch-Edit: a.txt ${before}..${after} external -`,
      ].join('\n'),
    )
  })

  test('other files by hand stay as they are, staged or not', async () => {
    await worktree.write('b.txt', 'staged\n')
    await worktree.git('add', 'b.txt')
    await worktree.write('d/c.txt', 'not staged\n')
    await worktree.write('untracked.txt', 'u\n')
    await worktree.write('a.txt', 'one\ntwo\nby hand\n')
    await worktree.replace('a.txt', 'two', 'TWO')
    await worktree.apply([create('n/new.txt', 'n\n')])
    expect(await worktree.git('status', '--porcelain')).toBe(
      'M  b.txt\n M d/c.txt\n?? untracked.txt'.trim(),
    )
    expect(await worktree.git('show', ':b.txt')).toBe('staged')
    expect(await worktree.git('show', 'HEAD:b.txt', 'HEAD:d/c.txt')).toBe('b\nc')
  })

  test('of a file that the batch moves away', async () => {
    await worktree.write('b.txt', 'by hand\n')
    await worktree.apply([
      {
        op: 'move_file',
        path: 'b.txt',
        to: 'moved.txt',
        expected_rev: await worktree.rev('b.txt'),
      },
    ])
    expect(await history()).toEqual(['external: b.txt', 'batch: moved.txt'])
    expect(await worktree.git('show', 'HEAD:moved.txt')).toBe('by hand')
    await expectClean(worktree)
  })

  test('and then named at the revision of head is a conflict', async () => {
    const expected = await worktree.rev('a.txt')
    await worktree.write('a.txt', 'by hand\n')
    const edits = [{ op: 'delete_file', path: 'a.txt', expected_rev: expected } as const]
    const before = await everything()
    expect(await refusal(worktree.apply(edits))).toMatchObject({ code: 'CONTENT_REV_CONFLICT' })
    expect(await everything()).toEqual(before)
  })

  test('back to what head has is no drift', async () => {
    await worktree.write('a.txt', 'by hand\n')
    await worktree.write('a.txt', 'one\ntwo\nthree\n')
    await worktree.replace('a.txt', 'two', 'TWO')
    expect(await history()).toEqual(['batch: a.txt'])
    await expectClean(worktree)
  })
})

describe('nothing at all is written', () => {
  const byHand = async (): Promise<void> => {
    await worktree.write('a.txt', 'by hand\n')
    await worktree.write('b.txt', 'staged\n')
    await worktree.git('add', 'b.txt')
  }

  test('by a dry run', async () => {
    await byHand()
    const rev = await worktree.rev('a.txt')
    const before = await everything()
    const receipt = await worktree.apply(
      [
        { op: 'append_lines', path: 'a.txt', expected_rev: rev, text: 'more' },
        create('n/x.txt', 'x\n'),
      ],
      { dryRun: true },
    )
    expect(receipt).toMatchObject({
      commit: null,
      dry_run: true,
      already_applied: false,
      files: [
        { path: 'a.txt', before_rev: rev },
        { path: 'n/x.txt', status: 'added' },
      ],
    })
    expect(await everything()).toEqual(before)
  })

  test('by a refusal', async () => {
    await byHand()
    const rev = await worktree.rev('a.txt')
    const before = await everything()
    const told = await refusal(
      worktree.apply([
        create('n/x.txt', 'x\n'),
        { op: 'append_lines', path: 'a.txt', expected_rev: rev, text: 'more' },
        {
          op: 'replace_text',
          path: 'b.txt',
          expected_rev: await worktree.rev('b.txt'),
          find: 'no',
          replace: 'x',
        },
      ]),
    )
    expect(told).toMatchObject({ code: 'ZERO_MATCHES', path: 'b.txt' })
    expect(await everything()).toEqual(before)
  })

  test('by reads, lists, diffs and states', async () => {
    await byHand()
    const before = await everything()
    await worktree.rev('a.txt')
    await worktree.worktree.files({})
    await worktree.worktree.unreported({})
    await worktree.worktree.state()
    await worktree.worktree.log({})
    expect(await everything()).toEqual(before)
  })
})

describe('a file that was deleted by hand', () => {
  test('is not found, and can be created again', async () => {
    await rm(join(worktree.path, 'a.txt'))
    expect(await refusal(worktree.rev('a.txt'))).toMatchObject({ code: 'FILE_NOT_FOUND' })
    await worktree.apply([create('a.txt', 'new\n')])
    expect(await history()).toEqual(['external: a.txt', 'batch: a.txt'])
    expect(await worktree.git('ls-tree', '-r', '--name-only', 'HEAD~1')).not.toContain('a.txt')
    await expectClean(worktree)
  })

  test('with its directory, and a file of that name in its place', async () => {
    await rm(join(worktree.path, 'd'), { recursive: true })
    await worktree.write('d', 'now a file\n')
    const receipt = await worktree.replace('d', 'now', 'then')
    expect(receipt.files).toMatchObject([{ path: 'd', status: 'modified' }])
    expect(await worktree.git('show', 'HEAD:d')).toBe('then a file')
    await expectClean(worktree)
  })
})

describe('a file that git does not track', () => {
  test.each([
    ['untracked', 'u.txt'],
    ['ignored', 'u.log'],
    ['untracked in a new directory', 'n/m/u.txt'],
  ])('%s stands in the way of a new one, and can be edited', async (_, path) => {
    await worktree.write(path, 'here\n')
    const actual = await worktree.git('hash-object', path)
    const before = await everything()
    expect(await refusal(worktree.apply([create(path, 'x')]))).toMatchObject({
      code: 'PATH_EXISTS',
      actual,
    })
    expect(await everything()).toEqual(before)
    await worktree.replace(path, 'here', 'there')
    expect(await history()).toEqual([`external: ${path}`, `batch: ${path}`])
    await expectClean(worktree)
  })

  test('is in the way of a move as well', async () => {
    await worktree.write('u.txt', 'here\n')
    const rev = await worktree.rev('b.txt')
    expect(
      await refusal(
        worktree.apply([{ op: 'move_file', path: 'b.txt', to: 'u.txt', expected_rev: rev }]),
      ),
    ).toMatchObject({ code: 'PATH_EXISTS' })
  })

  test('a directory of untracked files is in the way of a file', async () => {
    await worktree.write('n/u.txt', 'here\n')
    expect(await refusal(worktree.apply([create('n', 'x')]))).toMatchObject({ code: 'PATH_EXISTS' })
    await rm(join(worktree.path, 'n/u.txt'))
    await mkdir(join(worktree.path, 'n/empty/too'), { recursive: true })
    await worktree.apply([create('n', 'x')])
    await expectClean(worktree)
  })

  test('an untracked file above the path is in the way', async () => {
    await worktree.write('n', 'here\n')
    expect(await refusal(worktree.apply([create('n/x/y', 'y')]))).toMatchObject({
      code: 'PATH_EXISTS',
    })
  })
})
