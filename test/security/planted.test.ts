import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { create, openGateway, refusal } from '../support/gateway.js'
import { digestOf } from './hostile.js'
import { makePlanted, outcomeOf } from './plant.js'

describe('what leads out of the git directory is not followed: the repository is refused', () => {
  test.each([
    'objects/pack',
    'objects/info',
    `objects/${'ab'}`,
    'refs/heads/agent',
    'refs/editlatch',
    'refs/editlatch/base',
    'refs/editlatch/reported',
    'refs/remotes',
    'logs/refs/heads/agent',
    'logs/refs/editlatch/base',
    'worktrees',
    'editlatch',
    'info',
  ])('the directory %s', async name => {
    const planted = await makePlanted()
    const before = digestOf(planted.outside)
    planted.link(name)
    expect(await outcomeOf(planted.repository)).toBe('UNSUPPORTED_REPOSITORY')
    expect(digestOf(planted.outside)).toBe(before)
  })

  test.each([
    'HEAD',
    'packed-refs',
    'refs/heads/other',
    'refs/heads/agent/alice',
    'refs/editlatch/base/alice',
    'logs/HEAD',
    'logs/refs/heads/agent/alice',
    'logs/refs/editlatch/reported/alice',
    'objects/pack/pack-1234.pack',
    'objects/e6/9de29bb2d1d6434b8b29ae775ad8c2e48c5391',
    'editlatch/recovery.lock',
    'worktrees/alice/logs/HEAD',
    'worktrees/alice/index',
    'worktrees/alice/HEAD',
    'worktrees/alice/editlatch',
  ])('the file %s', async name => {
    const planted = await makePlanted()
    const before = digestOf(planted.outside)
    planted.link(name, join(planted.outside, 'secret.txt'))
    expect(await outcomeOf(planted.repository)).toBe('UNSUPPORTED_REPOSITORY')
    expect(digestOf(planted.outside)).toBe(before)
  })
})

describe('what would be waited for for ever is refused at once', () => {
  test.each([
    'HEAD',
    'config',
    'packed-refs',
    'shallow',
    'gc.pid',
    'refs/heads/other',
    'refs/heads/agent/alice',
    'refs/editlatch/base/alice',
    'logs/HEAD',
    'objects/pack/pack-1234.idx',
    // Where a batch of the test writes its own blob.
    `objects/${createHash('sha1').update('blob 2\0n\n').digest('hex').replace(/^../, '$&/')}`,
    'worktrees/alice/HEAD',
    'worktrees/alice/index',
    'worktrees/alice/gitdir',
    'worktrees/alice/info/sparse-checkout',
    'worktrees/alice/editlatch/intent',
  ])('a pipe as %s', async name => {
    const planted = await makePlanted()
    planted.fifo(name)
    expect(await outcomeOf(planted.repository)).toBe('UNSUPPORTED_REPOSITORY')
  })

  test.each(['info/exclude', 'info/attributes'])('a pipe as %s counts as none', async name => {
    const planted = await makePlanted()
    planted.fifo(name)
    expect(await outcomeOf(planted.repository)).toBe('done')
  })

  test('a pipe in the place of a file that comes and goes is passed over', async () => {
    const planted = await makePlanted()
    const { open } = await openGateway(planted.repository)
    const worktree = await open('alice')
    const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
    planted.fifo('gc.pid')
    await worktree.replace('a.txt', 'a', 'A')
    expect(spawnSync('mkfifo', [join(gitDir, 'editlatch', 'intent')]).status).toBe(0)
    expect(await worktree.text('a.txt')).toBe('A\n')
    await worktree.replace('a.txt', 'A', 'AA')
    rmSync(join(gitDir, 'HEAD'))
    expect(spawnSync('mkfifo', [join(gitDir, 'HEAD')]).status).toBe(0)
    expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject({ code: 'HEAD_MOVED' })
  })
})

describe('many and damaged refs', () => {
  test('a large packed-refs slows nothing down so much that it fails', async () => {
    const planted = await makePlanted()
    const head = await planted.repository.git('rev-parse', 'HEAD')
    const lines = Array.from(
      { length: 150_000 },
      (_, number) => `${head} refs/tags/t${String(number).padStart(6, '0')}`,
    )
    planted.put(
      'packed-refs',
      `# pack-refs with: peeled fully-peeled sorted \n${lines.join('\n')}\n`,
    )
    expect(await outcomeOf(planted.repository)).toBe('done')
  })

  test.each([
    ['packed-refs', 'what is this\n'],
    ['packed-refs', `${'0'.repeat(40)} refs/heads/x`],
    ['refs/heads/agent/alice', 'nonsense\n'],
    ['refs/editlatch/base/alice', 'nonsense\n'],
    ['refs/editlatch/base/alice', `${'1'.repeat(40)}\n`],
    ['refs/heads/agent/alice', 'ref: refs/heads/main\n'],
    ['refs/editlatch/base/alice', 'ref: refs/heads/agent/alice\n'],
    ['HEAD', 'nonsense\n'],
    ['HEAD', 'ref: ../../../outside\n'],
    ['index', 'nonsense\n'],
    ['config', '[core\n'],
    ['shallow', 'nonsense\n'],
    ['commondir', '/somewhere/else\n'],
    ['worktrees/alice', 'a file\n'],
    ['objects/info/commit-graph', 'nonsense'],
    ['objects/pack/multi-pack-index', 'nonsense'],
  ])('%s that holds %j never makes it fail by itself', async (name, text) => {
    const planted = await makePlanted()
    planted.put(name, text)
    // Done, or refused with a code: anything else is thrown here.
    expect(await outcomeOf(planted.repository)).toMatch(/^(?:done|[A-Z_]+)$/)
  })

  test('a sparse file of gigabytes in the place of a small one is not read', async () => {
    for (const name of ['HEAD', 'gc.pid', 'info/exclude', 'refs/heads/agent/alice']) {
      const planted = await makePlanted()
      planted.put(name, '')
      truncateSync(planted.at(name), 8 * 1024 ** 3)
      expect(await outcomeOf(planted.repository)).toMatch(/^(?:done|[A-Z_]+)$/)
    }
  })
})
