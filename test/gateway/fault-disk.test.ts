import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { create, openGateway, refusal, type TestWorktree } from '../support/gateway.js'
import { makeRepository, type TestRepository, testRepository } from '../support/repository.js'

const size = 12
const probe = mountDisk('1M')
if ('refused' in probe) console.log(`not run: no disk can be mounted here (${probe.refused})`)
else unmount(probe.place)
const can = !('refused' in probe)

test.skipIf(!can)(
  'FAULT-1: a batch bigger than the disk is refused whole, and leaves the disk as it was',
  async () => {
    const { place, worktree } = await onSmallDisk()
    const ballast = join(place, 'ballast')
    const left = statfsSync(place)
    writeFileSync(ballast, Buffer.alloc(left.bavail * left.bsize - 512 * 1024))
    const before = stateOf(place, worktree)
    const edits = [create('small.txt', 'small\n'), create('big.txt', noise(1_500_000))]
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await refusal(worktree.apply(edits))).toMatchObject({ code: 'DISK_FULL', status: 507 })
      expect(stateOf(place, worktree)).toEqual(before)
    }
    expect(await worktree.text('a.txt')).toBe('first\n')
    rmSync(ballast)
    expect((await worktree.apply(edits)).commit).not.toBeNull()
    await expectSound(worktree)
  },
)

test.skipIf(!can)(
  'FAULT-1: whatever is left on a disk, a batch is done or refused, and no space leaks',
  async () => {
    const { place, worktree } = await onSmallDisk()
    const ballast = join(place, 'ballast')
    const tally = { refused: 0, done: 0, behind: 0 }
    const edits = (round: number): Parameters<TestWorktree['apply']>[0] => [
      create(`made/${round}.txt`, noise(30_000)),
      create(`made/${round}-more.txt`, noise(30_000)),
    ]
    for (let round = 0; round < 48; round += 1) {
      const { bavail, bsize } = statfsSync(place)
      writeFileSync(ballast, Buffer.alloc(Math.max(0, (bavail - round) * bsize)))
      const before = stateOf(place, worktree)
      const answer = await worktree
        .apply(edits(round), { key: `key-${round}` })
        .catch(error => error)
      if (answer instanceof Error) {
        tally.refused += 1
        expect(answer).toMatchObject({ code: 'DISK_FULL' })
        expect(stateOf(place, worktree)).toEqual(before)
      } else {
        tally.done += 1
        const codes = answer.warnings.map(({ code }: { code: string }) => code)
        if (codes.includes('worktree_behind')) tally.behind += 1
      }
      rmSync(ballast)
      await worktree.apply(edits(round), { key: `key-${round}` })
      const head = await worktree.git('rev-parse', 'HEAD')
      expect(await worktree.git('status', '--porcelain', '--untracked-files=all'), head).toBe('')
      await worktree.apply([
        {
          op: 'delete_file',
          path: `made/${round}.txt`,
          expected_rev: await worktree.rev(`made/${round}.txt`),
        },
        {
          op: 'delete_file',
          path: `made/${round}-more.txt`,
          expected_rev: await worktree.rev(`made/${round}-more.txt`),
        },
      ])
    }
    console.log('a disk with ever more left:', tally)
    expect(Math.min(...Object.values(tally))).toBeGreaterThan(0)
    await expectSound(worktree)
  },
)

test.skipIf(!can)(
  'FAULT-3: a disk that becomes read-only refuses batches, answers reads, and works again',
  async () => {
    const { place, worktree } = await onSmallDisk()
    await worktree.replace('a.txt', 'first', 'second')
    expect(run('mount', '-o', 'remount,ro', place)).toBe('')
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const told = await refusal(worktree.apply([create('b.txt', 'b\n')]))
      expect(told).toMatchObject({ code: 'IO_FAULT', status: 503 })
      expect(await worktree.text('a.txt')).toBe('second\n')
    }
    expect(run('mount', '-o', 'remount,rw', place)).toBe('')
    expect((await worktree.apply([create('b.txt', 'b\n')])).commit).not.toBeNull()
    await expectSound(worktree)
  },
)

interface SmallDisk {
  readonly place: string
  readonly worktree: TestWorktree
}

/** A gateway whose repository, worktrees and state all lie on a disk of their own. */
async function onSmallDisk(): Promise<SmallDisk> {
  const disk = mountDisk(`${size}M`)
  if ('refused' in disk) throw new Error(disk.refused)
  const { place } = disk
  const path = join(place, 'repository')
  const source = await makeRepository({ 'a.txt': 'first\n' })
  await source.git('clone', '--quiet', '--no-hardlinks', source.path, path)
  const repository: TestRepository = testRepository(path)
  const { open, close } = await openGateway(repository, {
    stateDir: join(place, 'state'),
    worktreesDir: join(place, 'worktrees'),
  })
  onTestFinished(async () => {
    await close()
    unmount(place)
  })
  const worktree = await open('ada')
  await worktree.apply([create('warm.txt', 'warm\n')])
  return { place, worktree }
}

function mountDisk(bytes: string): { readonly place: string } | { readonly refused: string } {
  const place = mkdtempSync(join(tmpdir(), 'disk-'))
  const refused = run('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', place)
  if (refused !== '') {
    rmSync(place, { recursive: true })
    return { refused }
  }
  mkdirSync(join(place, 'state'))
  return { place }
}

function unmount(place: string): void {
  expect(run('umount', place)).toBe('')
  rmSync(place, { recursive: true })
}

/** What the program complained of; nothing where it did its work. */
function run(command: string, ...args: readonly string[]): string {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status === 0) return ''
  return (error?.message ?? stderr.trim()) || `status ${status}`
}

/** Every path on the disk but directories that objects lie in, and the space that is left. */
function stateOf(place: string, { path }: TestWorktree): object {
  const all = readdirSync(place, { recursive: true, withFileTypes: true })
  const files = all
    .filter(entry => !entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !isWholeObject(file))
  const head = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: path, encoding: 'utf8' }).stdout
  return { files: files.sort(), head }
}

/** Those that were written before the disk was full stand there whole, for git's own prune. */
function isWholeObject(file: string): boolean {
  return /\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/.test(file)
}

async function expectSound({ git }: TestWorktree): Promise<void> {
  expect(await git('status', '--porcelain', '--untracked-files=all')).toBe('')
  expect(await git('fsck', '--no-dangling', '--no-progress')).toBe('')
}

/** Text that does not pack well. */
function noise(bytes: number): string {
  let text = ''
  for (let state = 12_345 + bytes; text.length < bytes; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    text += state.toString(36)
  }
  return `${text}\n`
}
