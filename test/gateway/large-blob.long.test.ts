import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import { create, expectClean, openGateway, refusal } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const bytes = 300 * 1024 * 1024
/** Far less than the file, and than any copy of it. */
const mayGrowBytes = 64 * 1024 * 1024

test('a blob of 300 MB is refused, and costs nothing beside what is edited', async () => {
  const repository = await makeRepository({ 'a.txt': 'a\n' })
  const file = openSync(join(repository.path, 'large.bin'), 'w')
  ftruncateSync(file, bytes)
  writeSync(file, 'some text\n')
  closeSync(file)
  await repository.git('-c', 'core.compression=1', 'add', '.')
  await repository.git('commit', '--quiet', '-m', 'large')
  // The second reader would read it whole.
  const { open, gateway } = await openGateway(repository, { secondReader: false })
  const worktree = await open('x')
  const before = process.memoryUsage().rss
  const rev = await worktree.git('rev-parse', 'HEAD:large.bin')
  const tooLarge = { code: 'TOO_LARGE', limit: defaultLimits.fileBytes }
  expect(await refusal(worktree.rev('large.bin'))).toMatchObject(tooLarge)
  const edits = [
    { op: 'append_lines', path: 'large.bin', text: 'x', expected_rev: rev },
    {
      op: 'replace_lines',
      path: 'large.bin',
      start_line: 1,
      end_line: 1,
      text: 'x',
      expected_rev: rev,
    },
    { op: 'write_file', path: 'large.bin', text: 'x', expected_rev: rev },
    { op: 'move_file', path: 'large.bin', to: 'moved.bin', expected_rev: rev },
    { op: 'delete_file', path: 'large.bin', expected_rev: rev },
  ] as const
  const told: unknown[] = []
  for (const edit of edits) {
    const head = await worktree.git('rev-parse', 'HEAD')
    const outcome = await worktree.apply([edit]).then(
      () => 'done',
      error => error.code,
    )
    told.push([edit.op, outcome])
    if (outcome === 'done') await worktree.git('reset', '--quiet', '--hard', head)
  }
  expect(told).toEqual(edits.map(({ op }) => [op, 'TOO_LARGE']))
  await worktree.replace('a.txt', 'a', 'A')
  await worktree.apply([create('n.txt', 'n\n')])
  const { files } = await worktree.worktree.unreported({})
  expect(files.map(({ path }) => path)).toEqual(['a.txt', 'n.txt'])
  await expectClean(worktree)
  await gateway.examine()
  const grown = process.memoryUsage().rss - before
  console.log(`${Math.round(grown / 2 ** 20)} MiB more for ${bytes / 2 ** 20} MiB`)
  expect(grown).toBeLessThan(mayGrowBytes)
}, 300_000)
