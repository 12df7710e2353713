import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Change } from '#src/core/change.js'
import { parseOid } from '#src/core/oid.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { formatCommitMessage, parseCommitMessage } from '#src/report/commit-message.js'

const trailers = [
  { key: 'Editlatch-Batch', value: 'b1' },
  { key: 'Editlatch-Agent', value: 'real' },
]
const block = 'Editlatch-Batch: b1\nEditlatch-Agent: real\n'

function formatted(message: string): string {
  return formatCommitMessage({ message, ops: [], changes: [], trailers })
}

const blob = { oid: parseOid('1'.repeat(40)), mode: '100644', bytes: new Uint8Array() } as const
const created = (path: string): Change => ({ path: parseRepoPath(path), after: blob })
const edited = (path: string): Change => ({ ...created(path), before: blob })
const deleted = (path: string): Change => ({ path: parseRepoPath(path), before: blob })
const moved = (from: string, path: string): Change => ({
  ...edited(path),
  from: parseRepoPath(from),
})

describe('formatCommitMessage', () => {
  const long = 'word '.repeat(20).trim()
  test.each([
    ['a subject alone', 'Fix it', 'Fix it'],
    ['a body is kept', 'Fix it\n\nBecause.\n\n- a\n  - b', 'Fix it\n\nBecause.\n\n- a\n  - b'],
    ['a blank line is put below the subject', 'Fix it\nand that', 'Fix it\n\nand that'],
    ['space around is dropped', '\n\n  Fix it  \n\n\n', 'Fix it'],
    ['CRLF and CR become LF', 'Fix it\r\n\r\na\rb', 'Fix it\n\na\nb'],
    ['control characters are dropped', 'Fix\u0000 \u001b[31mit\u009b\u007f', 'Fix [31mit'],
    ['tabs stay', 'Fix it\n\n\ta', 'Fix it\n\n\ta'],
    ['half a surrogate pair is replaced', 'Fix \ud800it', 'Fix \ufffdit'],
    ['72 characters fit', 'x'.repeat(72), 'x'.repeat(72)],
    ['72 characters outside the BMP fit', '😀'.repeat(72), '😀'.repeat(72)],
    ['one word is cut hard', 'x'.repeat(80), `${'x'.repeat(71)}…\n\n…${'x'.repeat(9)}`],
    [
      'a long subject is cut at a word',
      long,
      `${'word '.repeat(14).trim()}…\n\n…${'word '.repeat(6).trim()}`,
    ],
    [
      'what was cut stands above the body',
      `${'x'.repeat(72)}y\n\nb`,
      `${'x'.repeat(71)}…\n\n…xy\n\nb`,
    ],
    [
      'a line like our trailer is indented',
      'Fix\n\nEditlatch-Agent: x',
      'Fix\n\n Editlatch-Agent: x',
    ],
    ['a line that ends a message for git is indented', 'Fix\n\n---\n--- x', 'Fix\n\n ---\n --- x'],
    ['other dashes stay', 'Fix\n\n----\n---x', 'Fix\n\n----\n---x'],
  ])('%s', (_, message, expected) => expect(formatted(message)).toBe(`${expected}\n\n${block}`))

  test.each([
    ['Create a/b.ts', [created('a/b.ts')]],
    ['Edit src/app.ts', [edited('src/app.ts')]],
    ['Delete x', [deleted('x')]],
    ['Move a to b', [moved('a', 'b')]],
    ['Create 2 files', [created('a'), created('b')]],
    ['Edit 3 files', [created('a'), edited('b'), moved('c', 'd')]],
  ])('without a message it says: %s', (subject, changes) => {
    const message = formatCommitMessage({ message: ' \r\n\u0000', ops: [], changes, trailers })
    expect(message).toBe(`${subject}\n\n${block}`)
  })

  test('without changes it names what the ops name', () => {
    const ops = [{ index: 0, op: 'replace_text', path: 'a.ts' }]
    expect(formatCommitMessage({ ops, changes: [], trailers: [] })).toBe('Edit a.ts\n')
  })

  test('the value of a trailer is one line', () => {
    const intent = { key: 'Editlatch-Intent', value: ' a\r\n\r\nEditlatch-Agent: x\u0000\n' }
    const message = formatCommitMessage({ message: 'm', ops: [], changes: [], trailers: [intent] })
    expect(message).toBe('m\n\nEditlatch-Intent: a Editlatch-Agent: x\n')
  })
})

describe('parseCommitMessage', () => {
  test.each([
    ['only a subject', 'Fix', 'Fix', '', []],
    ['our trailers', `Fix\n\nbody\n\n${block}`, 'Fix', 'body', trailers],
    ['a subject of two lines', `a\nb\n\n${block}`, 'a b', '', trailers],
    ['trailers of others are not ours', 'Fix\n\nFixes: 1', 'Fix', 'Fixes: 1', []],
    ['trailers of others beside ours', `Fix\n\n${block}Signed-off-by: x`, 'Fix', '', trailers],
    ['an earlier paragraph does not count', `Fix\n\n${block}\nend`, 'Fix', `${block}\nend`, []],
    ['the subject does not count', 'Editlatch-Agent: x', 'Editlatch-Agent: x', '', []],
    ['prose in the block spoils it', `Fix\n\nhm\n${block}`, 'Fix', `hm\n${block}`.trim(), []],
  ])('%s', (_, text, subject, body, expected) =>
    expect(parseCommitMessage(text)).toEqual({ subject, body, trailers: expected }),
  )
})

describe('against git interpret-trailers', () => {
  let directory = ''
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'editlatch-message-'))
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  function gitTrailers(message: string, ...options: readonly string[]): readonly string[] {
    const printed = execFileSync('git', ['interpret-trailers', '--parse', ...options], {
      cwd: directory,
      input: message,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        GIT_CEILING_DIRECTORIES: tmpdir(),
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
      },
    })
    return printed.split('\n').filter(line => line.startsWith('Editlatch-'))
  }

  function ourTrailers(message: string): readonly string[] {
    return parseCommitMessage(message).trailers.map(({ key, value }) => `${key}: ${value}`.trim())
  }

  const forged = 'Editlatch-Agent: forged'
  const scissors = '# ------------------------ >8 ------------------------'

  test.each([
    ['plain', 'Fix'],
    ['forged subject', forged],
    ['forged last paragraph', `Fix\n\n${forged}`],
    ['forged last paragraph with a sign-off', `Fix\n\n${forged}\nSigned-off-by: a <b>`],
    ['forged and folded', `Fix\n\n${forged}\n  more`],
    ['forged, then a divider', `Fix\n\n${forged}\n---\nmore`],
    ['a divider as subject', `---\n\n${forged}`],
    ['a divider with text', `Fix\n\n${forged}\n\n--- a/x\n+++ b/x`],
    ['a divider and a tab', `Fix\n\n${forged}\n\n---\tx`],
    ['forged, then scissors', `Fix\n\n${forged}\n${scissors}\nmore`],
    ['scissors as subject', scissors],
    ['scissors of another comment character', `Fix\n\n${forged}\n${scissors.replace('#', ';')}`],
    ['comments at the end', `Fix\n\n${forged}\n# comment`],
    ['a conflict list at the end', `Fix\n\n${forged}\n\nConflicts:\n\ta`],
    ['CRLF', `Fix\r\n\r\n${forged}\r\n`],
    ['lone CR', `Fix\r\r${forged}\r`],
    ['CR before a divider', `Fix\n\n${forged}\r---\r`],
    ['NUL and ESC in a forged line', `Fix\n\n\u0000Edit\u001blatch-Agent: forged`],
    ['NUL before a divider', `Fix\n\n${forged}\n\u0000---`],
    ['line separators', `Fix\u2028${forged}\u2029---\n\n${forged}\u2028`],
    ['next line', `Fix\u0085\u0085${forged}`],
    ['form feed and vertical tab', `Fix\f\v${forged}\n\f---`],
    ['no-break spaces', `Fix\n\u00a0\n${forged}\n\u00a0`],
    ['blank lines at the end', `Fix\n\n${forged}\n\n \n\t\n`],
    ['no text at all', ''],
    ['only blanks', ' \n\t\r\n'],
    ['a very long subject', `${forged} ${'x'.repeat(500)}`],
    ['a very long subject cut before a forged key', `${'x'.repeat(71)} ${forged}`],
  ])('%s: what we format, git and we read alike, and only ours', (_, message) => {
    const text = formatted(message)
    const ours = block.trim().split('\n')
    expect(ourTrailers(text)).toEqual(ours)
    expect(gitTrailers(text)).toEqual(ours)
    expect(gitTrailers(text, '--no-divider')).toEqual(ours)
    expect(
      gitTrailers(formatCommitMessage({ message, ops: [], changes: [], trailers: [] })),
    ).toEqual([])
  })

  test.each([
    ['a newline and a key', `a\n${forged}`],
    ['a blank line', `a\n\n${forged}`],
    ['CR', `a\r${forged}\r\n\r\n`],
    ['a divider', '---'],
    ['a line separator', 'a\u2028b'],
    ['no-break space around', '\u00a0a\u00a0'],
    ['empty', ''],
    ['colons', ': a: b:'],
    ['double spaces', 'a  "b  c"'],
    ['a byte order mark', '\ufeffa'],
  ])('a trailer value with %s stays one trailer', (_, value) => {
    const all = [
      ...trailers,
      { key: 'Editlatch-Intent', value },
      { key: 'Editlatch-Key', value: 'k' },
    ]
    const text = formatCommitMessage({ message: 'm', ops: [], changes: [], trailers: all })
    expect(ourTrailers(text)).toHaveLength(4)
    expect(gitTrailers(text).map(line => line.trim())).toEqual(ourTrailers(text))
  })

  test.each([
    ['ours', `Fix\n\n${block}`],
    ['folded lines', 'Fix\n\nEditlatch-Intent: a\n  b\n\tc\nEditlatch-Key: k'],
    ['a block that begins folded', 'Fix\n\n  Editlatch-Intent: a'],
    ['CRLF', 'Fix\r\n\r\nEditlatch-Key: k\r\nEditlatch-Agent: a\r\n'],
    ['blank lines of spaces', 'Fix\n \t\nEditlatch-Key: k\n  \n'],
    ['space before the colon', 'Fix\n\nEditlatch-Key : k'],
    ['no space after the colon', 'Fix\n\nEditlatch-Key:k'],
    ['a picked commit', `Fix\n\n${block}(cherry picked from commit 1234)`],
    ['a sign-off', `Fix\n\n${block}Signed-off-by: a <b>`],
    ['two blocks', `Fix\n\nEditlatch-Key: 1\n\nEditlatch-Key: 2`],
    ['a key of odd letters', 'Fix\n\nEditlatch_Key: k'],
    ['no subject', block],
    ['subject and trailers without a blank line', `Fix\n${block}`],
    [
      'prose in between',
      `Fix\n\nEditlatch-Key: 1\nprose\nmore prose\nand more\nEditlatch-Agent: 2`,
    ],
  ])('%s: what others wrote is read as git reads it', (_, text) => {
    expect(ourTrailers(text)).toEqual(gitTrailers(text, '--no-divider'))
  })
})
