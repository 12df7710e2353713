import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holdCollection, isCollecting } from '#src/io/git/garbage-collection.js'
import { makeRepository } from '../../support/repository.js'

/** No process has it: the largest pid that Linux gives is 4,194,304. */
const noPid = 4_999_999

async function makePlace() {
  const repository = await makeRepository({ 'a.txt': 'a\n' })
  const commonDir = join(repository.path, '.git')
  mkdirSync(join(commonDir, 'editlatch'))
  return { repository, commonDir, path: join(commonDir, 'gc.pid') }
}

test.each([
  ['nothing', undefined, true],
  ['a git gc that runs', `${process.pid} ${hostname()}`, false],
  ['a git gc of another machine', '1 elsewhere', false],
  ['a git gc that has ended', `${noPid} ${hostname()}`, true],
  ['no record at all', 'x', true],
])('the lock of git gc is taken beside %s: %s', async (_, text, isTaken) => {
  const { commonDir, path } = await makePlace()
  if (text !== undefined) writeFileSync(path, text)
  const release = holdCollection(commonDir)
  expect(release !== undefined).toBe(isTaken)
  expect(isCollecting(commonDir)).toBe(!isTaken)
  release?.()
  expect(existsSync(path)).toBe(!isTaken)
  if (!isTaken) expect(readFileSync(path, 'utf8')).toBe(text)
})

test('git believes in it, and one that somebody has replaced stays', async () => {
  const { repository, commonDir, path } = await makePlace()
  const release = holdCollection(commonDir)
  await expect(repository.git('gc')).rejects.toThrow(`pid ${process.pid}`)
  await repository.git('gc', '--force', '--quiet')
  writeFileSync(path, "somebody's")
  release?.()
  expect(readFileSync(path, 'utf8')).toBe("somebody's")
})
