import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { copyIndex } from '#src/io/git/index-copy.js'
import { findEntry, type IndexCache, type IndexLayout, readIndex } from '#src/io/git/index-file.js'
import { adoptIndex, patchIndex } from '#src/io/git/index-patch.js'
import { seededRandom } from '../../support/random.js'
import {
  type Content,
  makeRepository,
  type RepositoryOptions,
  type TestRepository,
} from '../../support/repository.js'
import { clean, type Edit, formatOf, indexPath, judge, land, patch } from './index-world.js'

const files = {
  a: '1\n',
  'a-b': '2\n',
  'a.b': '3\n',
  a0: '4\n',
  'd/a': '5\n',
  'd-a': '6\n',
  'd.a': '7\n',
  'd/a.b/c': '8\n',
  'd/a-b/c': '9\n',
  'tab\there/new\nline': '10\n',
  'é/日本': '11\n',
  script: { text: '#!/bin/sh\n', mode: '755' },
} as const satisfies Record<string, Content>

const edits: readonly Edit[] = [
  { path: 'a', text: 'one\n' },
  { path: 'd/a', text: 'five\n' },
  { path: 'd/a.b/c', text: '' },
  { path: 'tab\there/new\nline', text: 'ten\n' },
  { path: 'é/日本', text: 'x'.repeat(70_000) },
  { path: 'script', text: '#!/bin/sh\n', mode: '100644' },
  { path: 'a0', text: '4\n', mode: '100755' },
]

type Prepare = (repository: TestRepository) => Promise<unknown>

const patchable: readonly (readonly [string, RepositoryOptions['config'], Prepare])[] = [
  ['a plain index', {}, async () => undefined],
  [
    'no cache tree',
    {},
    async ({ git }) => git('rm', '--cached', '-q', 'a-b').then(() => git('reset', '-q')),
  ],
  [
    'an untracked cache',
    {},
    async ({ git }) => {
      await git('update-index', '--force-untracked-cache')
      await git('status')
    },
  ],
  [
    'tables for threads',
    {
      'index.threads': '2',
      'index.recordEndOfIndexEntries': 'true',
      'index.recordOffsetTable': 'true',
    },
    async ({ git }) => git('read-tree', 'HEAD').then(() => git('status')),
  ],
  [
    'no checksum',
    {},
    async repository => {
      const bytes = readFileSync(indexPath(repository))
      bytes.subarray((await formatOf(repository)) === 'sha1' ? -20 : -32).fill(0)
      writeFileSync(indexPath(repository), bytes)
    },
  ],
  [
    'an assumed unchanged entry',
    {},
    async ({ git }) => git('update-index', '--assume-unchanged', 'a'),
  ],
]

describe.each(['sha1', 'sha256'] as const)('%s', objectFormat => {
  test.each(patchable)('%s follows head', async (name, config = {}, prepare) => {
    const repository = await makeRepository(files, { objectFormat, config })
    await prepare(repository)
    expect(await patch(repository, await land(repository, edits))).toBe('patched')
    const isUnhashed = /^0+$/.test(
      readFileSync(indexPath(repository)).subarray(-20).toString('hex'),
    )
    expect(isUnhashed).toBe(name === 'no checksum')
    // Before 2.40 the only git command that asks for a checksum is fsck.
    const expected = isUnhashed ? { ...clean, fsck: expect.any(String) } : clean
    expect(await judge(repository)).toEqual(expected)
  })

  test('a cache tree that named the old head names the new one', async () => {
    const repository = await makeRepository(files, { objectFormat })
    await repository.git('read-tree', 'HEAD')
    await patch(repository, await land(repository, edits))
    const tree = await repository.git('rev-parse', 'HEAD:d')
    expect(extension(repository, 'TREE')?.includes(Buffer.from(tree, 'hex'))).toBe(true)
    expect(await judge(repository)).toEqual(clean)
  })

  test('what was intended to be added is added', async () => {
    const repository = await makeRepository(files, { objectFormat })
    await repository.write('d/new', 'intended\n')
    await repository.git('add', '-N', 'd/new')
    const landed = await land(repository, [...edits, { path: 'd/new', text: 'new\n' }])
    expect(await patch(repository, landed)).toBe('patched')
    expect(await judge(repository)).toEqual(clean)
  })

  const rounds = process.env.EDITLATCH_LONG === undefined ? 15 : 50
  test(`${rounds} rounds of random edits`, async () => {
    const random = seededRandom(20_240_102)
    const names = Array.from({ length: 120 }, (_, at) =>
      randomPath(random.int(0, 4), at, random.pick),
    )
    const repository = await makeRepository(
      Object.fromEntries(names.map(name => [name, `${name}\n`])),
      { objectFormat },
    )
    const cache: IndexCache = new Map()
    for (let round = 0; round < rounds; round += 1) {
      const chosen = new Set(Array.from({ length: random.int(1, 6) }, () => random.pick(names)))
      const landed = await land(
        repository,
        [...chosen].map(path => ({
          path,
          text: random.text(random.int(0, 50)),
          mode: random.pick(['100644', '100644', '100755'] as const),
        })),
      )
      expect(await patch(repository, landed, cache)).toBe('patched')
      expect([round, await judge(repository)]).toEqual([round, clean])
    }
  }, 120_000)
})

describe('what somebody staged stays visible', () => {
  test.each<[string, Prepare]>([
    [
      'beside the file',
      ({ git, write }) => write('d/a-b/c', 'staged\n').then(() => git('add', '.')),
    ],
    ['at the top', ({ git, write }) => write('a', 'staged\n').then(() => git('add', '.'))],
    ['as a new file', ({ git, write }) => write('d/new', 'staged\n').then(() => git('add', '.'))],
    ['as a removal', ({ git }) => git('rm', '-q', 'd/a.b/c')],
  ])('%s, when git has written its tree', async (_, stage) => {
    const repository = await makeRepository(files)
    await stage(repository)
    // Now the cache tree names trees that hold what is staged.
    await repository.git('write-tree')
    const before = await repository.git('diff', '--cached', '--raw', 'HEAD')
    expect(before).not.toBe('')
    const landed = await land(repository, [{ path: 'd/a', text: 'five\n' }])
    expect(await patch(repository, landed)).toBe('patched')
    expect(await repository.git('diff', '--cached', '--raw', 'HEAD')).toBe(before)
    expect(await repository.git('fsck', '--no-dangling')).toBe('')
  })

  test('also where only another directory has staged changes', async () => {
    const repository = await makeRepository(files)
    await repository.write('é/日本', 'staged\n')
    await repository.git('add', '.')
    const landed = await land(repository, [{ path: 'd/a', text: 'five\n' }])
    expect(await patch(repository, landed)).toBe('patched')
    // The node of the top is invalid, the one of `d` is true: both stay.
    expect(extension(repository, 'TREE')).toBeDefined()
    expect((await judge(repository)).staged).toBe('"\\303\\251/\\346\\227\\245\\346\\234\\254"')
  })

  test('where the trees of the commit are not given the cache tree goes', async () => {
    const repository = await makeRepository(files)
    await repository.git('read-tree', 'HEAD')
    const { updates } = await land(repository, edits)
    const trees = { old: new Map(), new: new Map() }
    expect(await patch(repository, { updates, trees })).toBe('patched')
    expect(extension(repository, 'TREE')).toBeUndefined()
    expect(await judge(repository)).toEqual(clean)
  })

  test('new stat data alone change no tree', async () => {
    const repository = await makeRepository(files)
    await repository.git('read-tree', 'HEAD')
    const landed = await land(repository, [{ path: 'd/a', text: '5\n' }])
    const trees = { old: new Map(), new: new Map() }
    expect(await patch(repository, { ...landed, trees })).toBe('patched')
    expect(extension(repository, 'TREE')).toBeDefined()
    // Nothing but `d/a` is known to be clean without a look at the file.
    expect(await repository.git('diff-files', '--name-only', '--', 'd/a')).toBe('')
  })
})

describe('an edit of the same second stays visible', () => {
  // Size, inode and all times of the edited file are those that the index knows.
  const editInTheSameSecond = async (repository: TestRepository): Promise<void> => {
    await repository.git('config', 'core.trustctime', 'false')
    const file = join(repository.path, 'a')
    const moment = 1_700_000_000
    utimesSync(file, moment, moment)
    await repository.git('update-index', '--refresh')
    utimesSync(indexPath(repository), moment, moment)
    writeFileSync(file, '!\n')
    utimesSync(file, moment, moment)
  }

  test('through a patch', async () => {
    const repository = await makeRepository(files)
    await editInTheSameSecond(repository)
    expect(await patch(repository, await land(repository, [{ path: 'd/a', text: 'x' }]))).toBe(
      'patched',
    )
    expect(await repository.git('status', '--porcelain')).toBe('M a')
  })

  test('through a copy on which git works', async () => {
    const repository = await makeRepository(files)
    await editInTheSameSecond(repository)
    const output = `${indexPath(repository)}-private`
    copyIndex(indexPath(repository), output)
    await repository.gitRaw(
      [
        'update-index',
        '--add',
        '--cacheinfo',
        `100644,${await repository.git('rev-parse', 'HEAD:a')},z`,
      ],
      {
        env: { GIT_INDEX_FILE: output },
      },
    )
    adoptIndex(output, indexPath(repository))
    expect(await repository.git('status', '--porcelain', '--', 'a')).toBe('M a')
  })

  test('which a younger index would hide', async () => {
    const repository = await makeRepository(files)
    await editInTheSameSecond(repository)
    utimesSync(indexPath(repository), 1_700_000_100, 1_700_000_100)
    expect(await repository.git('--no-optional-locks', 'status', '--porcelain')).toBe('')
  })

  test.each([1.9, 1_700_000_000, 1_700_000_000.123456, 1_700_000_000.999999, 4_102_444_800.000001])(
    'the time %d is kept and never passed',
    async moment => {
      const repository = await makeRepository(files)
      const path = indexPath(repository)
      utimesSync(path, moment, moment)
      chmodSync(path, 0o640)
      const before = statSync(path, { bigint: true })
      for (let round = 0; round < 20; round += 1) {
        await patchNothing(repository)
        const after = statSync(path, { bigint: true })
        expect(after.mtimeNs).toBeLessThanOrEqual(before.mtimeNs)
        expect(before.mtimeNs - after.mtimeNs).toBeLessThan(50_000n)
        expect(after.mode).toBe(before.mode)
      }
    },
  )
})

describe('git must do it', () => {
  test.each<[string, Prepare]>([
    ['version 4', ({ git }) => git('update-index', '--index-version=4')],
    ['a split index', ({ git }) => git('update-index', '--split-index')],
    ['a sparse index', ({ git }) => git('sparse-checkout', 'set', '--cone', '--sparse-index', 'd')],
    [
      'a file system monitor',
      async ({ git }) => {
        await git('config', 'core.fsmonitor', '/bin/true')
        await git('update-index', '--fsmonitor')
      },
    ],
    ['a file outside the checkout', ({ git }) => git('update-index', '--skip-worktree', 'd/a')],
    ['a file that was unstaged', ({ git }) => git('rm', '-qf', '--cached', 'd/a')],
    [
      'a file that became a link',
      async ({ git, path }) => {
        rmSync(join(path, 'd/a'))
        symlinkSync('b', join(path, 'd/a'))
        await git('add', '.')
      },
    ],
    [
      'a conflict',
      async repository => {
        const oid = await repository.git('rev-parse', 'HEAD:a')
        await repository.gitRaw(['update-index', '-z', '--index-info'], {
          input: `0 ${'0'.repeat(40)}\td/a\0${[1, 2, 3].map(stage => `100644 ${oid} ${stage}\td/a\0`).join('')}`,
        })
      },
    ],
    ['no index', async repository => rmSync(indexPath(repository))],
  ])('for %s', async (_, prepare) => {
    const repository = await makeRepository(files)
    const landed = await land(repository, [{ path: 'd/a', text: 'five\n' }])
    await prepare(repository)
    const before = existsSync(indexPath(repository)) && readFileSync(indexPath(repository))
    expect(await patch(repository, landed)).toBe('fallback')
    expect(existsSync(`${indexPath(repository)}-private`)).toBe(false)
    expect(existsSync(indexPath(repository)) && readFileSync(indexPath(repository))).toEqual(before)
  })

  test.each(['120000', '160000'] as const)('to make a file one of mode %s', async mode => {
    const repository = await makeRepository(files)
    const landed = await land(repository, [{ path: 'd/a', text: 'five\n' }])
    const updates = landed.updates.map(update => ({ ...update, mode }))
    expect(await patch(repository, { ...landed, updates })).toBe('fallback')
  })

  test('for a new file', async () => {
    const repository = await makeRepository(files)
    expect(await patch(repository, await land(repository, [{ path: 'd/z', text: 'z' }]))).toBe(
      'fallback',
    )
  })

  test('where the layout is no longer that of the file', async () => {
    const repository = await makeRepository(files)
    const path = indexPath(repository)
    const layout = readIndex(path)
    const landed = await land(repository, [{ path: 'd/a', text: 'five\n' }])
    await repository.git('rm', '-q', '--cached', 'a')
    const answer = patchIndex({
      path,
      layout,
      output: `${path}-private`,
      format: 'sha1',
      ...landed,
    })
    expect(answer).toBe('fallback')
  })
})

describe('the cache', () => {
  test('knows the new index without a scan', async () => {
    const repository = await makeRepository(files)
    const cache: IndexCache = new Map()
    for (const text of ['one\n', 'two\n', 'one\n']) {
      await patch(repository, await land(repository, [{ path: 'd/a', text }]), cache)
      const known = cache.get(indexPath(repository))
      expect(readIndex(indexPath(repository), cache)).toBe(known)
      expect(withoutBytes(known)).toEqual(readIndex(indexPath(repository)))
      expect(known?.memory?.bytes).toEqual(readFileSync(indexPath(repository)))
      expect(cache.size).toBe(1)
    }
  })

  test('knows it also when the cache tree was dropped', async () => {
    const repository = await makeRepository(files, {
      config: { 'index.threads': '2', 'index.recordEndOfIndexEntries': 'true' },
    })
    await repository.git('read-tree', 'HEAD')
    const cache: IndexCache = new Map()
    const { updates } = await land(repository, edits)
    await patch(repository, { updates, trees: { old: new Map(), new: new Map() } }, cache)
    const known = cache.get(indexPath(repository))
    expect(withoutBytes(known)).toEqual(readIndex(indexPath(repository)))
    expect(known?.memory?.bytes).toEqual(readFileSync(indexPath(repository)))
    expect(extension(repository, 'TREE') ?? extension(repository, 'EOIE')).toBeUndefined()
    expect(await judge(repository)).toEqual(clean)
  })

  test('an assumed unchanged entry is watched again, as after git add', async () => {
    const repository = await makeRepository(files)
    await repository.git('update-index', '--assume-unchanged', 'd/a')
    await patch(repository, await land(repository, [{ path: 'd/a', text: 'five\n' }]))
    expect(findEntry(readIndex(indexPath(repository)), 'd/a')?.assumeValid).toBe(false)
  })
})

test('an index of 60,000 entries is patched again and again', async () => {
  const paths = ['z/last', 'many/of/them/20/middle', 'dir/first']
  const repository = await makeRepository(Object.fromEntries(paths.map(path => [path, 'a\n'])))
  const oid = createHash('sha1').update('blob 2\0a\n').digest('hex')
  const lines = Array.from(
    { length: 60_000 },
    (_, at) => `100644 ${oid}\tmany/of/them/${at % 300}/${at}\0`,
  )
  await repository.gitRaw(['update-index', '-z', '--index-info'], { input: lines.join('') })
  await repository.git('commit', '-q', '-m', 'many')
  const cache: IndexCache = new Map()
  for (const [round, path] of paths.entries()) {
    const landed = await land(repository, [{ path, text: `${round}\n` }])
    expect(await patch(repository, landed, cache)).toBe('patched')
    // Read anew, with its checksum.
    expect(readIndex(indexPath(repository)).offsets.length).toBe(60_004)
    const tree = await repository.git('rev-parse', 'HEAD^{tree}')
    expect([path, await repository.git('write-tree')]).toEqual([path, tree])
  }
})

function withoutBytes(layout: IndexLayout | undefined): unknown {
  return { ...layout, memory: undefined }
}

async function patchNothing(repository: TestRepository): Promise<void> {
  const path = join(repository.path, 'd/a')
  const entry = findEntry(readIndex(indexPath(repository)), 'd/a')
  if (entry === undefined || entry.mode === '040000') throw new Error('d/a is not in the index')
  const update = {
    path: 'd/a',
    oid: entry.oid,
    mode: entry.mode,
    stat: lstatSync(path, { bigint: true }),
  }
  await patch(repository, { updates: [update], trees: { old: new Map(), new: new Map() } })
}

function extension(repository: TestRepository, signature: string): Buffer | undefined {
  const found = readIndex(indexPath(repository)).extensions.find(one => one.signature === signature)
  return found && readFileSync(indexPath(repository)).subarray(found.from, found.to)
}

function randomPath(depth: number, at: number, pick: <T>(list: readonly T[]) => T): string {
  const parts = ['a', 'a-b', 'a.b', 'a0', 'b', 'é', '日', 'Z', '_']
  const directories = Array.from({ length: depth }, () => `${pick(parts)}d`)
  return [...directories, `${pick(parts)}${at}`].join('/')
}
