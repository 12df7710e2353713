import { execFileSync } from 'node:child_process'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { readOrCreateToken } from '#src/io/state/token-file.js'

const uid = process.geteuid?.() ?? 0
const token = 'a'.repeat(43)

async function freshDirectory(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'state-')), 'editlatch')
}

async function codeOf(path: string, user = uid): Promise<unknown> {
  return readOrCreateToken(path, user).then(
    () => 'read',
    error => (error instanceof Refusal ? error.code : error),
  )
}

test('SEC-2: the first start makes a token that only its owner can read', async () => {
  const directory = await freshDirectory()
  const made = await readOrCreateToken(join(directory, 'token'), uid)
  expect(made).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(await readFile(join(directory, 'token'), 'utf8')).toBe(`${made}\n`)
  expect((await stat(join(directory, 'token'))).mode & 0o777).toBe(0o600)
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  expect(await readdir(directory)).toEqual(['token'])
})

test('SEC-2: ten first starts at once agree', async () => {
  const path = join(await freshDirectory(), 'token')
  const made = await Promise.all(Array.from({ length: 10 }, () => readOrCreateToken(path, uid)))
  expect(new Set(made).size).toBe(1)
})

type Setup = (path: string) => Promise<unknown>

test.each<[string, Setup, string]>([
  ['a plain file of mode 0600', async path => writeFile(path, token, { mode: 0o600 }), 'read'],
  ['mode 0400', async path => writeFile(path, token, { mode: 0o400 }), 'read'],
  [
    'a file its group can read',
    path => writeFile(path, token, { mode: 0o640 }),
    'UNSAFE_TOKEN_FILE',
  ],
  ['a file all can read', path => writeFile(path, token, { mode: 0o604 }), 'UNSAFE_TOKEN_FILE'],
  ['a short token', path => writeFile(path, 'hunter2', { mode: 0o600 }), 'UNSAFE_TOKEN_FILE'],
  ['an empty file', path => writeFile(path, '', { mode: 0o600 }), 'UNSAFE_TOKEN_FILE'],
  ['a directory', path => mkdir(path), 'UNSAFE_TOKEN_FILE'],
  ['a FIFO', async path => execFileSync('mkfifo', ['-m', '600', path]), 'UNSAFE_TOKEN_FILE'],
  [
    'a symbolic link',
    async path => {
      await writeFile(`${path}.real`, token, { mode: 0o600 })
      await symlink(`${path}.real`, path)
    },
    'UNSAFE_TOKEN_FILE',
  ],
  ['a link to nowhere', path => symlink(`${path}.missing`, path), 'UNSAFE_TOKEN_FILE'],
])('SEC-2: %s', async (_, setup, expected) => {
  const directory = await freshDirectory()
  await mkdir(directory, { mode: 0o700 })
  await setup(join(directory, 'token'))
  expect(await codeOf(join(directory, 'token'))).toBe(expected)
})

test('SEC-2: a directory that others can write is refused', async () => {
  const directory = await freshDirectory()
  await mkdir(directory)
  await chmod(directory, 0o777)
  expect(await codeOf(join(directory, 'token'))).toBe('UNSAFE_TOKEN_FILE')
})

test('SEC-2: a file of another user is refused', async () => {
  const path = join(await freshDirectory(), 'token')
  await readOrCreateToken(path, uid)
  expect(await codeOf(path, uid + 1)).toBe('UNSAFE_TOKEN_FILE')
})
