import { describe, expect, test } from 'vitest'
import { parseOid } from '#src/core/oid.js'
import type { LineRange, OpResult, Warning } from '#src/core/receipt.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { formatCommitMessage, parseCommitMessage } from '#src/report/commit-message.js'
import {
  editTrailers,
  type HashedChange,
  parseEditTrailer,
  parseWarningTrailer,
} from '#src/report/edit-trailers.js'

const one = parseOid('1'.repeat(40))
const two = parseOid('2'.repeat(64))
const blob = { oid: one, mode: '100644', bytes: new Uint8Array() } as const
const range = (start: number, end = start): LineRange => ({ start, end })

function changed(path: string, from?: string): HashedChange {
  return {
    path: parseRepoPath(path),
    ...(from !== undefined && { from: parseRepoPath(from) }),
    before: blob,
    after: blob,
    afterOid: two,
  }
}
const created = (path: string): HashedChange => ({
  path: parseRepoPath(path),
  after: blob,
  afterOid: two,
})
const deleted = (path: string): HashedChange => ({ path: parseRepoPath(path), before: blob })

describe('Editlatch-Edit', () => {
  test.each<[string, Omit<OpResult, 'index'>, readonly HashedChange[], string]>([
    [
      'an edit',
      {
        op: 'replace_text',
        path: 'a.ts',
        level: 'exact',
        lines: [range(3, 5)],
        new_lines: [range(3)],
      },
      [changed('a.ts')],
      `a.ts ${one}..${two} replace_text exact L3-5 +3-3`,
    ],
    [
      'a lenient match',
      { op: 'replace_text', path: 'a', level: 'line_trimmed', reindented: true, lines: [range(3)] },
      [changed('a')],
      `a ${one}..${two} replace_text line_trimmed reindented L3-3`,
    ],
    [
      'a block',
      { op: 'replace_text', path: 'a', level: 'block_anchor', similarity: 0.9, lines: [range(3)] },
      [changed('a')],
      `a ${one}..${two} replace_text block_anchor 0.9 L3-3`,
    ],
    [
      'a block that was indented and changed nothing that could be told',
      { op: 'replace_text', path: 'a', level: 'block_anchor', similarity: 1, reindented: true },
      [changed('a')],
      `a ${one}..${two} replace_text block_anchor 1 reindented`,
    ],
    [
      'several places',
      { op: 'replace_text', path: 'a', level: 'exact', lines: [range(3), range(9, 8)] },
      [changed('a')],
      `a ${one}..${two} replace_text exact L3-3,9-8`,
    ],
    [
      'a new file',
      { op: 'write_file', path: 'a', new_lines: [range(1, 2)] },
      [created('a')],
      `a new..${two} write_file - +1-2`,
    ],
    [
      'a deleted file',
      { op: 'delete_file', path: 'a' },
      [deleted('a')],
      `a ${one}..deleted delete_file -`,
    ],
    [
      'a file moved away',
      { op: 'move_file', path: 'a' },
      [changed('b', 'a')],
      `a ${one}..${two} move_file -`,
    ],
    [
      'a path with something new on it',
      { op: 'write_file', path: 'a' },
      [changed('b', 'a'), created('a')],
      `a new..${two} write_file -`,
    ],
    ['a file that stayed as it was', { op: 'write_file', path: 'a' }, [], 'a - write_file -'],
    [
      'a name with spaces',
      { op: 'x', path: ' a new..deleted y - L1-1 ' },
      [],
      '" a new..deleted y - L1-1 " - x -',
    ],
    ['a name with a quote', { op: 'x', path: 'a"b' }, [], '"a\\"b" - x -'],
    ['a name beyond ASCII', { op: 'x', path: 'ä' }, [], '"\\303\\244" - x -'],
    ['a name with a hash', { op: 'x', path: '#1' }, [], '"#1" - x -'],
    ['a name of a dash', { op: 'x', path: '-' }, [], '- - x -'],
  ])('%s is written and read back', (_, op, changes, value) => {
    expect(editTrailers(changes, [{ index: 0, ...op }], [])).toEqual([
      { key: 'Editlatch-Edit', value },
    ])
    const { path, before, after, ...told } = parseEditTrailer(value) ?? {}
    expect({ ...told, path }).toEqual(op)
    const change = changes.find(each => each.path === path) ?? changes[0]
    expect([before, after]).toEqual([change?.before?.oid ?? null, change?.afterOid ?? null])
  })

  test('of very many ranges the first hundred are kept', () => {
    const lines = Array.from({ length: 150 }, (_, index) => range(2 * index + 1))
    const [trailer] = editTrailers([], [{ index: 0, op: 'x', path: 'a', lines }], [])
    expect(trailer?.value.endsWith(',199-199,..')).toBe(true)
    expect(parseEditTrailer(trailer?.value ?? '')?.lines).toEqual(lines.slice(0, 100))
  })

  test.each([
    ['empty', ''],
    ['no revisions', 'a replace_text exact'],
    ['a short id', 'a 123..456 replace_text exact'],
    ['more words', `a new..${two} x - L1-1 more`],
    ['ranges of no numbers', `a new..${two} x - L1`],
    ['a path not quoted', `a b new..${two} x -`],
    ['a quote left open', `"a new..${two} x -`],
    ['a name that is not UTF-8', `"\\377" new..${two} x -`],
  ])('%s is not read', (_, value) => expect(parseEditTrailer(value)).toBeUndefined())

  test('a level of another version is left out', () => {
    expect(parseEditTrailer('a - x guessed')).toEqual({
      path: 'a',
      before: null,
      after: null,
      op: 'x',
    })
  })
})

describe('Editlatch-Warning', () => {
  test.each<[string, Warning]>([
    [
      'introduces_syntax_error a.ts L12',
      { code: 'introduces_syntax_error', path: 'a.ts', line: 12 },
    ],
    [
      'introduces_syntax_error "L1 b.c" L3 uncertain',
      { code: 'introduces_syntax_error', path: 'L1 b.c', line: 3, uncertain: true },
    ],
    ['near_rewrite', { code: 'near_rewrite' }],
    ['near_rewrite #12 a.ts', { code: 'near_rewrite', op: 12, path: 'a.ts' }],
    ['would_be_renormalised a.ts', { code: 'would_be_renormalised', path: 'a.ts' }],
    ['near_rewrite "#12"', { code: 'near_rewrite', path: '#12' }],
    ['near_rewrite " a"', { code: 'near_rewrite', path: ' a' }],
  ])('%s is written and read back', (value, warning) => {
    expect(editTrailers([], [], [warning])).toEqual([{ key: 'Editlatch-Warning', value }])
    expect(parseWarningTrailer(value)).toEqual(warning)
  })

  test.each(['', 'unheard_of a', 'near_rewrite a b', 'near_rewrite #x y'])(
    '%j is not read',
    value => expect(parseWarningTrailer(value)).toBeUndefined(),
  )
})

test('trailers survive the message they are written into', () => {
  const ops = [
    { index: 0, op: 'write_file', path: 'a  b' },
    { index: 1, op: 'write_file', path: 'ü"\\n' },
  ]
  const trailers = editTrailers([created('a  b')], ops, [{ code: 'near_rewrite', path: ' ' }])
  const message = formatCommitMessage({ ops, changes: [], trailers })
  expect(parseCommitMessage(message).trailers).toEqual(trailers)
})
