import { mkdtemp } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository } from '#src/io/git/open-repository.js'
import { makeRepository } from '../../support/repository.js'

test.each([
  ['is no directory', devNull],
  ['does not exist', '/nonexistent'],
])('a repository is opened with a home that %s', async (_, HOME) => {
  const { path } = await makeRepository({ a: 'a\n' })
  const stateDir = await mkdtemp(join(tmpdir(), 'state-'))
  const host = { PATH: process.env.PATH, HOME }
  const { commonDir } = await openRepository(path, { host, stateDir, trustConfig: false })
  expect(commonDir).toBe(join(path, '.git'))
})
