import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildRepository } from '../../scripts/bench/build-repository.mjs'
import { pickTexts } from '../../scripts/bench/pick-texts.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'bench-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

async function built(name: string): Promise<{ readonly path: string; readonly head: string }> {
  const path = join(scratch, name)
  await buildRepository(path, 200)
  return { path, head: git(path, 'rev-parse', 'HEAD') }
}

function git(cwd: string, ...args: readonly string[]): string {
  return spawnSync('git', args, { cwd, encoding: 'utf8' }).stdout.trim()
}

test('a repository is built of so many files, packed, the same each time', async () => {
  const { path, head } = await built('one')
  expect((await built('two')).head).toBe(head)
  expect(git(path, 'ls-tree', '-r', '--name-only', head).split('\n')).toHaveLength(200)
  expect(git(path, 'rev-list', '--count', head)).toBe('300')
  expect(git(path, 'count-objects')).toMatch(/^0 objects/)
  expect(pickTexts(path, head)).toHaveLength(20)
})
