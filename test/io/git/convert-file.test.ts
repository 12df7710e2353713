import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseOid } from '#src/core/oid.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { cleanFile, smudgeBlob, withIndexCopy } from '#src/io/git/convert-file.js'
import type { GitPlace } from '#src/io/git/run-git.js'
import { type Content, makeRepository, type TestRepository } from '../../support/repository.js'

const a = parseRepoPath('a.txt')

interface World {
  readonly repository: TestRepository
  readonly place: GitPlace
  readonly gitDir: string
}

async function makeWorld(files: Readonly<Record<string, Content>>): Promise<World> {
  const repository = await makeRepository(files)
  const gitDir = join(repository.path, '.git')
  const env = { PATH: process.env.PATH ?? '', GIT_DIR: gitDir, GIT_WORK_TREE: repository.path }
  return { repository, gitDir, place: { git: 'git', env, cwd: repository.path, flags: [] } }
}

describe('the blob id of a file as it stands', () => {
  test.each([
    ['text', '', 'a\n', 'b\n', 'b\n'],
    ['text=auto, LF stored', '* text=auto\n', 'a\n', 'b\r\n', 'b\n'],
    ['eol=crlf', '* eol=crlf\n', 'a\n', 'b\r\n', 'b\n'],
    ['ident', '*.txt ident\n', 'a\n', '$Id: 1234 $\n', '$Id$\n'],
    ['UTF-16', '*.txt working-tree-encoding=UTF-16LE\n', '', Buffer.from('é\n', 'utf16le'), 'é\n'],
  ])('%s', async (_, attributes, before, disk, stored) => {
    const { repository, place, gitDir } = await makeWorld({
      '.gitattributes': attributes,
      'a.txt': before,
    })
    await repository.write('a.txt', disk)
    const index = readFileSync(join(gitDir, 'index'))
    const oid = await cleanFile(place, gitDir, a)
    expect(await repository.git('cat-file', 'blob', oid ?? '')).toBe(stored.trimEnd())
    expect(readFileSync(join(gitDir, 'index')).equals(index)).toBe(true)
    expect(readdirSync(join(gitDir, 'editlatch'))).toEqual([])
    await repository.git('add', 'a.txt')
    expect(await repository.git('rev-parse', ':a.txt')).toBe(oid)
  })

  test('a blob with CRLF stays so under text=auto, which hash-object does not know', async () => {
    const { repository, place, gitDir } = await makeWorld({ 'a.txt': 'a\r\n' })
    await repository.write('.gitattributes', '* text=auto\n')
    await repository.write('a.txt', 'a\r\nb\r\n')
    const oid = await cleanFile(place, gitDir, a)
    expect(await repository.git('hash-object', '--no-filters', 'a.txt')).toBe(oid)
    expect(await repository.git('hash-object', 'a.txt')).not.toBe(oid)
  })

  test('of a file that git does not track, or ignores', async () => {
    const { repository, place, gitDir } = await makeWorld({ '.gitignore': 'a.txt\n' })
    await repository.write('a.txt', 'a\n')
    expect(await cleanFile(place, gitDir, a)).toBe('78981922613b2afb6025042ff6bd878ac1994e85')
    expect(await repository.git('ls-files')).toBe('.gitignore')
  })

  test('of no file there is none', async () => {
    const { repository, place, gitDir } = await makeWorld({ 'a.txt': 'a\n' })
    await rm(join(repository.path, 'a.txt'))
    expect(await cleanFile(place, gitDir, a)).toBeUndefined()
  })

  test('of a directory that became a file, and the reverse', async () => {
    const { repository, place, gitDir } = await makeWorld({ 'a.txt': 'a\n', 'd/b.txt': 'b\n' })
    await rm(join(repository.path, 'a.txt'))
    await rm(join(repository.path, 'd'), { recursive: true })
    await repository.write('a.txt/b.txt', 'b\n')
    await repository.write('d', 'a\n')
    expect(await cleanFile(place, gitDir, parseRepoPath('a.txt/b.txt'))).toBe(
      await repository.git('rev-parse', 'HEAD:d/b.txt'),
    )
    expect(await cleanFile(place, gitDir, parseRepoPath('d'))).toBe(
      await repository.git('rev-parse', 'HEAD:a.txt'),
    )
  })
})

test.each([
  ['as it is', '', 'a\n', 'a\n'],
  ['with CRLF', '*.txt eol=crlf\n', 'a\n', 'a\r\n'],
  ['in another encoding', '*.txt working-tree-encoding=UTF-16BE\n', 'é', '\u0000\u00e9'],
])('a blob is written %s', async (_, attributes, blob, disk) => {
  const { repository, place } = await makeWorld({ 'x.bin': blob })
  await repository.write('.gitattributes', attributes)
  const oid = parseOid(await repository.git('rev-parse', 'HEAD:x.bin'))
  expect((await smudgeBlob(place, a, oid)).toString('latin1')).toBe(disk)
})

test('the copy of the index is as old as the original, and goes whatever happens', async () => {
  const { gitDir } = await makeWorld({ 'a.txt': 'a\n' })
  const original = statSync(join(gitDir, 'index')).mtimeMs
  const copied = await withIndexCopy(gitDir, async copy => statSync(copy).mtimeMs)
  expect(copied).toBeLessThanOrEqual(original)
  expect(original - copied).toBeLessThan(1)
  const failing = withIndexCopy(gitDir, () => Promise.reject(new Error('on purpose')))
  await expect(failing).rejects.toThrow('on purpose')
  expect(readdirSync(join(gitDir, 'editlatch'))).toEqual([])
})
