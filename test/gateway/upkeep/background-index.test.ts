import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BackgroundIndex } from '#src/gateway/upkeep/background-index.js'
import { openGateway, type TestWorktree } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

const stateDir = await mkdtemp(join(tmpdir(), 'state-'))
afterAll(() => rm(stateDir, { recursive: true, force: true }))

const files = Array.from({ length: 70 }, (_, number) => [
  `src/${number % 7}/file-${number}.ts`,
  `export function name${number}() {}\n`,
])
const repository = await makeRepository({
  ...Object.fromEntries(files),
  'min.js': `${'x'.repeat(5_000)}\n`,
  'read.me': 'a text in no language\n',
  'data.py': 'a\0b',
  link: { symlink: 'src' },
})

async function indexed({ worktree }: TestWorktree): Promise<object> {
  const index = new BackgroundIndex(worktree.checkout, 0)
  index.soon()
  await index.idle()
  const { unread, read, isPartial, isRunning } = index.progress
  return { unread, read, isPartial, isRunning }
}

test('what is tracked is read once, whatever worktree or process asks for it', async () => {
  const first = await openGateway(repository, { stateDir })
  const alice = await first.open('alice')
  const all = { unread: 72, read: 72, isPartial: false, isRunning: false }
  // The 70, a minified one and one that is no text after all.
  expect(await indexed(alice)).toEqual(all)
  const none = { ...all, unread: 0, read: 0 }
  expect(await indexed(await first.open('bob', { files: 'none' }))).toEqual(none)
  await first.close()
  const second = await openGateway(repository, { stateDir })
  const carol = await second.open('carol')
  expect(await indexed(carol)).toEqual(none)
  await carol.write('src/new.ts', 'export class Fresh {}\n')
  await carol.git('add', 'src/new.ts')
  expect(await indexed(carol)).toEqual({ ...all, unread: 1, read: 1 })
})

test('it ends with its worktree', async () => {
  const gateway = await openGateway(repository)
  const { worktree } = await gateway.open('dave')
  const index = new BackgroundIndex(worktree.checkout, 0)
  worktree.checkout.onStop(() => index.stop())
  index.soon()
  while (!index.progress.isRunning) await new Promise(resolve => setImmediate(resolve))
  await gateway.close()
  expect(index.progress.isRunning).toBe(false)
})
