import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { VerifyAnswer } from '#src/gateway/telling/answers.js'
import { verifyBranch } from '#src/gateway/verify-branch.js'
import { create, openGateway, type TestWorktree } from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'

const files = { 'a.txt': 'a\n', 'b/b.txt': 'b\n', 'b/c/d.txt': 'd\n', link: { symlink: 'a.txt' } }
const isomorphic = { objects: 'isomorphic-git', trailers: 'isomorphic-git', index: 'git' }

/** A worktree after every kind of work. */
async function workDone(
  options: Parameters<typeof makeRepository>[1] = {},
): Promise<{ readonly repository: TestRepository; readonly worktree: TestWorktree }> {
  const repository = await makeRepository(files, options)
  const worktree = await (await openGateway(repository, { secondReader: false })).open('x')
  const { apply, rev, replace, write } = worktree
  await replace('a.txt', 'a', 'A')
  await apply([create('n/ä n.txt', 'n\n'), create('two.txt', '2\n')])
  await apply([
    { op: 'move_file', path: 'n/ä n.txt', to: 'moved.txt', expected_rev: await rev('n/ä n.txt') },
    { op: 'append_lines', path: 'moved.txt', text: 'more' },
    { op: 'set_mode', path: 'a.txt', executable: true, expected_rev: await rev('a.txt') },
    { op: 'delete_file', path: 'two.txt', expected_rev: await rev('two.txt') },
  ])
  await write('b/b.txt', 'by hand\n')
  await replace('b/b.txt', 'hand', 'hand and agent')
  await worktree.worktree.revert(await worktree.git('rev-parse', 'HEAD'))
  await write('mine.txt', 'mine\n')
  await worktree.commit('mine')
  return { repository, worktree }
}

const verified = (worktree: TestWorktree): Promise<VerifyAnswer> =>
  verifyBranch(worktree.worktree, {})

const objectPath = ({ path }: TestRepository, oid: string): string =>
  join(path, '.git/objects', oid.slice(0, 2), oid.slice(2))

/** Puts other bytes under the name of an object. */
async function replaceObject(repository: TestRepository, oid: string, bytes: Uint8Array | string) {
  const path = objectPath(repository, oid)
  if (existsSync(path)) await chmod(path, 0o644)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
}

describe('a sound branch', () => {
  test('is read by isomorphic-git, all of it', async () => {
    const { worktree } = await workDone()
    const { id, head, ...told } = await verified(worktree)
    expect([id, head]).toEqual([worktree.id, await worktree.git('rev-parse', 'HEAD')])
    expect(told).toEqual({
      ok: true,
      checked: { commits: 7, trees: 11, blobs: 7, trailers: 10 },
      checker: isomorphic,
      problems: [],
      staged: 0,
      large_blobs: 0,
      complete: true,
    })
  })

  test('packed as well as loose', async () => {
    const { repository, worktree } = await workDone()
    await repository.git('gc', '--quiet')
    await worktree.replace('a.txt', 'A', 'AA')
    expect(await verified(worktree)).toMatchObject({ ok: true, checked: { commits: 8 } })
  })

  test('in a sha256 repository by git', async () => {
    const { worktree } = await workDone({ objectFormat: 'sha256' })
    expect(await verified(worktree)).toMatchObject({
      ok: true,
      checked: { commits: 7, blobs: 7 },
      checker: { objects: 'git', why: 'isomorphic-git does not read sha256 repositories' },
    })
  })

  test('with large packs by git', async () => {
    const { repository, worktree } = await workDone()
    const noise = Buffer.alloc(34 * 1024 * 1024)
    for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE((at * 2654435761) >>> 0, at)
    await repository.gitRaw(['-c', 'core.bigFileThreshold=1m', 'hash-object', '-w', '--stdin'], {
      input: noise,
    })
    const packs = join(repository.path, '.git/objects/pack')
    await mkdir(packs, { recursive: true })
    await writeFile(join(packs, 'large.pack'), noise)
    expect(await verified(worktree)).toMatchObject({
      ok: true,
      checker: { objects: 'git', why: expect.stringContaining('too large') },
    })
  })

  test('with nothing on it', async () => {
    const worktree = await (
      await openGateway(await makeRepository(files), {
        secondReader: false,
      })
    ).open('x')
    expect(await verified(worktree)).toMatchObject({ ok: true, checked: { commits: 0 } })
  })

  test('with merges, submodules, old modes and odd people', async () => {
    const { repository, worktree } = await workDone()
    await repository.write('other.txt', 'other\n')
    await repository.commit('other')
    await worktree.git('merge', '--quiet', '--no-edit', 'main')
    const tree = await worktree.git('rev-parse', 'HEAD^{tree}')
    const listing = await worktree.git('ls-tree', tree)
    const oid = await worktree.git('rev-parse', 'HEAD')
    const entries = `${listing.replace(/100644 (blob \w+\tmine)/, '100664 $1')}\n160000 commit ${oid}\tsub\n`
    const odd = new TextDecoder()
      .decode(await worktree.gitRaw(['mktree'], { input: entries }))
      .trim()
    const text = `tree ${odd}\nparent ${oid}\nauthor <> 1 +0000\ncommitter No Mail <> 1 +0000\n\nodd\r\n\r\n`
    const made = await worktree.gitRaw(
      ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
      {
        input: text,
      },
    )
    await worktree.git('reset', '--quiet', '--hard', new TextDecoder().decode(made).trim())
    const told = await verified(worktree)
    expect(told.problems).toEqual([])
    expect(told.checker.parsed_by_git).toBeGreaterThan(0)
    expect(told.checked.commits).toBe(9)
  })

  test('what a person has staged is no problem', async () => {
    const { worktree } = await workDone()
    await worktree.write('a.txt', 'staged\n')
    await worktree.git('add', 'a.txt')
    expect(await verified(worktree)).toMatchObject({ ok: true, staged: 1 })
  })

  test('goes on where the answer before ended', async () => {
    const { worktree } = await workDone()
    const before = await worktree.git('rev-parse', 'HEAD~2')
    const told = await verifyBranch(worktree.worktree, { before })
    expect(told).toMatchObject({ ok: true, checked: { commits: 4 }, complete: true })
  })
})

describe('is told', () => {
  test('a blob with other bytes', async () => {
    const { repository, worktree } = await workDone()
    const blob = await worktree.git('rev-parse', 'HEAD:a.txt')
    await replaceObject(repository, blob, deflateSync('blob 2\0b\n'))
    const { ok, problems } = await verified(worktree)
    expect({ ok, problems }).toEqual({
      ok: false,
      problems: [
        expect.objectContaining({
          what: 'blob',
          path: 'a.txt',
          expected: blob,
          actual: '61780798228d17af2d34fce4cfbdf35556832472',
        }),
        expect.objectContaining({ what: 'blob', path: 'a.txt', expected: blob }),
      ],
    })
  })

  test.each([
    ['a blob that is gone', 'HEAD:b/b.txt', 'blob'],
    ['a tree that is gone', 'HEAD~1:b', 'tree'],
  ])('%s', async (_, name, what) => {
    const { repository, worktree } = await workDone()
    const oid = await worktree.git('rev-parse', name)
    await rm(objectPath(repository, oid))
    const { ok, problems } = await verified(worktree)
    expect(ok).toBe(false)
    expect(problems).toContainEqual(expect.objectContaining({ what, expected: oid, actual: null }))
  })

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 20)],
    ['with another entry', () => deflateSync('tree 0\0')],
    ['empty', () => Buffer.alloc(0)],
  ])('a tree %s', async (_, damage) => {
    const { repository, worktree } = await workDone()
    const oid = await worktree.git('rev-parse', 'HEAD^{tree}')
    const raw = deflateSync(Buffer.from('tree 200\0 and so on'))
    await replaceObject(repository, oid, damage(raw))
    const { ok, problems } = await verified(worktree)
    expect(ok).toBe(false)
    expect(problems).toContainEqual(expect.objectContaining({ what: 'tree', expected: oid }))
  })

  test('a loose object that isomorphic-git reads and git does not see behind a pack', async () => {
    const { repository, worktree } = await workDone()
    const blob = await worktree.git('rev-parse', 'HEAD:a.txt')
    await repository.git('repack', '-a', '-d', '--quiet')
    await replaceObject(repository, blob, deflateSync('blob 2\0b\n'))
    const { problems } = await verified(worktree)
    expect(problems).toContainEqual(expect.objectContaining({ what: 'blob', expected: blob }))
  })

  test('a small object that inflates without end, and one that is no file', async () => {
    const { repository, worktree } = await workDone()
    const [a, b] = [
      await worktree.git('rev-parse', 'HEAD:a.txt'),
      await worktree.git('rev-parse', 'HEAD:b/b.txt'),
    ]
    await repository.git('repack', '-a', '-d', '--quiet')
    await replaceObject(repository, a, deflateSync(Buffer.alloc(64 * 1024 * 1024)))
    await mkdir(objectPath(repository, b), { recursive: true })
    const { problems } = await verified(worktree)
    expect(new Set(problems.map(({ expected }) => expected))).toEqual(new Set([a, b]))
  })

  test.each([
    [
      'another revision before',
      (_b: string, a: string) => `a.txt ${a}..${a} replace_text exact L1-1`,
    ],
    ['another revision after', (b: string) => `a.txt ${b}..${b} replace_text exact L1-1`],
    ['a deletion that was none', (b: string) => `a.txt ${b}..deleted delete_file -`],
    ['a file that did not change', (b: string, a: string) => `link ${b}..${a} replace_text exact`],
    ['no change where there is one', () => 'a.txt - replace_text exact'],
    ['nonsense', () => 'what is this'],
  ])('a trailer that lies: %s', async (_, value) => {
    const { worktree } = await workDone()
    const before = await worktree.git('rev-parse', 'HEAD:a.txt')
    await worktree.write('a.txt', 'a new one\n')
    const after = await worktree.git('hash-object', 'a.txt')
    const commit = await worktree.commit(
      `Lie\n\nEditlatch-Batch: 0123456789abcdef\nEditlatch-Agent: x\nEditlatch-Edit: ${value(before, after)}`,
    )
    const { problems } = await verified(worktree)
    expect(problems).toEqual([
      expect.objectContaining({ commit, what: 'trailer', actual: value(before, after) }),
    ])
  })

  test('an index that would take the last batch back', async () => {
    const { worktree } = await workDone()
    const index = await worktree.git('rev-parse', '--path-format=absolute', '--git-path', 'index')
    await copyFile(index, `${index}.old`)
    const old = await worktree.git('rev-parse', 'HEAD:a.txt')
    await worktree.replace('a.txt', 'A', 'AA')
    await copyFile(`${index}.old`, index)
    const { problems, staged } = await verified(worktree)
    expect([staged, problems]).toEqual([
      0,
      [
        {
          commit: await worktree.git('rev-parse', 'HEAD'),
          what: 'index',
          path: 'a.txt',
          expected: await worktree.git('rev-parse', 'HEAD:a.txt'),
          actual: old,
        },
      ],
    ])
  })

  test('a missing object in a repository that only git reads', async () => {
    const { repository, worktree } = await workDone({ objectFormat: 'sha256' })
    await rm(objectPath(repository, await worktree.git('rev-parse', 'HEAD:b/b.txt')))
    const { problems } = await verified(worktree)
    expect(new Set(problems.map(({ what }) => what))).toEqual(new Set(['blob', 'connectivity']))
  })
})

describe('a long branch', () => {
  let worktree: TestWorktree
  beforeAll(async () => {
    const repository = await makeRepository(files)
    worktree = await (await openGateway(repository, { secondReader: false })).open('x')
    for (let n = 0; n < 100; n += 1) await worktree.apply([create(`d${n % 7}/f${n}.txt`, `${n}\n`)])
  })

  test('leaves the event loop free', async () => {
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    const started = performance.now()
    const { ok, checked } = await verified(worktree)
    clearInterval(timer)
    console.log(`100 commits in ${performance.now() - started} ms, longest pause ${longest} ms`)
    expect([ok, checked.commits, checked.blobs]).toEqual([true, 100, 100])
  })
})
