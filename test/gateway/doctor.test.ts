import { linkSync, lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkLocks } from '#src/gateway/doctor/check-locks.js'
import { checkRipgrep } from '#src/gateway/doctor/check-ripgrep.js'
import type { DoctorCheck } from '#src/gateway/telling/answers.js'
import { closeOwnerRecord, openOwnerRecord } from '#src/io/git/owner-record.js'
import { create, openGateway, type TestGateway, type TestWorktree } from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'

interface Scene {
  readonly repository: TestRepository
  readonly served: TestGateway
  readonly worktree: TestWorktree
  readonly gitDir: string
}

async function setScene(options: Parameters<typeof openGateway>[1] = {}): Promise<Scene> {
  const repository = await makeRepository({ 'a.txt': 'a\n' })
  const served = await openGateway(repository, { secondReader: false, ...options })
  const worktree = await served.open('x')
  const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
  return { repository, served, worktree, gitDir }
}

async function checks({ gateway }: TestGateway): Promise<readonly DoctorCheck[]> {
  return (await gateway.examine()).checks
}

/** What is not well, without what the machine that runs the tests may lack. */
async function findings(served: TestGateway): Promise<readonly DoctorCheck[]> {
  const found = await checks(served)
  return found.filter(one => one.status !== 'ok' && one.repository !== undefined)
}

test('a sound repository is well, in every check, and stays as it is', async () => {
  const { repository, served, worktree } = await setScene()
  await worktree.apply([create('n.txt', 'n\n')])
  const before = everything(repository.path)
  const { ok, checks: told } = await served.gateway.examine()
  expect(everything(repository.path)).toEqual(before)
  const ours = told.filter(one => one.repository === basename(repository.path))
  expect(ours.map(({ name, status }) => `${name} ${status}`)).toEqual(
    [
      'repository',
      'file_system',
      'permissions',
      'file_system_abilities',
      'locks',
      'processes',
      'unfinished_batches',
      'worktrees',
      'objects',
      'maintenance',
      'skipped_features',
    ].map(name => `${name} ok`),
  )
  const machine = told.filter(one => one.repository === undefined).map(({ name }) => name)
  expect(machine).toEqual([
    'git',
    'node',
    'platform',
    'ripgrep',
    'state_directory',
    'file_system',
    'disk_space',
  ])
  expect(ok).toBe(true)
})

test('without ripgrep it says what searches then do', () => {
  expect(checkRipgrep(undefined)).toMatchObject([
    { name: 'ripgrep', status: 'warning', detail: expect.stringContaining('git grep -P') },
  ])
  expect(checkRipgrep('/opt/rg')).toEqual([{ name: 'ripgrep', status: 'ok', detail: '/opt/rg' }])
})

test('all settings are told, and no secret', async () => {
  const host = { ...process.env, SECRET_OF_THE_TEST: 'hush' }
  const { served } = await setScene({ secret: 'do not tell', host })
  const answer = await served.gateway.examine()
  expect(answer.settings).toMatchObject({
    branch_prefix: 'agent',
    durability: 'process',
    trust_config: false,
    allow_protected: [],
    limits: { batchOps: 200 },
    environment: { PATH: process.env.PATH },
  })
  expect(JSON.stringify(answer)).not.toMatch(/do not tell|hush/)
})

type Prepare = (scene: Scene) => Promise<unknown>
const common = ({ repository }: Scene): string => join(repository.path, '.git')

describe('is found', () => {
  test.each<[string, Prepare, Partial<DoctorCheck>]>([
    [
      'a young lock of somebody else',
      scene => writeFile(join(scene.gitDir, 'index.lock'), ''),
      { name: 'locks', status: 'warning', detail: 'held by a git that is not ours' },
    ],
    [
      'a lock of a branch',
      scene => writeFile(join(common(scene), 'refs/heads/main.lock'), ''),
      { name: 'locks', status: 'warning', detail: 'refs/heads/main.lock' },
    ],
    [
      'our lock, at work',
      async ({ gitDir }) => linkSync(openOwnerRecord(gitDir).path, join(gitDir, 'index.lock')),
      { name: 'locks', status: 'warning', detail: `our process ${process.pid}, which is alive` },
    ],
    [
      'our lock, left behind or at work in another container',
      async ({ gitDir }) =>
        linkSync(deadRecord(gitDir, { namespace: 'pid:[1]' }), join(gitDir, 'index.lock')),
      { name: 'locks', status: 'warning', detail: 'of another machine or container' },
    ],
    [
      'our lock, left behind',
      async ({ gitDir }) => linkSync(deadRecord(gitDir), join(gitDir, 'index.lock')),
      { name: 'locks', status: 'warning', detail: 'our process 1, which has ended' },
    ],
    [
      'a record left behind',
      async ({ gitDir }) => deadRecord(gitDir),
      { name: 'processes', status: 'warning', detail: '1 processes ended' },
    ],
    [
      'a batch that was cut off',
      async ({ worktree, gitDir }) => writeIntent(gitDir, await worktree.git('rev-parse', 'HEAD')),
      { name: 'unfinished_batches', status: 'warning', detail: 'a batch on refs/heads/agent/x' },
    ],
    [
      'a batch that was cut off, and a branch that went elsewhere',
      async ({ gitDir }) => writeIntent(gitDir, 'f'.repeat(40)),
      { name: 'unfinished_batches', status: 'problem' },
    ],
    [
      'a directory that is gone',
      ({ worktree }) => rm(worktree.path, { recursive: true }),
      { name: 'worktrees', status: 'problem', detail: 'is gone' },
    ],
    [
      'a directory that was moved',
      ({ worktree }) => rename(worktree.path, `${worktree.path}-elsewhere`),
      { name: 'worktrees', status: 'problem', what_to_do: 'git worktree repair' },
    ],
    [
      'a registration that is gone',
      async ({ worktree, repository }) => {
        await repository.git('worktree', 'unlock', worktree.path)
        await repository.git('worktree', 'remove', '--force', worktree.path)
      },
      { name: 'worktrees', status: 'warning', detail: 'git knows of no worktree' },
    ],
    [
      'a branch that is gone',
      ({ repository }) => repository.git('update-ref', '-d', 'refs/heads/agent/x'),
      { name: 'worktrees', status: 'problem', detail: 'refs/heads/agent/x is gone' },
    ],
    [
      'a checkout that was cut off',
      ({ gitDir }) => writeFile(join(gitDir, 'editlatch/unfinished'), ''),
      { name: 'worktrees', status: 'warning', detail: 'its checkout was cut off' },
    ],
    [
      'files that were being written',
      ({ gitDir }) => writeFile(join(gitDir, 'editlatch/materialising'), ''),
      { name: 'worktrees', status: 'warning', detail: 'writing its files was cut off' },
    ],
    [
      'a missing index',
      ({ gitDir }) => rm(join(gitDir, 'index')),
      { name: 'worktrees', status: 'problem', detail: 'the index is missing' },
    ],
    [
      'another branch checked out',
      ({ worktree }) => worktree.git('switch', '--quiet', '--detach'),
      { name: 'worktrees', status: 'warning', what_to_do: 'switch agent/x' },
    ],
    [
      'many loose objects',
      async scene => {
        const directory = join(common(scene), 'objects/17')
        await mkdir(directory, { recursive: true })
        for (let n = 0; n < 6_800; n += 1)
          writeFileSync(join(directory, n.toString(16).padStart(38, '0')), '')
      },
      { name: 'objects', status: 'warning', detail: 'a repack is due' },
    ],
    [
      'hooks',
      async scene => {
        const hook = join(common(scene), 'hooks/pre-commit')
        await mkdir(join(hook, '..'), { recursive: true })
        await writeFile(hook, '#!/bin/sh\n', { mode: 0o755 })
      },
      { name: 'skipped_features', detail: "do not run on an agent's commits: pre-commit" },
    ],
    [
      'a directory of hooks',
      ({ repository }) => repository.git('config', 'core.hooksPath', '.husky'),
      { name: 'skipped_features', detail: 'core.hooksPath = .husky' },
    ],
    [
      'signatures',
      ({ repository }) => repository.git('config', 'commit.gpgSign', 'true'),
      { name: 'skipped_features', detail: 'not signed' },
    ],
    [
      'filters',
      async ({ repository }) => {
        await repository.write('d/.gitattributes', '*.png filter=lfs diff=lfs\n# filter=no\n')
        await repository.commit('lfs')
      },
      { name: 'skipped_features', detail: 'filters do not run: lfs;' },
    ],
    [
      'a shallow clone',
      async scene => {
        const head = await scene.repository.git('rev-parse', 'HEAD')
        await writeFile(join(common(scene), 'shallow'), `${head}\n`)
      },
      { name: 'skipped_features', detail: 'shallow' },
    ],
    [
      'a partial clone',
      ({ repository }) => repository.git('config', 'remote.origin.promisor', 'true'),
      { name: 'skipped_features', detail: 'partial' },
    ],
    [
      'what makes the repository one that is refused',
      scene => writeFile(join(common(scene), 'objects/info/alternates'), '/elsewhere\n'),
      { name: 'repository', status: 'problem', detail: 'UNSUPPORTED_REPOSITORY' },
    ],
    [
      'a setting that does not fit the file system',
      async () => undefined,
      { name: 'file_system_abilities', status: 'warning', what_to_do: 'core.ignoreCase false' },
    ],
  ])('%s', async (title, prepare, expected) => {
    const scene = await setScene()
    await prepare(scene)
    let { served } = scene
    if (title.startsWith('a setting')) {
      await scene.repository.git('config', 'core.ignoreCase', 'true')
      served = await openGateway(scene.repository, { secondReader: false })
    }
    const { name, status = 'warning', detail = '', what_to_do = '' } = expected
    expect(await findings(served)).toContainEqual(
      expect.objectContaining({
        name,
        status,
        detail: expect.stringContaining(detail),
        what_to_do: expect.stringContaining(what_to_do),
      }),
    )
  })

  test.skipIf(process.geteuid?.() === 0)('a directory that cannot be written', async () => {
    const { repository, served } = await setScene()
    const objects = join(repository.path, '.git/objects')
    await chmod(objects, 0o555)
    const told = await findings(served)
    await chmod(objects, 0o755)
    expect(told).toContainEqual(expect.objectContaining({ name: 'permissions', status: 'problem' }))
  })

  test('an old lock is told to be somebody’s to remove', async () => {
    const scene = await setScene()
    const lock = join(common(scene), 'HEAD.lock')
    await writeFile(lock, '')
    // The change time cannot be set, so the clock is turned instead.
    const later = Date.now() + 120_000
    expect(checkLocks(common(scene), [], later)).toMatchObject([
      { name: 'locks', status: 'problem' },
    ])
  })

  test('a state directory that others can write', async () => {
    const { served } = await setScene()
    const { settings } = await served.gateway.examine()
    const stateDir = String(settings.state_dir)
    await chmod(stateDir, 0o777)
    expect(await checks(served)).toContainEqual(
      expect.objectContaining({ name: 'state_directory', status: 'problem' }),
    )
  })
})

describe('a repository that is refused', () => {
  test.each<[string, (repository: TestRepository) => Promise<unknown>, string]>([
    [
      'another repository behind it',
      ({ path }) => writeFile(join(path, '.git/objects/info/alternates'), '/elsewhere\n'),
      'UNSUPPORTED_REPOSITORY',
    ],
    [
      'an unknown extension',
      ({ git }) => git('config', 'extensions.unheardOf', 'yes'),
      'extensions.unheardof = yes',
    ],
    [
      'no repository at all',
      ({ path }) => rm(join(path, '.git'), { recursive: true }),
      'NOT_FOUND',
    ],
  ])('%s: why is told', async (_, prepare, why) => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    await prepare(repository)
    const served = await openGateway(repository, { secondReader: false, skipRefused: true })
    const { ok, checks: told } = await served.gateway.examine()
    expect(ok).toBe(false)
    expect(told).toContainEqual({
      name: 'repository',
      repository: repository.path,
      status: 'problem',
      detail: expect.stringContaining(why),
      what_to_do: expect.any(String),
    })
    expect(await served.gateway.repositories()).toEqual([])
  })

  test('does not keep the others from being served and looked at', async () => {
    const sound = await makeRepository({ 'a.txt': 'a\n' })
    const broken = await makeRepository({ 'a.txt': 'a\n' })
    await broken.git('config', 'extensions.unheardOf', 'yes')
    const served = await openGateway([broken, sound], { secondReader: false, skipRefused: true })
    expect(await served.gateway.repositories()).toHaveLength(1)
    expect(await findings(served)).toMatchObject([{ repository: broken.path }])
  })

  test('a git that is not there', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    const host = { ...process.env, PATH: await mkdtemp(join(tmpdir(), 'empty-')) }
    const served = await openGateway(repository, { secondReader: false, skipRefused: true, host })
    const found = (await checks(served)).filter(({ status }) => status === 'problem')
    expect(found.map(({ name }) => name)).toEqual(['git', 'repository'])
  })
})

/** A record of a process of this boot that has ended: no process 1 was ever started when this says. */
function deadRecord(gitDir: string, change: { readonly namespace?: string } = {}): string {
  const record = openOwnerRecord(gitDir)
  const { path, restore: _restore, ...owner } = record
  closeOwnerRecord(record)
  const nonce = 'a'.repeat(16)
  const dead = join(path, `../owner-1-${nonce}`)
  writeFileSync(dead, `${JSON.stringify({ ...owner, pid: 1, nonce, start: 'never', ...change })}\n`)
  return dead
}

function writeIntent(gitDir: string, old: string): void {
  const intent = { ref: 'refs/heads/agent/x', old, new: 'e'.repeat(40), paths: [] }
  writeFileSync(join(gitDir, 'editlatch/intent'), JSON.stringify(intent))
}

/** Every path with what would tell of a change. */
function everything(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => {
      const { ino, size, mode, mtimeMs } = lstatSync(join(root, name))
      // Trying something out in our own directory touches the directory, and no file.
      const isOurs = ['.git', '.git/editlatch'].includes(name)
      return `${name} ${ino} ${mode} ${isOurs ? '' : `${size} ${mtimeMs}`}`
    })
}
