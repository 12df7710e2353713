import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildDemoRepository } from '../../fixtures-repos/demo.mjs'
import { testRepository } from '../support/repository.js'

const folder = await mkdtemp(join(tmpdir(), 'demo-'))
afterAll(() => rm(folder, { recursive: true }))
const demo = testRepository(join(folder, 'demo'))
const head = buildDemoRepository(demo.path)

test('its ids are the same everywhere', () => {
  expect(head).toBe('0ce554397a57b0c1e21398c5ca801fdc341f3735')
})

test('its worktree is clean', async () => {
  expect(await demo.git('status', '--porcelain')).toBe('')
})

test('the line that README edits stands there once', async () => {
  const text = await readFile(join(demo.path, 'src/greet.ts'), 'utf8')
  expect(text.split("  return 'Hello, ' + name\n")).toHaveLength(2)
})

test('its guest list has CR LF endings and its script may be run', async () => {
  expect(await demo.git('ls-files', '--eol', 'data')).toMatch(/^i\/crlf +w\/crlf/)
  expect(await demo.git('ls-files', '--stage', 'scripts')).toMatch(/^100755 /)
})
