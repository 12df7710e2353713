import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GatewayEvent } from '#src/gateway/telling/event-log.js'
import { watchKind } from '#src/gateway/upkeep/watch-checkout.js'
import { openGateway, type TestGateway, type TestWorktree } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

const repository = await makeRepository({
  '.gitignore': '*.log\nbuild/\n',
  'src/a.txt': 'a\n',
  'src/b.txt': 'b\n',
})
const served = await openGateway(repository, { watching: true })

/** A watched worktree, and what is told of drift in it from now on. */
async function watched(
  agent: string,
  { open, gateway }: TestGateway = served,
): Promise<TestWorktree & { readonly drift: () => Promise<Partial<GatewayEvent>> }> {
  const worktree = await open(agent)
  const { changes } = worktree.worktree.checkout
  while (!changes.isWatched) await new Promise(resolve => setTimeout(resolve, 5))
  const told: GatewayEvent[] = []
  let look = (): void => {}
  gateway.events.subscribe(event => {
    if (event.type === 'drift' && event.worktree === worktree.id) told.push(event)
    look()
  })
  const drift = (): Promise<Partial<GatewayEvent>> =>
    new Promise(resolve => {
      look = () => {
        const next = told.shift()
        if (next === undefined) return
        look = () => {}
        const { id: _id, worktree: _worktree, ...rest } = next
        resolve(rest)
      }
      look()
    })
  return { ...worktree, drift }
}

test.concurrent('what others change is told, our own batches and what is ignored are not', async () => {
  const { path, write, replace, apply, drift } = await watched('alice')
  await replace('src/b.txt', 'b', 'ours')
  await apply([{ op: 'write_file', path: 'src/new/ours.txt', expected_rev: null, text: 'x\n' }])
  await write('noise.log', 'x')
  await write('build/deep/out.txt', 'x')
  await write('src/a.txt', 'theirs\n')
  expect(await drift()).toEqual({ type: 'drift', agent: 'alice', paths: ['src/a.txt'] })
  await write('src/new/theirs.txt', 'theirs\n')
  expect(await drift()).toEqual({ type: 'drift', agent: 'alice', paths: ['src/new/theirs.txt'] })
  await rm(join(path, 'src/b.txt'))
  expect(await drift()).toEqual({ type: 'drift', agent: 'alice', paths: ['src/b.txt'] })
})

test.concurrent('the same drift is told once', async () => {
  const { write, drift } = await watched('bob')
  await write('src/a.txt', 'theirs\n')
  expect(await drift()).toMatchObject({ paths: ['src/a.txt'] })
  await write('src/a.txt', 'theirs\n')
  await write('src/b.txt', 'theirs\n')
  expect(await drift()).toMatchObject({ paths: ['src/b.txt'] })
  await write('src/a.txt', 'theirs again\n')
  expect(await drift()).toMatchObject({ paths: ['src/a.txt'] })
})

test.concurrent('of much drift a part is named', async () => {
  const { write, drift } = await watched('carol')
  const names = Array.from({ length: 150 }, (_, number) => `many/${1_000 + number}.txt`)
  await Promise.all(names.map(name => write(name, 'x\n')))
  // They settle in one go or in some.
  let named = 0
  let more = 0
  while (named + more < names.length) {
    const event = await drift()
    named += event.paths?.length ?? 0
    more = event.more ?? 0
  }
  expect(named).toBeLessThanOrEqual(names.length)
})

test.concurrent('directories that patterns uncover are watched from then on', async () => {
  const { write, drift } = await watched('dave')
  await write('build/first.txt', 'x\n')
  await write('.gitignore', '*.log\n')
  let paths: readonly string[] = []
  while (!paths.includes('.gitignore')) paths = (await drift()).paths ?? []
  await write('build/second.txt', 'x\n')
  while (!paths.includes('build/second.txt')) paths = (await drift()).paths ?? []
  expect(paths).toContain('build/second.txt')
})

test.concurrent('every change is counted: our own at once, those of others when they are seen', async () => {
  const { path, replace, worktree, drift } = await watched('eve')
  const { changes } = worktree.checkout
  const before = changes.version
  await replace('src/a.txt', 'a', 'ours')
  const ours = changes.version
  expect(ours).toBeGreaterThan(before)
  await writeFile(join(path, 'src/b.txt'), 'theirs\n')
  await drift()
  expect(changes.version).toBeGreaterThan(ours)
  await worktree.snapshot()
  expect(await readFile(join(path, 'src/b.txt'), 'utf8')).toBe('theirs\n')
})

test('what is begun when a worktree has ended ends at once', async () => {
  const gateway = await openGateway(repository)
  const { worktree } = await gateway.open('ivan')
  await worktree.stop()
  let ended = 0
  worktree.checkout.onStop(async () => {
    ended += 1
  })
  expect(ended).toBe(1)
})

test('a worktree that nobody watches says so', async () => {
  const gateway = await openGateway(repository)
  const { worktree } = await gateway.open('frank')
  expect(worktree.checkout.changes.isWatched).toBe(false)
})

test.concurrent('doctor tells how the open worktrees are watched', async () => {
  const gateway = await openGateway(repository, { watching: true, indexing: true })
  const { worktree } = await watched('grace', gateway)
  const { id } = worktree
  const { checks } = await gateway.gateway.examine()
  const told = checks.filter(({ name }) => name === 'watching' || name === 'symbol_index')
  expect(told.map(({ status, detail }) => [status, detail])).toEqual([
    ['ok', `${id}: 2 directories by chokidar`],
    ['ok', `${id}: 0 of 0 new files read`],
  ])
})

test.concurrent('a worktree can be closed while it is watched and others write in it', async () => {
  const gateway = await openGateway(repository, { watching: true, indexing: true })
  const { id, write } = await watched('heidi', gateway)
  await write('src/a.txt', 'theirs\n')
  await gateway.gateway.closeWorktree(id, { force: true })
})

test.each<[string, number, string, string | undefined]>([
  ['a small tree', 200, 'linux', 'chokidar'],
  ['a large tree', 201, 'linux', 'directories'],
  ['a large tree elsewhere', 201, 'darwin', 'chokidar'],
  ['a tree that is too large', 50_001, 'linux', undefined],
])('%s', (_, directories, platform, kind) => expect(watchKind(directories, platform)).toBe(kind))
