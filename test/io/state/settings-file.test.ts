import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { readSettingsFile } from '#src/io/state/settings-file.js'

const uid = process.geteuid?.() ?? 0

type Prepare = (path: string) => Promise<unknown>

async function outcome(prepare: Prepare, followLinks = false): Promise<unknown> {
  const path = join(await mkdtemp(join(tmpdir(), 'settings-')), 'config.json')
  await prepare(path)
  try {
    const bytes = readSettingsFile(path, { owners: [uid], followLinks })
    return bytes === undefined ? 'none' : new TextDecoder().decode(bytes)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.code}: ${String(error.data.problem)}`
  }
}

const elsewhere: Prepare = async path => {
  await writeFile(`${path}.real`, '{}')
  await symlink(`${path}.real`, path)
}

test.each<[string, Prepare, string]>([
  ['a file', path => writeFile(path, '{}'), '{}'],
  ['an empty file', path => writeFile(path, ''), ''],
  ['nothing', async () => undefined, 'none'],
  ['a link', elsewhere, 'INVALID_SETTINGS: it is a symbolic link'],
  [
    'a link to nowhere',
    path => symlink('nowhere', path),
    'INVALID_SETTINGS: it is a symbolic link',
  ],
  ['a directory', path => mkdir(path), 'INVALID_SETTINGS: it is no regular file'],
  [
    'a FIFO',
    async path => execFileSync('mkfifo', [path]),
    'INVALID_SETTINGS: it is no regular file',
  ],
  [
    'more than anybody says',
    path => writeFile(path, ' '.repeat(65_537)),
    'INVALID_SETTINGS: it is larger than 65536 bytes',
  ],
  [
    'what everybody can write',
    async path => {
      await writeFile(path, '{}')
      await chmod(path, 0o666)
    },
    'INVALID_SETTINGS: everybody can write it',
  ],
])('%s', async (_, prepare, told) => expect(await outcome(prepare)).toBe(told))

test('the user’s own file may be a link, as those who keep them elsewhere make it', async () => {
  expect(await outcome(elsewhere, true)).toBe('{}')
})

test.skipIf(uid !== 0)('what belongs to somebody else is refused', async () => {
  const told = await outcome(async path => {
    await writeFile(path, '{}')
    await chown(path, 4_321, 4_321)
    expect(await readFile(path, 'utf8')).toBe('{}')
  })
  expect(told).toBe('INVALID_SETTINGS: it belongs to another user')
})
