import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { parseRepoPath } from '#src/core/repo-path.js'
import {
  AttributeReader,
  type Conversion,
  cleanIsIdentity,
  type FileAttributes,
  smudgeIsIdentity,
  wouldBeRenormalised,
} from '#src/io/git/attributes.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

const none: Conversion = { autocrlf: 'false', eolIsCrlf: false, otherAttributeFiles: false }
const plain: FileAttributes = { recodes: false, text: 'no', crlf: false }

const started: AttributeReader[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map(reader => reader.stop()))
})

function readerOf({ path }: TestRepository, conversion: () => Conversion): AttributeReader {
  const gitDir = join(path, '.git')
  const env = { PATH: process.env.PATH ?? '', GIT_DIR: gitDir, GIT_WORK_TREE: path }
  const index = { path: join(gitDir, 'index'), cache: new Map() }
  const place = { git: 'git', env, cwd: path, flags: [] }
  const reader = new AttributeReader(place, path, conversion, index)
  started.push(reader)
  return reader
}

const a = parseRepoPath('d/a.txt')

describe('what rules a file', () => {
  test.each([
    ['nothing', '', {}, plain],
    ['text', '*.txt text', {}, { ...plain, text: 'set' }],
    ['-text', '*.txt -text', { autocrlf: 'true' }, plain],
    ['text=auto', '* text=auto', {}, { ...plain, text: 'auto' }],
    ['eol=crlf', '*.txt eol=crlf', {}, { ...plain, text: 'set', crlf: true }],
    ['eol=lf under autocrlf', '*.txt eol=lf', { autocrlf: 'true' }, { ...plain, text: 'set' }],
    ['autocrlf', '', { autocrlf: 'true' }, { ...plain, text: 'auto', crlf: true }],
    ['autocrlf=input', '', { autocrlf: 'input' }, { ...plain, text: 'auto' }],
    ['core.eol alone', '', { eolIsCrlf: true }, plain],
    ['core.eol and text', '* text', { eolIsCrlf: true }, { ...plain, text: 'set', crlf: true }],
    ['binary', '*.txt binary', { autocrlf: 'true' }, plain],
    ['the old name crlf', '*.txt crlf', {}, { ...plain, text: 'set' }],
    ['the old -crlf', '*.txt -crlf', { autocrlf: 'true' }, plain],
    ['ident', '*.txt ident', {}, { ...plain, recodes: true }],
    ['an encoding', '*.txt working-tree-encoding=UTF-8', {}, { ...plain, recodes: true }],
    ['a filter', '*.txt filter=lfs', {}, { ...plain, recodes: true, filter: 'lfs' }],
    ['a filter taken away', '* filter=lfs\n*.txt -filter', {}, plain],
    ['a macro', '[attr]mine eol=crlf\n*.txt mine', {}, { ...plain, text: 'set', crlf: true }],
  ] satisfies (readonly [string, string, Partial<Conversion>, FileAttributes])[])(
    '%s',
    async (_, attributes, conversion, expected) => {
      const files = attributes === '' ? {} : { '.gitattributes': `${attributes}\n` }
      const repository = await makeRepository({ ...files, 'd/a.txt': 'a\n' })
      const reader = readerOf(repository, () => ({ ...none, ...conversion }))
      expect(await reader.of(a)).toEqual(expected)
    },
  )
})

describe('as it changes', () => {
  test('on the disk, in any directory above', async () => {
    const repository = await makeRepository({ 'd/a.txt': 'a\n' })
    const reader = readerOf(repository, () => none)
    expect(await reader.of(a)).toEqual(plain)
    await repository.write('.gitattributes', '*.txt eol=crlf\n')
    expect((await reader.of(a)).crlf).toBe(true)
    await repository.write('d/.gitattributes', '*.txt eol=lf\n')
    expect((await reader.of(a)).crlf).toBe(false)
    await rm(join(repository.path, 'd/.gitattributes'))
    expect((await reader.of(a)).crlf).toBe(true)
    await rm(join(repository.path, '.gitattributes'))
    expect(await reader.of(a)).toEqual(plain)
  })

  test('in the index alone', async () => {
    const repository = await makeRepository({ 'd/a.txt': 'a\n', 'd/.gitattributes': '* text\n' })
    await rm(join(repository.path, 'd/.gitattributes'))
    const reader = readerOf(repository, () => none)
    expect((await reader.of(a)).text).toBe('set')
    await repository.git('rm', '--quiet', '--cached', 'd/.gitattributes')
    expect((await reader.of(a)).text).toBe('no')
    await repository.git('update-index', '--index-version', '4')
    await repository.write('d/.gitattributes', '* -text\n*.txt text=auto\n')
    await repository.git('add', 'd/.gitattributes')
    await rm(join(repository.path, 'd/.gitattributes'))
    expect((await reader.of(a)).text).toBe('auto')
  })

  test('in the configuration', async () => {
    const repository = await makeRepository({ 'd/a.txt': 'a\n' })
    let conversion = none
    const reader = readerOf(repository, () => conversion)
    expect(await reader.of(a)).toEqual(plain)
    conversion = { ...none, autocrlf: 'true' }
    expect((await reader.of(a)).crlf).toBe(true)
  })
})

test('many files at once, each by its own rule', async () => {
  const repository = await makeRepository({ '.gitattributes': '*.c eol=crlf\n*.l filter=f\n' })
  const reader = readerOf(repository, () => none)
  const paths = ['a.c', 'b.txt', 'c.l', 'not/there.c', 'b.txt/below'].map(parseRepoPath)
  await repository.write('b.txt', 'a file')
  const answers = await Promise.all(paths.map(path => reader.of(path)))
  expect(answers.map(({ crlf, filter }) => filter ?? crlf)).toEqual([true, false, 'f', true, false])
})

const bytes = (text: string): Uint8Array => Buffer.from(text)

test.each([
  ['plain', plain, 'a\r\n', true, true, false],
  ['text, LF', { ...plain, text: 'set' }, 'a\n', true, true, false],
  ['text, CRLF', { ...plain, text: 'set' }, 'a\r\n', true, false, true],
  ['text, a lone CR', { ...plain, text: 'set' }, 'a\rb\n', true, false, false],
  ['auto, CRLF', { ...plain, text: 'auto' }, 'a\r\n', true, false, false],
  ['CRLF outside', { ...plain, text: 'set', crlf: true }, 'a\n', false, true, false],
  ['recoded', { ...plain, recodes: true }, 'a\n', false, false, false],
] satisfies (readonly [string, FileAttributes, string, boolean, boolean, boolean])[])(
  'what git would do to the bytes: %s',
  (_, attributes, text, smudge, clean, renormalised) => {
    expect([
      smudgeIsIdentity(attributes),
      cleanIsIdentity(attributes, bytes(text)),
      wouldBeRenormalised(attributes, bytes(text)),
    ]).toEqual([smudge, clean, renormalised])
  },
)
