import { describe, expect, test } from 'vitest'
import type { AnchorScheme } from '#src/core/anchor-scheme.js'
import { defaultLimits } from '#src/core/limits.js'
import { parseBatch } from '#src/edit/batch.js'
import { anchorOf } from '../../support/anchor-of.js'
import { refusal, run } from '../sandbox.js'
import { editHashline, type HashlineEdit } from './hashline-sandbox.js'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** An anchor of a line in the file under edit, or one that is said as it is. */
type Place = number | string

const step =
  (op: string) =>
  (anchor: Place, content?: string, end?: Place): HashlineEdit => ({
    op,
    anchor,
    ...(content !== undefined && { content }),
    ...(end !== undefined && { end_anchor: end }),
  })
const replace = step('replace')
const insertAfter = step('insert_after')
const insertBefore = step('insert_before')
const remove = (anchor: Place, end?: Place): HashlineEdit => step('delete')(anchor, undefined, end)
const write = (content: string): HashlineEdit => ({ op: 'write', content })

/** The steps with the anchors that a read of the text shows. */
function anchored(text: string, steps: readonly HashlineEdit[], scheme: AnchorScheme = 'chunk') {
  const bytes = encode(text)
  const named = (place: unknown): unknown =>
    typeof place === 'number' ? anchorOf(bytes, place, scheme) : place
  return steps.map(one =>
    Object.fromEntries(Object.entries(one).map(([field, value]) => [field, named(value)])),
  )
}

async function edited(text: string, steps: readonly HashlineEdit[]): Promise<string> {
  const flat = anchored(text, steps).map(one => ({ path: 'f', ...one }))
  const done = await editHashline(encode(text), flat)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(done)
}

describe('what is done', () => {
  test.each<[string, string, readonly HashlineEdit[], string]>([
    ['replaces a line', 'a\nb\nc\n', [replace(2, 'B')], 'a\nB\nc\n'],
    ['replaces by several', 'a\nb\n', [replace(2, 'x\ny\n')], 'a\nx\ny\n'],
    ['replaces a range', 'a\nb\nc\nd\n', [replace(2, 'x', 3)], 'a\nx\nd\n'],
    ['replaces by nothing', 'a\nb\nc\n', [replace(2, '')], 'a\nc\n'],
    ['deletes', 'a\nb\nc\n', [remove(1, 2)], 'c\n'],
    ['inserts after', 'a\nb\n', [insertAfter(1, 'x')], 'a\nx\nb\n'],
    ['inserts before', 'a\nb\n', [insertBefore(1, 'x')], 'x\na\nb\n'],
    ['inserts an empty line', 'a\nb\n', [insertAfter(1, '')], 'a\n\nb\n'],
    ['inserts at the start', 'a\n', [insertAfter('0:', 'x')], 'x\na\n'],
    ['inserts at the end', 'a\n', [insertAfter('EOF', 'x')], 'a\nx\n'],
    ['inserts after the last line', 'a\nb', [insertAfter(2, 'x')], 'a\nb\nx'],
    ['inserts into an empty file', '', [insertAfter('EOF', 'x')], 'x\n'],
    ['writes the whole file', 'a\n', [write('x\ny')], 'x\ny'],
    ['keeps CRLF', 'a\r\nb\r\nc\r\n', [replace(2, 'x\ny')], 'a\r\nx\r\ny\r\nc\r\n'],
    ['keeps CR', 'a\rb\r', [replace(1, 'x')], 'x\rb\r'],
    ['keeps mixed endings', 'a\r\nb\nc\r\n', [replace(2, 'B')], 'a\r\nB\nc\r\n'],
    ['keeps a mark', '\ufeffa\nb\n', [replace(1, 'x')], '\ufeffx\nb\n'],
    ['adds no final newline', 'a\nb', [replace(2, 'x\n')], 'a\nx'],
    ['takes code with colons and arrows', 'a\n', [replace(1, 'a::b->c()')], 'a::b->c()\n'],
    [
      'maps what comes later',
      'a\nb\nc\n',
      [insertAfter(1, 'x\ny'), replace(3, 'C')],
      'a\nx\ny\nb\nC\n',
    ],
    [
      'keeps the order at one place',
      'a\nb\n',
      [insertAfter(1, 'x'), insertAfter(1, 'y')],
      'a\nx\ny\nb\n',
    ],
    [
      'inserts behind what is replaced',
      'a\nb\nc\n',
      [replace(1, 'x', 2), insertAfter(2, 'y')],
      'x\ny\nc\n',
    ],
    ['ends a range behind the last line', 'a\nb\n', [replace(1, '', 3)], ''],
  ])('%s', async (_, text, steps, result) => expect(await edited(text, steps)).toBe(result))

  const steps = anchored('a\nb\nc\n', [replace(1, 'A'), replace(3, 'C')])
  test.each<[string, unknown]>([
    ['a list of edits', steps.map(one => ({ path: 'f', ...one }))],
    ['the list as JSON text', JSON.stringify(steps.map(one => ({ path: 'f', ...one })))],
    ['steps of one file', [{ path: 'f', edits: steps }]],
    ['a single edit', { file_path: 'f', edits: steps }],
    ['steps as JSON text', [{ path: 'f', edits: JSON.stringify(steps) }]],
    [
      'a single step',
      [
        { path: 'f', edits: steps[0] },
        { path: 'f', edits: steps[1] },
      ],
    ],
  ])('said as %s', async (_, edits) => {
    const done = await editHashline(encode('a\nb\nc\n'), edits)
    expect(new TextDecoder().decode(done)).toBe('A\nb\nC\n')
  })
})

describe('what is refused', () => {
  test.each<[string, string, readonly HashlineEdit[], Record<string, unknown>]>([
    ['a changed line', 'a\nb\n', [replace('1:abc:def', 'x')], { code: 'ANCHOR_STALE', line: 1 }],
    [
      'a batch with one such line',
      'a\nb\n',
      [replace(1, 'x'), replace('2:abc:def', 'x')],
      { code: 'ANCHOR_STALE', index: 1 },
    ],
    ['a line that never was', 'a\n', [replace('9:abc:def', 'x')], { code: 'OUT_OF_RANGE' }],
    ['an end before the start', 'a\nb\n', [replace(2, 'x', 1)], { code: 'INVALID_ARGUMENTS' }],
    ['a hash cut short', 'a\n', [replace('1:ob:yzo', 'x')], { code: 'INVALID_ARGUMENTS' }],
    [
      'an anchor without its context',
      'a\n',
      [replace('1:obk', 'x')],
      { code: 'INVALID_ARGUMENTS' },
    ],
    ['an anchor without its line', 'a\n', [replace('obk:yzo', 'x')], { code: 'INVALID_ARGUMENTS' }],
    ['no anchor', 'a\n', [{ op: 'replace', content: 'x' }], { code: 'INVALID_ARGUMENTS' }],
    ['no content', 'a\n', [{ op: 'replace', anchor: 1 }], { code: 'INVALID_ARGUMENTS' }],
    ['the end of the file as a line', 'a\n', [replace('EOF', 'x')], { code: 'INVALID_ARGUMENTS' }],
    ['the line behind the end', 'a\n', [replace(2, 'x')], { code: 'OUT_OF_RANGE' }],
    [
      'overlapping ranges',
      'a\nb\nc\n',
      [replace(1, 'x', 2), replace(2, 'y')],
      { code: 'OVERLAPPING_EDITS' },
    ],
    [
      'an insertion inside a range',
      'a\nb\nc\n',
      [replace(1, 'x', 3), insertAfter(2, 'y')],
      { code: 'OVERLAPPING_EDITS', index: 1 },
    ],
    [
      'an insertion just before a range, whatever comes first',
      'a\nb\nc\n',
      [insertAfter(1, 'y'), replace(2, 'x', 3)],
      { code: 'OVERLAPPING_EDITS', index: 0 },
    ],
    [
      'write beside another step',
      'a\n',
      [insertAfter(1, 'x'), write('y')],
      { code: 'INVALID_ARGUMENTS' },
    ],
    [
      'pasted anchors',
      'a\n',
      [replace(1, '1:obk:yzo→a')],
      { code: 'UNSUPPORTED_OP', field: 'text', line: 1 },
    ],
  ])('%s', async (_, text, steps, told) => {
    expect(await refusal(() => edited(text, steps))).toMatchObject(told)
  })

  test('anchors where the worktree is read plain', async () => {
    const edits = [{ path: 'f', op: 'replace', anchor: '1:obk:yzo', content: 'x' }]
    const parse = () => parseBatch({ dialect: 'hashline', edits }, defaultLimits)
    expect(await refusal(parse)).toMatchObject({
      code: 'UNSUPPORTED_OP',
      reason: 'this worktree is read without anchors; open another one with view hashline',
    })
  })

  test.each([
    ['replace_text', { find: '12:abc:def→a', replace: 'x' }, 'find'],
    ['write_file', { text: '1:abc→a\n2:abc→b\n' }, 'text'],
    ['insert_lines', { line: 1, text: '1:abc:def→a' }, 'text'],
  ])('anchors pasted into a plain edit: %s', async (op, fields, field) => {
    const edits = [{ op, path: 'f', ...fields }]
    expect(await refusal(() => run({ f: 'a\n' }, edits))).toMatchObject({
      code: 'UNSUPPORTED_OP',
      field,
      line: 1,
    })
  })

  test('but not where they are meant', async () => {
    const edits = [{ op: 'write_file', path: 'f', text: '1:abc→a\n', literal: true }]
    const { changes } = await run({ f: 'a\n' }, edits)
    expect(new TextDecoder().decode(changes[0]?.after?.bytes)).toBe('1:abc→a\n')
  })

  test('a step that cannot be, by its place', async () => {
    const edits = [{ path: 'f', edits: [{ op: 'swap', anchor: '1:abc:def' }] }]
    expect(await refusal(() => editHashline(encode('a\n'), edits))).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      index: 0,
      problems: [{ field: 'edits.op' }],
    })
  })
})

describe('a stale anchor', () => {
  const lines = (count: number, name = 'line') =>
    Array.from({ length: count }, (_, index) => `${name} ${index + 1}\n`).join('')
  const stale = (read: string, line: number, now: string, scheme: AnchorScheme = 'chunk') =>
    refusal(() =>
      editHashline(
        encode(now),
        { path: 'f', op: 'delete', anchor: anchorOf(encode(read), line, scheme) },
        scheme,
      ),
    )

  test('tells where the line went, with fresh anchors around it, and these are taken', async () => {
    const [read, now] = [lines(20), lines(3, 'new') + lines(20)]
    const told = await stale(read, 12, now)
    const fresh = anchorOf(encode(now), 15, 'chunk')
    expect(told).toMatchObject({
      code: 'ANCHOR_STALE',
      line: 12,
      anchor: anchorOf(encode(read), 12, 'chunk'),
      shifted_to: fresh,
      shift_proof: 'block',
    })
    const context = told.context as readonly string[]
    expect(context).toHaveLength(11)
    expect(context[5]).toBe(`${fresh}→line 12`)
    const done = await editHashline(encode(now), {
      path: 'f',
      op: 'delete',
      anchor: told.shifted_to,
    })
    expect(new TextDecoder().decode(done)).toBe(now.replace('line 12\n', ''))
  })

  test('tells the lines that stand there where its line is gone', async () => {
    const told = await stale(lines(3), 2, 'line 1\nother\nline 3\n')
    expect(told).not.toHaveProperty('shifted_to')
    expect(told.context).toHaveLength(3)
  })

  test('whose neighbours alone have changed is told its own line again', async () => {
    const now = 'line 1\nline 2\nother\n'
    expect(await stale(lines(3), 2, now)).toMatchObject({
      shifted_to: anchorOf(encode(now), 2, 'chunk'),
      shift_proof: 'line',
    })
  })

  test('that fits several lines tells them all, the nearest first', async () => {
    const now = 'new\na\nb\na\n'
    expect(await stale('a\nc\n', 1, now, 'content')).toMatchObject({
      code: 'ANCHOR_AMBIGUOUS',
      candidates: [2, 4].map(line => anchorOf(encode(now), line, 'content')),
    })
  })

  test('of an empty file has nothing around it', async () => {
    expect(await stale('a\n', 1, '')).toMatchObject({ code: 'ANCHOR_STALE', context: [] })
  })
})
