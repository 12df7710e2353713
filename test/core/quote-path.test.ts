import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cQuote, quotePath, unquotePath } from '#src/core/quote-path.js'

const names = [
  'plain.ts',
  'with space.ts',
  ' leading and trailing ',
  '"quoted".ts',
  'back\\slash',
  'tab\there',
  'line\nbreak',
  'cr\rhere',
  'bell\u0007 bs\b vt\v ff\f',
  'esc\u001b[31m',
  'del\u007f',
  'umläut.ts',
  '日本.ts',
  '😀.ts',
  '\ufeffbom',
  '\u00a0nbsp',
  "quote'single`tick$",
  '#hash',
  '~!@%^&*()[]{};,?<>|',
  '-dash',
]

describe('against git', () => {
  let directory = ''
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: directory,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    })

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'editlatch-quote-'))
    git('init', '-q')
    for (const name of names) writeFileSync(join(directory, name), '')
    git('add', '-A')
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  test('paths are quoted as git ls-files quotes them', () => {
    const printed = git('ls-files').split('\n').filter(Boolean)
    expect(names.map(quotePath).sort()).toEqual(printed.sort())
  })
})

test.each(names)('%j comes back from its quoted form', name => {
  expect(unquotePath(quotePath(name))).toBe(name)
  expect(unquotePath(cQuote(name))).toBe(name)
})

test.each([
  ['no closing quote', '"abc'],
  ['a lone quote', '"'],
  ['a bare quote inside', '"a"b"'],
  ['an unknown escape', '"\\x41"'],
  ['an octal escape cut short', '"\\30"'],
  ['an octal escape past a byte', '"\\777"'],
  ['a trailing backslash', '"abc\\"'],
  ['bytes that are not UTF-8', '"\\377"'],
])('%s has no path', (_, text) => expect(unquotePath(text)).toBeUndefined())

test('text without quotes is the path itself', () => {
  expect(unquotePath('a b\\c')).toBe('a b\\c')
})
