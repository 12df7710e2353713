import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { defaultLimits, fixedLimits } from '#src/core/limits.js'
import { readMaintenanceRecord } from '#src/gateway/repository/maintenance-record.js'
import { isCollecting } from '#src/io/git/garbage-collection.js'
import { create, expectClean, openGateway, type TestGateway } from '../../support/gateway.js'
import { fillWithLoose, missingOf, packFiles, recordSaying } from '../../support/loose-objects.js'
import { seededRandom } from '../../support/random.js'
import {
  makeRepository,
  type RepositoryOptions,
  type TestRepository,
} from '../../support/repository.js'

const files = { 'a.txt': 'a\n', 'd/b.txt': 'b\n' }
const limits = { ...defaultLimits, looseObjects: 500 }
const many = 60
const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
console.log(`seed ${seed}`)

interface Full {
  readonly repository: TestRepository
  readonly oids: readonly string[]
}

/** A repository with so many loose objects that the next gateway packs it. */
async function makeFull(options: RepositoryOptions = {}): Promise<Full> {
  const { objectFormat: format = 'sha1' } = options
  const repository = await makeRepository(files, options)
  return { repository, oids: await fillWithLoose(repository, random, { count: many, format }) }
}

/** A repository whose packing takes a second or more. */
async function makeSlow(): Promise<Full> {
  const full = await makeFull()
  const large = await fillWithLoose(full.repository, random, { count: 5, bytes: 1_500_000 })
  return { ...full, oids: [...full.oids, ...large] }
}

async function looseCount({ git }: TestRepository): Promise<number> {
  return Number((await git('count-objects')).split(' ')[0])
}

async function faultsOf(repository: TestRepository): Promise<TestGateway & { faults: unknown[] }> {
  const faults: unknown[] = []
  return {
    ...(await openGateway(repository, { limits, onFault: error => faults.push(error) })),
    faults,
  }
}

describe('many loose objects', () => {
  test.each<[string, RepositoryOptions]>([
    ['of sha1', {}],
    ['of sha256', { objectFormat: 'sha256' }],
    [
      'where the settings of the repository say otherwise',
      {
        config: {
          'repack.packKeptObjects': 'true',
          'repack.writeBitmaps': 'true',
          'pack.packSizeLimit': '1m',
          'pack.threads': 'many',
          'gc.reflogExpire': 'now',
          'gc.pruneExpire': 'now',
        },
      },
    ],
  ])('%s become one pack, unreachable ones too', async (_, options) => {
    const { repository, oids } = await makeFull(options)
    const { open, close } = await openGateway(repository, { limits })
    const { loose } = await recordSaying(repository, 'done')
    expect(loose).toBe(0)
    expect(await missingOf(repository, oids)).toEqual([])
    expect(packFiles(repository)).toEqual(['pack-*.idx', 'pack-*.pack'])
    const worktree = await open('x')
    await worktree.replace('a.txt', 'a', 'A')
    await expectClean(worktree)
    await close()
    expect(existsSync(join(repository.path, '.git/gc.pid'))).toBe(false)
    expect(readdirSync(join(repository.path, '.git/editlatch')).filter(isLeft)).toEqual([])
  })

  const isLeft = (name: string): boolean => !['maintenance', 'recovery.lock'].includes(name)

  test('are packed by the gateway that wrote them, again and again', async () => {
    const repository = await makeRepository(files)
    const { open } = await openGateway(repository, { limits, secondReader: false })
    const worktree = await open('x')
    let written = 0
    while (readMaintenanceRecord(join(repository.path, '.git'))?.state !== 'done') {
      const text = random.text(20)
      const edits = Array.from({ length: 100 }, (_, index) =>
        create(`n/${written}-${index}`, text + index),
      )
      await worktree.apply(edits)
      written += edits.length
    }
    console.log(`packed after ${written} files were created`)
    expect(written).toBeLessThan(3 * limits.looseObjects)
    await worktree.replace('a.txt', 'a', 'A')
    await expectClean(worktree)
  })

  test('of a person are seen, while none are packed that are few', async () => {
    const repository = await makeRepository(files)
    const { open } = await openGateway(repository, { limits })
    const worktree = await open('x')
    await fillWithLoose(repository, random, { count: many })
    expect(readMaintenanceRecord(join(repository.path, '.git'))).toBeUndefined()
    for (let index = 0; index < limits.looseObjects / 20 / 3 + 1; index += 1) {
      await worktree.apply([create(`n${index}`, `${index}\n`)])
    }
    await recordSaying(repository, 'done')
    expect(await looseCount(repository)).toBeLessThan(many)
    await expectClean(worktree)
  })
})

describe('what stays as it is', () => {
  test('packs that are kept, cruft packs, reflogs, stashes, the index, and the history of a shallow clone', async () => {
    const source = await makeRepository(files)
    for (const text of ['1', '2', '3']) {
      await source.write('a.txt', `${text}\n`)
      await source.commit(text)
    }
    const repository = await makeRepository({})
    await repository.git('fetch', '--quiet', '--depth=2', `file://${source.path}`, 'main')
    await repository.git('reset', '--quiet', '--hard', 'FETCH_HEAD')
    const lost = await fillWithLoose(repository, random, { count: 3 })
    await repository.git('repack', '--cruft', '-d', '-q')
    const [pack = ''] = readdirSync(join(repository.path, '.git/objects/pack')).filter(name =>
      name.endsWith('.pack'),
    )
    writeFileSync(join(repository.path, '.git/objects/pack', pack.replace('.pack', '.keep')), '')
    await repository.write('a.txt', 'stashed\n')
    await repository.git('stash')
    await repository.write('d/b.txt', 'staged\n')
    await repository.git('add', '.')
    const oids = await fillWithLoose(repository, random, { count: many })
    const look = async (): Promise<unknown> => ({
      shallow: readFileSync(join(repository.path, '.git/shallow'), 'utf8'),
      reflog: await repository.git('reflog', '--all'),
      stash: await repository.git('stash', 'show', '-p'),
      staged: await repository.git('diff', '--cached'),
      log: await repository.git('log', '--format=%H'),
    })
    const before = await look()
    const packs = packFiles(repository)
    const { close } = await openGateway(repository, { limits })
    await recordSaying(repository, 'done')
    await close()
    expect(await look()).toEqual(before)
    expect(packFiles(repository)).toEqual([...packs, 'pack-*.idx', 'pack-*.pack'].sort())
    expect(packs.filter(name => /keep|mtimes/.test(name))).toEqual(['pack-*.keep', 'pack-*.mtimes'])
    expect(await missingOf(repository, [...oids, ...lost])).toEqual([])
    expect(await repository.git('fsck', '--no-dangling')).toBe('')
  })

  test.each<[string, (repository: TestRepository) => unknown, object, RegExp]>([
    [
      'a partial clone, by its settings',
      ({ git }) => git('config', 'remote.origin.promisor', 'true'),
      {},
      /partial/,
    ],
    [
      'a partial clone, by its packs',
      async ({ git, path }) => {
        await git('repack', '-a', '-d', '-q')
        const packs = join(path, '.git/objects/pack')
        const [pack = ''] = readdirSync(packs).filter(name => name.endsWith('.pack'))
        writeFileSync(join(packs, pack.replace('.pack', '.promisor')), '')
      },
      {},
      /partial/,
    ],
    ['where it is switched off', () => undefined, { maintenance: false }, /switched off/],
    [
      'beside a git gc',
      ({ path }) => writeFileSync(join(path, '.git/gc.pid'), `${process.pid} ${hostname()}`),
      {},
      /never packed/,
    ],
  ])('%s', async (_, prepare, options, told) => {
    const { repository } = await makeFull()
    await prepare(repository)
    const { gateway, open, close } = await openGateway(repository, { limits, ...options })
    const { checks } = await gateway.examine()
    const worktree = await open('x')
    await worktree.replace('a.txt', 'a', 'A')
    await expectClean(worktree)
    await close()
    expect(readMaintenanceRecord(join(repository.path, '.git'))).toBeUndefined()
    expect(await looseCount(repository)).toBeGreaterThanOrEqual(many)
    const check = checks.find(({ name }) => name === 'maintenance')
    expect(check).toMatchObject({ status: 'ok', detail: expect.stringMatching(told) })
  })
})

describe('while it is packed', () => {
  test('batches go on and lose nothing', async () => {
    const repository = await makeRepository(files)
    const { open } = await openGateway(repository, { limits, secondReader: false })
    const state = (): string | undefined =>
      readMaintenanceRecord(join(repository.path, '.git'))?.state
    const agents = await Promise.all(['ada', 'ben'].map(name => open(name)))
    // So much that the packing, which a batch sets off, outlasts some batches.
    const oids = await fillWithLoose(repository, random, { count: many })
    const large = await fillWithLoose(repository, random, { count: 8, bytes: 1_500_000 })
    const commits: string[] = []
    let beside = 0
    const work = async (agent: (typeof agents)[number]): Promise<void> => {
      for (let batch = 0; state() !== 'done' || batch < 5; batch += 1) {
        const path = random.pick(['a.txt', 'd/b.txt', 'n/c.txt'])
        const known = await agent.rev(path).catch(() => null)
        const text = random.text(50)
        const { commit } = await agent.apply([
          { op: 'write_file', path, expected_rev: known, text },
        ])
        if (state() === 'running') beside += 1
        if (commit !== null) commits.push(commit)
      }
    }
    await Promise.all(agents.map(work))
    console.log(`${commits.length} commits, ${beside} of them while packing`)
    expect(beside).toBeGreaterThan(0)
    expect(await missingOf(repository, [...oids, ...large, ...commits])).toEqual([])
    for (const agent of agents) await expectClean(agent)
    const history = await repository.git('rev-list', '--glob=refs/heads/agent/*')
    expect(new Set(history.split('\n'))).toEqual(
      new Set([...commits, await repository.git('rev-parse', 'main')]),
    )
  }, 120_000)

  test("a person's git gc says who packs, and gc --auto goes on", async () => {
    const { repository } = await makeSlow()
    const { close } = await openGateway(repository, { limits })
    await recordSaying(repository, 'running')
    await expect(repository.git('gc')).rejects.toThrow(/gc is already running .* pid \d+/)
    await repository.git('-c', 'gc.auto=1', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet')
    expect(isCollecting(join(repository.path, '.git'))).toBe(false)
    await recordSaying(repository, 'done')
    await close()
    await repository.git('gc', '--quiet')
  })

  test('a second gateway leaves it alone', async () => {
    const { repository, oids } = await makeSlow()
    const first = await openGateway(repository, { limits })
    await recordSaying(repository, 'running')
    const second = await openGateway(repository, { limits })
    await second.close()
    expect(readMaintenanceRecord(join(repository.path, '.git'))?.state).toBe('running')
    await recordSaying(repository, 'done')
    await first.close()
    expect(packFiles(repository)).toEqual(['pack-*.idx', 'pack-*.pack'])
    expect(await missingOf(repository, oids)).toEqual([])
  })

  test('a server that stops ends it, and nothing is left of it', async () => {
    const { repository, oids } = await makeSlow()
    const { close } = await openGateway(repository, { limits })
    while (packFiles(repository).length === 0) await sleep(5)
    await close()
    expect(readMaintenanceRecord(join(repository.path, '.git'))?.state).toBe('stopped')
    expect(packFiles(repository)).toEqual([])
    expect(existsSync(join(repository.path, '.git/gc.pid'))).toBe(false)
    expect(await missingOf(repository, oids)).toEqual([])
    await openGateway(repository, { limits })
    await recordSaying(repository, 'done')
  })
})

test('what a process that was killed left is removed by the next, and nothing else', async () => {
  const { repository, oids } = await makeSlow()
  const commonDir = join(repository.path, '.git')
  const packs = join(commonDir, 'objects/pack')
  const unfinished = ['tmp_pack_ours00', '.tmp-1-pack-00.pack', 'tmp_pack_theirs'].map(name => {
    writeFileSync(join(packs, name), name)
    return join(packs, name)
  })
  const inode = (path: string): string => String(statSync(path, { bigint: true }).ino)
  const [ours = '', renamed = '', theirs = ''] = unfinished
  const aside = join(repository.path, 'a.txt')
  const { close } = await openGateway(repository, { limits })
  await recordSaying(repository, 'running')
  await close()
  const record = {
    state: 'running',
    at_ms: Date.now() - 2 * fixedLimits.repackRetryMs,
    loose: many,
    unfinished: [
      { path: ours, inode: inode(ours) },
      { path: renamed, inode: inode(renamed) },
      { path: theirs, inode: '1' },
      { path: aside, inode: inode(aside) },
    ],
  }
  writeFileSync(join(commonDir, 'editlatch/maintenance'), JSON.stringify(record))
  await openGateway(repository, { limits })
  await recordSaying(repository, 'done')
  expect(packFiles(repository)).toEqual(['pack-*.idx', 'pack-*.pack', 'tmp_pack_*'])
  expect(existsSync(theirs)).toBe(true)
  expect(existsSync(aside)).toBe(true)
  expect(await missingOf(repository, oids)).toEqual([])
})

test('one that fails changes nothing, is told, and is not tried again at once', async () => {
  const { repository, oids } = await makeSlow()
  const [damaged = ''] = oids.slice(-1)
  const path = join(repository.path, '.git/objects', damaged.slice(0, 2), damaged.slice(2))
  const bytes = readFileSync(path)
  bytes.fill(0, 1_000_000, 1_000_100)
  chmodSync(path, 0o644)
  writeFileSync(path, bytes)
  const before = await looseCount(repository)
  const { gateway, faults, close, open } = await faultsOf(repository)
  const record = await recordSaying(repository, 'failed')
  expect(record.problem).toContain(damaged)
  expect(packFiles(repository)).toEqual([])
  expect(await looseCount(repository)).toBe(before)
  expect(existsSync(join(repository.path, '.git/gc.pid'))).toBe(false)
  const { checks } = await gateway.examine()
  expect(checks.find(({ name }) => name === 'maintenance')).toMatchObject({ status: 'warning' })
  const worktree = await open('x')
  for (let index = 0; index < limits.looseObjects / 20 / 3 + 1; index += 1)
    await worktree.apply([create(`n${index}`, `${index}\n`)])
  await close()
  const again = await faultsOf(repository)
  await again.close()
  expect(readMaintenanceRecord(join(repository.path, '.git'))).toEqual(record)
  expect([faults.length, again.faults.length]).toEqual([1, 0])
})
