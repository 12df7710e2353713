import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultAsRefusal } from '#src/gateway/faults.js'
import { create, expectClean, openGateway, refusal } from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'
import { digestOf, makePlace } from './hostile.js'

const files = { 'a.txt': 'a\n', 'b.txt': 'b\n' }

/** A repository, a place outside of it with a secret, and how to plant something. */
async function makePlanted() {
  const repository = await makeRepository(files)
  const outside = makePlace('outside')
  writeFileSync(join(outside, 'secret.txt'), 'secret\n')
  const at = (name: string): string => join(repository.path, '.git', name)
  const room = (name: string): string => {
    rmSync(at(name), { recursive: true, force: true })
    mkdirSync(dirname(at(name)), { recursive: true })
    return at(name)
  }
  return {
    repository,
    outside,
    at,
    link: (name: string, target = outside) => symlinkSync(target, room(name)),
    fifo: (name: string) => expect(spawnSync('mkfifo', [room(name)]).status).toBe(0),
    put: (name: string, text: string | Uint8Array) => writeFileSync(room(name), text),
  }
}

/** Opens the repository and an agent's worktree and edits in it; answers the code of the first refusal, or `done`. */
async function outcomeOf(repository: TestRepository): Promise<string> {
  try {
    const { open, close } = await openGateway(repository, { secondReader: false })
    try {
      const worktree = await open('alice')
      await worktree.replace('a.txt', 'a', 'A')
      await worktree.apply([create('n.txt', 'n\n')])
      await worktree.worktree.snapshot()
      await worktree.worktree.state()
      await worktree.worktree.unreported({ mark: true })
      return 'done'
    } finally {
      await close()
    }
  } catch (error) {
    const told = await refusal(Promise.reject(faultAsRefusal(error)))
    return String(told.code)
  }
}

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

describe('a registration that points elsewhere', () => {
  /** Plants the worktree of an agent that never was one, lying in somebody else's checkout. */
  async function plantRegistration(path: (outside: string, repository: string) => string) {
    const planted = await makePlanted()
    const { repository, put, outside } = planted
    const somebodys = await makeRepository({ 'private.txt': 'private\n', 'a.txt': 'theirs\n' })
    await repository.git('branch', 'agent/alice')
    for (const kind of ['base', 'reported']) {
      await repository.git('update-ref', `refs/editlatch/${kind}/alice`, 'HEAD')
    }
    put('worktrees/alice/HEAD', 'ref: refs/heads/agent/alice\n')
    put('worktrees/alice/commondir', '../..\n')
    put('worktrees/alice/gitdir', `${path(somebodys.path, repository.path)}\n`)
    return { ...planted, outside, somebodys }
  }

  test.each<[string, (theirs: string, repository: string) => string]>([
    ["somebody else's checkout", theirs => `${theirs}/.git`],
    [
      'the same by a relative path',
      (theirs, own) => `../../../${join('..', theirs.slice(dirname(own).length + 1))}/.git`,
    ],
    ['the main checkout', (_, own) => `${own}/.git`],
    ['the root', () => '/.git'],
    ['nothing', () => ''],
  ])('is not one: %s', async (_, path) => {
    const { repository, somebodys } = await plantRegistration(path)
    const before = [digestOf(somebodys.path), digestOf(join(repository.path, 'a.txt'))]
    const { gateway } = await openGateway(repository, { secondReader: false })
    const gone = { code: 'WORKTREE_GONE' }
    expect(await refusal(gateway.openWorktree({ agent: 'alice' }))).toMatchObject(gone)
    expect(await refusal(gateway.worktree('alice'))).toMatchObject(gone)
    expect(await gateway.worktrees()).toEqual([])
    await gateway.closeWorktree('alice', { force: true }).catch(() => undefined)
    expect([digestOf(somebodys.path), digestOf(join(repository.path, 'a.txt'))]).toEqual(before)
  })

  test('a worktree that was moved and repaired is found', async () => {
    const repository = await makeRepository(files)
    const { open, gateway } = await openGateway(repository)
    const { path, git } = await open('alice')
    await gateway.close()
    const moved = join(makePlace('moved'), 'here')
    await git('worktree', 'unlock', path)
    await git('worktree', 'move', path, moved)
    const again = await openGateway(repository)
    // Another directory of worktrees, so that only the registration can tell.
    expect((await again.open('alice')).path).toBe(moved)
  })
})

test('the checkout of a directory that only says it belongs to a repository is not served', async () => {
  const theirs = await makeRepository({ 'private.txt': 'private\n' })
  const linked = join(makePlace('linked'), 'w')
  await theirs.git('worktree', 'add', '--quiet', linked)
  const own = join(theirs.path, '.git')
  const hostile = makePlace('borrower')
  for (const gitDir of [own, join(own, 'worktrees', 'w')]) {
    writeFileSync(join(hostile, '.git'), `gitdir: ${gitDir}\n`)
    expect(await outcomeOf({ path: hostile } as TestRepository)).toBe('UNSUPPORTED_REPOSITORY')
  }
  // Its own files are edited under other names, so the first edit finds none.
  expect(await outcomeOf({ path: linked } as TestRepository)).toBe('FILE_NOT_FOUND')
})

test('a git directory that lies apart, as of a submodule, is served for its own checkout only', async () => {
  const source = await makeRepository(files)
  const above = await makeRepository({ 'top.txt': 't\n' })
  await above.git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    'add',
    '--quiet',
    source.path,
    'sub',
  )
  const sub = join(above.path, 'sub')
  expect(await outcomeOf({ path: sub } as TestRepository)).toBe('done')
  const hostile = makePlace('borrower')
  writeFileSync(join(hostile, '.git'), `gitdir: ${join(above.path, '.git/modules/sub')}\n`)
  expect(await outcomeOf({ path: hostile } as TestRepository)).toBe('UNSUPPORTED_REPOSITORY')
  const bare = join(makePlace('bare'), 'x.git')
  await source.git('clone', '--quiet', '--bare', '.', bare)
  writeFileSync(join(hostile, '.git'), `gitdir: ${bare}\n`)
  expect(await outcomeOf({ path: hostile } as TestRepository)).toBe('UNSUPPORTED_REPOSITORY')
  const apart = join(makePlace('apart'), 'git')
  const checkout = join(makePlace('checkout'), 'w')
  await source.git('clone', '--quiet', '--separate-git-dir', apart, '.', checkout)
  expect(await outcomeOf({ path: checkout } as TestRepository)).toBe('done')
})

describe('an intent that no batch of ours wrote', () => {
  const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

  async function plantIntent(
    make: (oids: { head: string; old: string; a: string; b: string }) => unknown,
  ) {
    const repository = await makeRepository(files)
    const { open } = await openGateway(repository)
    const worktree = await open('alice')
    const old = worktree.opened.head
    await worktree.replace('b.txt', 'b', 'B')
    const head = await worktree.git('rev-parse', 'HEAD')
    const [a, b] = [await worktree.rev('a.txt'), await worktree.rev('b.txt')]
    const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
    const text = JSON.stringify(make({ head, old, a, b }))
    writeFileSync(join(gitDir, 'editlatch', 'intent'), text)
    return worktree
  }

  const entry = (path: string, disk: string | null, after: string | null) => ({
    path,
    disk: disk === null ? null : sha(disk),
    after: after === null ? null : { oid: after, mode: '100644' },
  })

  test.each<[string, (oids: { b: string }) => unknown]>([
    ["the blob of another file over a file that holds head's", ({ b }) => entry('a.txt', 'a\n', b)],
    ['a file that head does not have', ({ b }) => entry('CLAUDE.md', null, b)],
    ['the end of a file that head has', () => entry('a.txt', 'a\n', null)],
  ])('writes nothing: %s', async (_, make) => {
    const worktree = await plantIntent(({ head, old, b }) => ({
      ref: 'refs/heads/agent/alice',
      old,
      new: head,
      paths: [make({ b })],
    }))
    const before = digestOf(worktree.path)
    const place = dirname(worktree.path)
    expect(await refusal(worktree.text('a.txt'))).toMatchObject({ code: 'DIVERGED' })
    expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject({ code: 'DIVERGED' })
    expect(digestOf(worktree.path)).toBe(before)
    expect(existsSync(join(place, 'escaped.txt'))).toBe(false)
    const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
    rmSync(join(gitDir, 'editlatch', 'intent'))
    await worktree.apply([create('n', 'n')])
    await expectClean(worktree)
  })

  test.each<[string, (oids: { b: string }) => unknown]>([
    ['a path above the worktree', ({ b }) => entry('../escaped.txt', null, b)],
    ['an absolute path', ({ b }) => entry('/tmp/escaped.txt', null, b)],
    ["git's own directory", ({ b }) => entry('.git/config', null, b)],
    ['no path at all', () => ({ disk: null, after: null })],
  ])('counts as none: %s', async (_, make) => {
    const worktree = await plantIntent(({ head, old, b }) => ({
      ref: 'refs/heads/agent/alice',
      old,
      new: head,
      paths: [make({ b })],
    }))
    const before = digestOf(worktree.path)
    expect(await worktree.text('a.txt')).toBe('a\n')
    expect(digestOf(worktree.path)).toBe(before)
    await worktree.apply([create('n', 'n')])
    await expectClean(worktree)
    expect(existsSync(join(dirname(worktree.path), 'escaped.txt'))).toBe(false)
  })

  test('an honest one is finished all the same', async () => {
    const worktree = await plantIntent(({ head, old, b }) => ({
      ref: 'refs/heads/agent/alice',
      old,
      new: head,
      paths: [entry('b.txt', 'b\n', b)],
    }))
    await worktree.write('b.txt', 'b\n')
    expect(await worktree.text('b.txt')).toBe('B\n')
    await expectClean(worktree)
  })
})

describe('locks and records that nobody of us left', () => {
  test.each<[string, string]>([
    ['index.lock', 'LOCKED'],
    ['HEAD.lock', 'LOCKED'],
  ])('%s stays, and the batch waits in vain', async (name, code) => {
    const repository = await makeRepository(files)
    const { open } = await openGateway(repository)
    const worktree = await open('alice')
    const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
    writeFileSync(join(gitDir, name), 'planted')
    expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject({ code })
    expect(readFileSync(join(gitDir, name), 'utf8')).toBe('planted')
    rmSync(join(gitDir, name))
    await worktree.apply([create('n', 'n')])
  })

  test('a record that names anything but a process of ours frees no lock', async () => {
    const repository = await makeRepository(files)
    const { open } = await openGateway(repository)
    const worktree = await open('alice')
    const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
    const record = {
      pid: 1,
      start: '',
      boot: '',
      machine: '',
      namespace: '',
      nonce: '0'.repeat(16),
    }
    for (const text of [JSON.stringify(record), '{', 'x'.repeat(5_000), '\0']) {
      writeFileSync(join(gitDir, 'editlatch', `owner-1-${'0'.repeat(16)}`), text)
      writeFileSync(join(gitDir, 'index.lock'), 'of git')
      expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject({ code: 'LOCKED' })
      expect(readFileSync(join(gitDir, 'index.lock'), 'utf8')).toBe('of git')
      rmSync(join(gitDir, 'index.lock'))
    }
    await worktree.apply([create('n', 'n')])
  }, 60_000)
})

describe('objects that are not what their id says', () => {
  test('are not served', async () => {
    const planted = await makePlanted()
    const oid = await planted.repository.git('rev-parse', 'HEAD:b.txt')
    const other = await planted.repository.git('rev-parse', 'HEAD:a.txt')
    const place = (name: string): string => planted.at(`objects/${name.replace(/^../, '$&/')}`)
    const { open } = await openGateway(planted.repository, { secondReader: false })
    const worktree = await open('alice')
    const lie = readFileSync(place(other))
    rmSync(place(oid))
    writeFileSync(place(oid), lie)
    rmSync(join(worktree.path, 'b.txt'))
    await worktree.git('update-index', '--skip-worktree', 'b.txt')
    expect(await refusal(worktree.text('b.txt'))).toMatchObject({ code: 'OBJECT_MISSING' })
    expect(await worktree.text('a.txt')).toBe('a\n')
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

test('a directory of worktrees that somebody else has prepared is not used', async () => {
  const repository = await makeRepository(files)
  const outside = makePlace('outside')
  symlinkSync(outside, `${repository.path}.worktrees`)
  const { gateway } = await openGateway(repository, { worktreesDir: undefined as never })
  expect(await refusal(gateway.openWorktree({ agent: 'alice' }))).toMatchObject({ code: 'SYMLINK' })
  expect(digestOf(outside)).toBe(digestOf(makePlace('empty')))
  rmSync(`${repository.path}.worktrees`)
})

test('a git that lies in the worktree is never the git that is run', async () => {
  const repository = await makeRepository({
    git: { text: '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n', mode: '755' },
    'a.txt': 'a\n',
  })
  const host = { ...process.env, PATH: `.::${process.env.PATH}` }
  const { open } = await openGateway(repository, { host, secondReader: false })
  const worktree = await open('alice')
  await worktree.replace('a.txt', 'a', 'A')
  await worktree.worktree.state()
  expect([
    existsSync(join(worktree.path, 'ran')),
    existsSync(join(repository.path, 'ran')),
  ]).toEqual([false, false])
})
