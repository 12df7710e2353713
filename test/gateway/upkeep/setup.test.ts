import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import type { SetupAnswer } from '#src/gateway/telling/answers.js'
import {
  create,
  expectClean,
  openGateway,
  type TestGateway,
  type TestGatewayOptions,
  type TestWorktree,
} from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

const files = { '.gitignore': '/ran\n/pid\n/env\n', 'a.txt': 'a\n' }
const shell = (script: string): readonly string[] => ['sh', '-c', script]

interface World extends TestGateway {
  readonly repository: TestRepository
}

async function start(setup: readonly string[], options: TestGatewayOptions = {}): Promise<World> {
  const repository = await makeRepository(files)
  return { repository, ...(await openGateway(repository, { setup, ...options })) }
}

/** How the command in the next worktree ends, as it is told to those who listen. */
function nextEnd({ gateway }: TestGateway): Promise<SetupAnswer | undefined> {
  return new Promise(resolve => {
    const unsubscribe = gateway.events.subscribe(({ type, setup }) => {
      if (type !== 'setup') return
      unsubscribe()
      resolve(setup)
    })
  })
}

async function stateOf({ worktree }: TestWorktree): Promise<SetupAnswer | undefined> {
  return (await worktree.state()).setup
}

test('it runs once, in the new worktree, and tells its end', async () => {
  const world = await start(shell('pwd >> ran'))
  const ended = nextEnd(world)
  const worktree = await world.open('alice')
  const { command } = worktree.opened.setup ?? {}
  expect(command).toEqual(shell('pwd >> ran'))
  expect(['waiting', 'running', 'done']).toContain(worktree.opened.setup?.state)
  const end = { state: 'done', command, exit_code: 0, seconds: expect.any(Number) }
  expect(await ended).toEqual(end)
  expect(await stateOf(worktree)).toEqual(end)
  expect((await world.open('alice')).opened.setup).toEqual(end)
  await world.gateway.setUp()
  expect(readFileSync(join(worktree.path, 'ran'), 'utf8')).toBe(`${worktree.path}\n`)
  await expectClean(worktree)
})

test('it gets a few variables of the server, none of its secrets, and nothing to read', async () => {
  const secrets = {
    EDITLATCH_TOKEN: 'x',
    GIT_DIR: '/x',
    NODE_OPTIONS: '--inspect',
    AWS_SECRET: 'x',
  }
  const host = { ...process.env, ...secrets, PATH: `.:${process.env.PATH}:`, HTTPS_PROXY: 'p' }
  const world = await start(shell('env > env; cat > ran'), { host })
  const ended = nextEnd(world)
  const { path } = await world.open('alice')
  expect(await ended).toMatchObject({ state: 'done' })
  const lines = readFileSync(join(path, 'env'), 'utf8').split('\n')
  const names = lines.flatMap(line => line.match(/^\w+(?==)/) ?? [])
  const ofShell = ['PWD', 'OLDPWD', 'SHLVL', '_']
  const passed = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']
  const reaching = ['XDG_CACHE_HOME', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR']
  const allowed = [...ofShell, ...passed, ...reaching, 'HTTPS_PROXY']
  expect(names.filter(name => !allowed.includes(name))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'HTTPS_PROXY']))
  expect(lines).not.toContainEqual(expect.stringMatching(/^PATH=(?:.*:)?(?:\.|):|^PATH=.*:$/))
  expect(readFileSync(join(path, 'ran'), 'utf8')).toBe('')
})

test.each<[string, readonly string[], Partial<SetupAnswer>]>([
  [
    'its own word',
    shell('echo some; echo more >&2; exit 3'),
    { exit_code: 3, output: 'some\nmore\n' },
  ],
  ['a program that is not there', ['no-such-program'], { reason: 'it could not be started' }],
  ['a signal', shell('kill -9 $$'), { command: shell('kill -9 $$') }],
  ['too much to print', ['yes'], { reason: 'it printed too much' }],
])('it fails by %s, and the worktree can be worked in', async (_, command, told) => {
  const world = await start(command)
  const ended = nextEnd(world)
  const worktree = await world.open('alice')
  const end = await ended
  expect(end).toMatchObject({ state: 'failed', ...told })
  expect(end?.output?.length ?? 0).toBeLessThanOrEqual(2_000)
  expect(await stateOf(worktree)).toEqual(end)
  expect((await worktree.apply([create('b.txt', 'b\n')])).commit).not.toBeNull()
  await expectClean(worktree)
})

const waits = shell('sleep 300 & echo $! > pid.new && mv pid.new pid; touch ran; wait')

async function pidIn(path: string): Promise<number> {
  while (!existsSync(join(path, 'ran'))) await sleep(10)
  return Number(readFileSync(join(path, 'pid'), 'utf8'))
}

async function isGone(pid: number): Promise<boolean> {
  for (let turn = 0; turn < 500; turn += 1) {
    // One that has ended may wait for whoever takes its exit code.
    if (!existsSync(`/proc/${pid}`) || / Z /.test(readStat(pid))) return true
    await sleep(10)
  }
  return false
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return ' Z '
  }
}

test('past its time it is ended, with what it has started', async () => {
  const world = await start(waits, { limits: { ...defaultLimits, setupMs: 2_000 } })
  const ended = nextEnd(world)
  const worktree = await world.open('alice')
  const pid = await pidIn(worktree.path)
  const reason = 'it took longer than --limit setupMs allows'
  expect(await ended).toMatchObject({ state: 'failed', reason })
  expect(await isGone(pid)).toBe(true)
})

/** Runs on for long, without our pipes and without heeding SIGTERM, and says its number. */
const stubborn =
  '(trap "" TERM; exec >/dev/null 2>&1 </dev/null; sh -c "echo \\$PPID > pid; touch ran"; sleep 300; sleep 300) &'

test.each<[string, string, SetupAnswer['state']]>([
  ['by itself', ' while ! test -e ran; do sleep 0.01; done', 'done'],
  ['past its time', ' wait', 'failed'],
])('however it ends, nothing that it has started runs on: %s', async (_, more, state) => {
  const limits = { ...defaultLimits, setupMs: 2_000 }
  const world = await start(shell(stubborn + more), { limits })
  const ended = nextEnd(world)
  const { path } = await world.open('alice')
  const pid = await pidIn(path)
  expect(await ended).toMatchObject({ state })
  expect(await isGone(pid)).toBe(true)
})

test('it ends with the gateway, and the next one knows that', async () => {
  const world = await start(waits)
  const told: unknown[] = []
  world.gateway.events.subscribe(({ type }) => told.push(type))
  const { gateway, repository } = world
  const answer = await gateway.openWorktree({ agent: 'alice' })
  const pid = await pidIn(answer.path)
  const later = (await gateway.worktree('alice')).state()
  expect((await later).setup).toEqual({ state: 'running', command: waits })
  await gateway.close()
  expect(await isGone(pid)).toBe(true)
  expect(told).toEqual(['worktree_opened'])
  const next = await openGateway(repository)
  const setup = (await (await next.gateway.worktree('alice')).state()).setup
  expect(setup).toMatchObject({ state: 'interrupted', command: waits })
})

test('it ends with the worktree', async () => {
  const world = await start(waits)
  const { path } = await world.open('alice')
  const pid = await pidIn(path)
  await world.gateway.closeWorktree('alice', { force: false })
  expect(existsSync(path)).toBe(false)
  expect(await isGone(pid)).toBe(true)
})

test('worktrees of a repository are set up one after another', async () => {
  const world = await start(shell('until test -e pid; do sleep 0.1; done'))
  const [alice, bob] = [await world.open('alice'), await world.open('bob')]
  const states = async (): Promise<readonly unknown[]> =>
    (await Promise.all([stateOf(alice), stateOf(bob)])).map(setup => setup?.state)
  expect(await states()).toEqual(['running', 'waiting'])
  const ended = nextEnd(world)
  await alice.write('pid', '')
  await ended
  expect(await states()).toEqual(['done', 'running'])
  await bob.write('pid', '')
  await world.gateway.setUp()
  expect(await states()).toEqual(['done', 'done'])
})

test('ignored files are there before it', async () => {
  const repository = await makeRepository(files)
  await repository.write('env', 'A=1')
  const setup = ['cp', 'env', 'ran']
  const served = await openGateway(repository, { include: ['env'], setup })
  const ended = nextEnd(served)
  const { path } = await served.open('alice')
  expect(await ended).toMatchObject({ state: 'done' })
  expect(readFileSync(join(path, 'ran'), 'utf8')).toBe('A=1')
})

test('a worktree without files is not set up', async () => {
  const world = await start(shell('touch ran'))
  const worktree = await world.open('alice', { files: 'none' })
  expect(worktree.opened).not.toHaveProperty('setup')
  await world.gateway.setUp()
  expect(existsSync(join(worktree.path, 'ran'))).toBe(false)
})

test.each<[string, (path: string) => void, SetupAnswer['state'] | undefined]>([
  ['of a process that has ended', path => writeFileSync(path, recordOf('/gone')), 'interrupted'],
  ['that is nonsense', path => writeFileSync(path, 'nonsense'), undefined],
  ['that is a link', path => symlinkSync('/etc/passwd', path), undefined],
  ['that is a pipe', path => spawnSync('mkfifo', [path]), undefined],
  ['of another kind', path => writeFileSync(path, '{"owner": 1, "setup": []}'), undefined],
])('a record %s', async (_, plant, state) => {
  const { open } = await openGateway(await makeRepository(files))
  const worktree = await open('alice')
  const record = join(worktree.worktree.checkout.workDir, 'setup')
  rmSync(record, { force: true })
  plant(record)
  expect((await stateOf(worktree))?.state).toBe(state)
})

function recordOf(owner: string): string {
  return JSON.stringify({ owner, setup: { state: 'running', command: ['npm', 'ci'] } })
}
