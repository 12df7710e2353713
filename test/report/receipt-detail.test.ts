import { describe, expect, test } from 'vitest'
import { fixedLimits } from '#src/core/limits.js'
import { parseOid } from '#src/core/oid.js'
import type { OpResult, Receipt, ReceiptFile, Warning } from '#src/core/receipt.js'
import { freshAnchors } from '#src/report/fresh-anchors.js'
import { receiptInDetail } from '#src/report/receipt-detail.js'

const oid = parseOid('a'.repeat(40))
const body = '@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n e\n'
const file: ReceiptFile = {
  path: 'f',
  status: 'modified',
  before_rev: oid,
  after_rev: oid,
  ranges: [{ start: 3, end: 3 }],
  patch: `--- a/f\n+++ b/f\n${body}`,
}
const op: OpResult = { index: 0, op: 'replace_text', path: 'f', level: 'exact' }

function receipt(change: Partial<Receipt> = {}): Receipt {
  const about = { commit: oid, parent: oid, warnings: [], already_applied: false, dry_run: false }
  return { ...about, files: [file], ops: [op], ...change }
}

const u1 = '@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n'
const syntaxWarning: Warning = { code: 'introduces_syntax_error', path: 'f', line: 3 }

describe('where nothing is asked for', () => {
  test.each<[string, Partial<Receipt>, string | undefined]>([
    ['an exact edit is told by ranges', {}, undefined],
    ['so is an op that names lines', { ops: [{ ...op, op: 'replace_lines' }] }, undefined],
    ['a tolerant one shows its patch', { ops: [{ ...op, level: 'line_trimmed' }] }, u1],
    ['so does one that was indented anew', { ops: [{ ...op, reindented: true }] }, u1],
    [
      'so does one that names lines by content',
      { ops: [{ ...op, op: 'delete_lines_containing' }] },
      u1,
    ],
    ['so does one of two', { ops: [op, { ...op, index: 1, level: 'block_anchor' }] }, u1],
    [
      "another file's op does not",
      { ops: [op, { ...op, path: 'g', level: 'block_anchor' }] },
      undefined,
    ],
    ['what no op did, as a revert, shows its patch', { ops: [] }, u1],
    ['a new syntax error does', { warnings: [syntaxWarning] }, u1],
    ['a merged edit does', { files: [{ ...file, rebased_from: oid }] }, u1],
    ['a dry run does', { commit: null, dry_run: true }, u1],
  ])('%s', (_, change, patch) => {
    expect(receiptInDetail(receipt(change), undefined).files[0]?.patch).toBe(patch)
  })

  test('patches are shown as far as they fit', () => {
    const large = `@@ -1 +1 @@\n-${'x'.repeat(fixedLimits.receiptPatchBytes)}\n+y\n`
    const files = [
      { ...file, patch: large },
      { ...file, path: 'g' },
    ]
    const told = receiptInDetail(receipt({ files, ops: [] }), undefined).files
    expect(told.map(one => one.patch)).toEqual([undefined, u1])
    expect(told[0]?.patch_truncated).toBe(true)
  })
})

test.each([
  ['ranges', undefined],
  ['u0', '@@ -3 +3 @@\n-c\n+C\n'],
  ['u1', u1],
  ['u3', file.patch],
] as const)('asked for %s', (detail, patch) => {
  const { patch: _patch, ...rest } = file
  const files = [patch === undefined ? rest : { ...rest, patch }]
  expect(receiptInDetail(receipt(), detail)).toEqual(receipt({ files }))
})

test.each([
  ['u0', true],
  ['u3', true],
  ['ranges', undefined],
] as const)('a patch that was left out is told of where one is asked for: %s', (detail, told) => {
  const { patch: _patch, ...rest } = file
  const files = [{ ...rest, patch_truncated: true } as const]
  expect(receiptInDetail(receipt({ files }), detail).files[0]?.patch_truncated).toBe(told)
})

describe('fresh anchors', () => {
  const blob = { oid, mode: '100644', bytes: Buffer.from('a\nb\nc\nd\ne\nf\ng\nh\n') } as const
  const lines = (ranges: ReceiptFile['ranges']) =>
    freshAnchors('content')
      .anchorsOf(blob, ranges)
      .anchored?.replace(/:[a-z]+→/g, ' ')

  test.each<[string, ReceiptFile['ranges'], string]>([
    ['a line and those beside it', [{ start: 3, end: 3 }], '2 b\n3 c\n4 d'],
    ['both sides of lines that are gone', [{ start: 3, end: 2 }], '2 b\n3 c'],
    [
      'each line once',
      [
        { start: 1, end: 1 },
        { start: 3, end: 3 },
      ],
      '1 a\n2 b\n3 c\n4 d',
    ],
    [
      'runs apart',
      [
        { start: 1, end: 1 },
        { start: 8, end: 8 },
      ],
      '1 a\n2 b\n...\n7 g\n8 h',
    ],
  ])('%s', (_, ranges, expected) => expect(lines(ranges)).toBe(expected))

  test('all files share one budget', () => {
    const text = 'x'.repeat(fixedLimits.freshAnchorBytes - 50)
    const anchors = freshAnchors('content')
    const ranges = [{ start: 2, end: 2 }]
    const wide = { ...blob, bytes: Buffer.from(`a\n${text}\nb\n`) }
    expect(anchors.anchorsOf(wide, ranges)).not.toHaveProperty('anchored_truncated')
    expect(anchors.anchorsOf(wide, ranges)).toEqual({
      anchored: expect.stringMatching(/^1:[a-z]+→a$/),
      anchored_truncated: true,
    })
    expect(anchors.anchorsOf(wide, ranges)).toEqual({ anchored_truncated: true })
  })

  test('what is no text has none', () => {
    const binary = { ...blob, bytes: Uint8Array.of(0, 1, 2) }
    expect(freshAnchors('chunk').anchorsOf(binary, [{ start: 1, end: 1 }])).toEqual({})
  })
})
