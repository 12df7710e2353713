import { describe, expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { defaultLimits } from '#src/core/limits.js'
import { parseOid } from '#src/core/oid.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { openText } from '#src/formats/text/text-file.js'
import { type ReadOptions, renderRead } from '#src/report/read-view.js'
import { renderReadText } from '#src/report/render-read-text.js'

const a = parseOid('a'.repeat(40))
const shownA = 'a'.repeat(12)

describe('a read answer', () => {
  function text(content: string, options: Partial<ReadOptions> = {}, readBytes = 100): string {
    const blob = { oid: a, mode: '100644', bytes: new TextEncoder().encode(content) } as const
    const limits = { ...defaultLimits, readBytes }
    return renderReadText(
      renderRead(
        parseRepoPath('f'),
        blob,
        openText(blob.bytes),
        { view: 'plain', ...options },
        limits,
      ),
    )
  }

  test.each<[string, string, string]>([
    ['usual facts are not told', text('a\nb\n'), '2 lines\na\nb\n'],
    [
      'unusual ones are',
      text('\ufeffa\r\nb'),
      '2 lines, utf-8-bom, crlf, no final newline\na\nb\n',
    ],
    ['an empty file', text(''), '0 lines\n'],
    ['a stretch', text('a\nb\n', { lines: { start: 2, end: 2 } }), 'lines 2-2 of 2\nb\n'],
    ['a cut', text('aa\nbb\n', {}, 4), 'lines 1-1 of 2\naa\ncut here: read on from line 2\n'],
    ['a cut line', text('aaa\n', {}, 2), '1 line\naa\ncut within the line\n'],
    [
      'binary',
      text('\0'),
      '1 byte, binary\n(raw (Accept: application/octet-stream) answers its bytes)\n',
    ],
    ['escape sequences', text('\u001b]0;x\u0007\n'), '1 line\n\\x1b]0;x\\x07\n'],
  ])('%s', (_, shown, expected) => expect(shown).toBe(`f ${shownA} ${expected}`))
})

test('a long file has its outline below, and says how to go on', () => {
  const rows = Array.from({ length: 300 }, (_, at) => `${at + 1}\n`)
  const blob = { oid: a, mode: '100644', bytes: new TextEncoder().encode(rows.join('')) } as const
  const options = { view: 'plain', opensBriefly: true } as const
  const shown = renderRead(parseRepoPath('f'), blob, openText(blob.bytes), options, defaultLimits)
  const outline = [{ name: 'run', kind: 'function', start_line: 70, end_line: 90 } as const]
  expect(renderReadText({ ...shown, outline })).toBe(
    `f ${shownA} lines 1-60 of 300\n${rows.slice(0, 60).join('')}70-90 function run\n(cut here: name lines, such as 61-180, or a symbol; lines 1- are all of it)\n`,
  )
})

test('several files are told one below the other', () => {
  const { message } = new Refusal('FILE_NOT_FOUND')
  const refused = new Refusal('FILE_NOT_FOUND', { path: 'x', suggestions: ['y'] }).toJSON()
  const blob = { oid: a, mode: '100644', bytes: new TextEncoder().encode('one\n') } as const
  const files = [
    renderRead(parseRepoPath('f'), blob, openText(blob.bytes), { view: 'plain' }, defaultLimits),
    { path: 'g', rev: a, not_modified: true } as const,
    { path: 'x', refused },
  ]
  expect(renderReadText({ files, truncated: true, left_out: ['p', 'q:1-2'] })).toBe(
    [
      `f ${shownA} 1 line`,
      'one',
      `g ${shownA} not modified`,
      'x refused:',
      `FILE_NOT_FOUND: ${message}`,
      'next_action: reread',
      'path: x',
      'suggestions: ["y"]',
      '(cut here; read these again: p, q:1-2)',
      '',
    ].join('\n'),
  )
})
