import { describe, expect, test } from 'vitest'
import { defaultLimits, fixedLimits } from '#src/core/limits.js'
import { parseOid } from '#src/core/oid.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { openText } from '#src/formats/text/text-file.js'
import { type ReadOptions, renderRead } from '#src/report/read-view.js'

const rev = parseOid('a'.repeat(40))

function read(content: string | Uint8Array, options: Partial<ReadOptions> = {}, readBytes = 1000) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const blob = { oid: rev, mode: '100644', bytes } as const
  const limits = { ...defaultLimits, readBytes }
  return renderRead(
    parseRepoPath('f'),
    blob,
    openText(blob.bytes),
    { view: 'plain', ...options },
    limits,
  )
}

test('a whole file is told with all its facts', () => {
  expect(read('a\nb\n')).toEqual({
    path: 'f',
    rev,
    mode: '100644',
    encoding: 'utf-8',
    eol: 'lf',
    bytes: 4,
    total_lines: 2,
    start_line: 1,
    end_line: 2,
    final_newline: true,
    text: 'a\nb\n',
    truncated: false,
  })
})

describe('facts', () => {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
  test.each<[string, string | Uint8Array, object]>([
    ['CRLF', 'a\r\nb\r\n', { eol: 'crlf', text: 'a\r\nb\r\n', total_lines: 2 }],
    ['CR', 'a\rb\r', { eol: 'cr', text: 'a\rb\r', total_lines: 2 }],
    ['mixed breaks', 'a\r\nb\n', { eol: 'mixed', text: 'a\r\nb\n', total_lines: 2 }],
    ['no final newline', 'a\nb', { final_newline: false, text: 'a\nb', total_lines: 2 }],
    ['one line without an end', 'a', { eol: 'none', final_newline: false, total_lines: 1 }],
    ['an empty file', '', { eol: 'none', text: '', total_lines: 0, start_line: 1, end_line: 0 }],
    ['a byte order mark', '\ufeffa\n', { encoding: 'utf-8-bom', text: 'a\n', bytes: 5 }],
    ['UTF-16', utf16('ä\r\n'), { encoding: 'utf-16le', eol: 'crlf', text: 'ä\r\n', bytes: 8 }],
    [
      'bytes that are not UTF-8',
      Uint8Array.of(0x61, 0xe4, 0x0a),
      { text: 'a\ufffd\n', lossy: true },
    ],
  ])('%s', (_, content, expected) => expect(read(content)).toMatchObject(expected))

  test('what is no text is only described', () => {
    const answer = read(Uint8Array.of(0, 255, 1, 2))
    expect(answer).toEqual({
      path: 'f',
      rev,
      mode: '100644',
      encoding: 'binary',
      eol: 'none',
      bytes: 4,
      kind: 'binary',
      total_lines: 0,
      start_line: 1,
      end_line: 0,
      final_newline: false,
      truncated: false,
      go_on: expect.stringContaining('application/octet-stream'),
    })
  })
})

describe('opened briefly', () => {
  const opensBriefly = true
  const rows = (count: number): string =>
    Array.from({ length: count }, (_, at) => `row ${at + 1}\n`).join('')
  const { readWholeLines, readWindowLines, minifiedChars } = fixedLimits

  test.each<[string, string, Partial<ReadOptions>, object]>([
    [
      'a short file is whole',
      rows(readWholeLines),
      {},
      { end_line: readWholeLines, truncated: false },
    ],
    [
      'a long one begins',
      rows(readWholeLines + 1),
      {},
      {
        text: rows(readWindowLines),
        end_line: readWindowLines,
        total_lines: readWholeLines + 1,
        truncated: true,
        next_line: readWindowLines + 1,
        go_on: expect.stringContaining(`${readWindowLines + 1}-`),
      },
    ],
    [
      'with its first lines numbered',
      rows(500),
      { view: 'numbered' },
      { text: expect.stringMatching(/^1\trow 1\n(?:.*\n)*60\trow 60$/) },
    ],
    [
      'all lines that are asked for are answered',
      rows(500),
      { lines: { start: 1, end: 1_000 } },
      { end_line: 500, truncated: false },
    ],
    [
      'nothing of a minified one is shown',
      `${'x;'.repeat(minifiedChars)}\n`,
      {},
      { kind: 'minified', total_lines: 1, end_line: 0, truncated: true, next_line: 1 },
    ],
    [
      'but the beginning of the lines that are asked for',
      `${'x;'.repeat(minifiedChars)}\n`,
      { lines: { start: 1, end: 1 } },
      { line_cut: true, text: 'x;'.repeat(5_000) },
    ],
    ['a long line in a small file is shown', 'x'.repeat(5_000), {}, { truncated: false }],
  ])('%s', (_, content, options, expected) =>
    expect(read(content, { opensBriefly, ...options }, 10_000)).toMatchObject(expected),
  )
})

describe('lines', () => {
  const text = 'a\r\nb\nc'
  test.each<[string, string, readonly [number, number], object]>([
    ['a stretch', text, [1, 2], { text: 'a\r\nb\n', start_line: 1, end_line: 2 }],
    ['the last line', text, [3, 3], { text: 'c', start_line: 3, end_line: 3 }],
    ['an end past the last line', text, [2, 99], { text: 'b\nc', start_line: 2, end_line: 3 }],
    ['an empty file', '', [5, 9], { text: '', start_line: 1, end_line: 0 }],
  ])('%s', (_, content, [start, end], expected) =>
    expect(read(content, { lines: { start, end } })).toMatchObject({
      ...expected,
      truncated: false,
    }),
  )

  test.each([
    ['a start past the last line', 4, 5],
    ['an end before the start', 2, 1],
    ['line zero', 0, 1],
  ])('%s is refused', (_, start, end) => {
    const data = { path: 'f', start, end, total_lines: 3 }
    expect(() => read(text, { lines: { start, end } })).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE', data }),
    )
  })
})

describe('the numbered view', () => {
  test.each<[string, string, Partial<ReadOptions>, string]>([
    ['numbers and tabs', 'a\n\nb\n', {}, '1\ta\n2\t\n3\tb'],
    ['breaks are LF', 'a\r\nb\r\n', {}, '1\ta\n2\tb'],
    ['a stretch', 'a\nb\nc\n', { lines: { start: 2, end: 3 } }, '2\tb\n3\tc'],
    ['an empty file', '', {}, ''],
  ])('%s', (_, content, options, expected) =>
    expect(read(content, { ...options, view: 'numbered' }).text).toBe(expected),
  )
})

describe('the budget', () => {
  test.each<[string, string, Partial<ReadOptions>, number, object]>([
    ['all fits', 'aa\nbb\n', {}, 6, { text: 'aa\nbb\n', end_line: 2, truncated: false }],
    [
      'it cuts between lines',
      'aa\nbb\n',
      {},
      5,
      { text: 'aa\n', end_line: 1, truncated: true, next_line: 2 },
    ],
    ['it counts bytes', 'ä\nä\n', {}, 5, { text: 'ä\n', end_line: 1, next_line: 2 }],
    [
      'it counts numbers',
      'a\nb\n',
      { view: 'numbered' },
      6,
      { text: '1\ta', end_line: 1, truncated: true, next_line: 2 },
    ],
    [
      'a huge line is cut within',
      'aaaaaa\nb\n',
      {},
      4,
      { text: 'aaaa', end_line: 1, truncated: true, line_cut: true, next_line: 2 },
    ],
    [
      'never within a character',
      'a😀\n',
      {},
      4,
      { text: 'a', end_line: 1, truncated: true, line_cut: true },
    ],
    [
      'a stretch is cut within itself',
      'a\nb\nc\nd\n',
      { lines: { start: 2, end: 3 } },
      3,
      { text: 'b\n', start_line: 2, end_line: 2, next_line: 3 },
    ],
  ])('%s', (_, content, options, readBytes, expected) =>
    expect(read(content, options, readBytes)).toMatchObject(expected),
  )

  test('a cut last line has no next line', () => {
    expect(read('aaaa', {}, 2)).not.toHaveProperty('next_line')
  })

  test('lines read on and on are the whole file', () => {
    const content = Array.from({ length: 50 }, (_, index) => 'x'.repeat(index % 9)).join('\n')
    let whole = ''
    let next: number | undefined = 1
    while (next !== undefined) {
      const answer: ReturnType<typeof read> = read(content, { lines: { start: next, end: 99 } }, 20)
      whole += answer.text
      next = answer.next_line
    }
    expect(whole).toBe(content)
  })
})

describe('the hashline view', () => {
  const view = 'hashline'
  test.each<[string, string, Partial<ReadOptions>, object]>([
    ['CRLF', 'a\r\nb\r\n', {}, { text: '1:obk:yzo→a\n2:rby:yzo→b', total_lines: 2 }],
    ['CR', 'a\rb\r', {}, { text: '1:obk:yzo→a\n2:rby:yzo→b', total_lines: 2 }],
    ['no final newline', 'a\nb', { anchors: 'content' }, { text: '1:obk→a\n2:rby→b' }],
    ['white space', '  a\n', { anchors: 'content' }, { text: '1:obk→  a' }],
    ['an empty line', 'a\n\n', { anchors: 'content' }, { text: '1:obk→a\n2:ddg→' }],
    ['an empty file', '', {}, { text: '', start_line: 1, end_line: 0 }],
  ])('%s', (_, content, options, expected) =>
    expect(read(content, { ...options, view })).toMatchObject(expected),
  )

  test('of some lines has the anchors of the whole file, and is cut after whole lines', () => {
    const content = Array.from({ length: 40 }, (_, index) => `row ${index}\n`).join('')
    const whole = read(content, { view }).text?.split('\n') ?? []
    const some = read(content, { view, lines: { start: 10, end: 12 } })
    expect(some.text).toBe(whole.slice(9, 12).join('\n'))
    const cut = read(content, { view, lines: { start: 10, end: 12 } }, 45)
    expect(cut).toMatchObject({
      text: whole.slice(9, 11).join('\n'),
      truncated: true,
      next_line: 12,
    })
  })
})
