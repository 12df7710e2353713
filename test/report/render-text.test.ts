import { describe, expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { parseOid } from '#src/core/oid.js'
import type { Receipt } from '#src/core/receipt.js'
import {
  renderDiffText,
  renderLogEntryText,
  renderReceiptText,
  renderRefusalText,
} from '#src/report/render-text.js'
import { visibleText } from '#src/report/visible-text.js'

const a = parseOid('a'.repeat(40))
const b = parseOid('b'.repeat(40))
const [shownA, shownB] = ['a'.repeat(12), 'b'.repeat(12)]

describe('a receipt', () => {
  const receipt: Receipt = {
    commit: a,
    parent: b,
    files: [
      {
        path: 'f',
        status: 'modified',
        before_rev: a,
        after_rev: b,
        ranges: [
          { start: 1, end: 1 },
          { start: 4, end: 6 },
        ],
        patch: '@@ -1 +1 @@\n-a\n+\u001b[31m\n',
      },
      { path: 'h', from: 'g', status: 'renamed', before_rev: a, after_rev: a, ranges: [] },
      {
        path: 'd',
        status: 'deleted',
        before_rev: a,
        after_rev: null,
        ranges: [],
        patch_truncated: true,
      },
    ],
    ops: [
      {
        index: 0,
        op: 'replace_text',
        path: 'f',
        level: 'exact',
        lines: [{ start: 1, end: 1 }],
        new_lines: [{ start: 1, end: 2 }],
      },
      { index: 1, op: 'delete_file', path: 'd' },
      {
        index: 2,
        op: 'replace_text',
        path: 'f',
        level: 'line_trimmed',
        reindented: true,
        lines: [{ start: 8, end: 9 }],
        new_lines: [{ start: 9, end: 9 }],
      },
    ],
    warnings: [{ code: 'near_rewrite', path: 'f', op: 0 }, { code: 'external_changes_committed' }],
    already_applied: false,
    dry_run: false,
  }

  test('tells commit, files, ops that were not exact and warnings', () => {
    expect(renderReceiptText(receipt)).toBe(`commit ${shownA}
M f ${shownB} L1,4-6
@@ -1 +1 @@
-a
+\\x1b[31m
R g -> h ${shownA}
D d (patch left out)
#2 replace_text f line_trimmed reindented L8-9 -> L9
warning: near_rewrite #0 f
warning: external_changes_committed
`)
  })

  test('shows lines that are gone by the one that follows, and fresh anchors', () => {
    const about = { path: 'f', status: 'modified', before_rev: a, after_rev: b } as const
    const ranges = [{ start: 3, end: 2 }]
    const files = [
      { ...about, ranges, anchored: '2:abc→x\n3:def→y', anchored_truncated: true },
    ] as const
    expect(renderReceiptText({ ...receipt, files, ops: [], warnings: [] })).toBe(
      `commit ${shownA}\nM f ${shownB} L<3\n2:abc→x\n3:def→y\n(further anchors left out)\n`,
    )
  })

  test.each([
    ['a dry run', { commit: null, dry_run: true }, `dry run on ${shownB}, nothing was written\n`],
    [
      'nothing to do',
      { commit: null, already_applied: true },
      'already applied, nothing to change\n',
    ],
  ])('%s', (_, more, expected) => {
    const bare = { ...receipt, files: [], ops: [], warnings: [] }
    expect(renderReceiptText({ ...bare, ...more })).toBe(expected)
  })
})

test('a batch of a log, with the first of its files', () => {
  const entry = { commit: a, time: 'then', source: 'batch', subject: 'Do it', files: [] }
  const moved = { path: 'h', from: 'g', status: 'renamed', after_rev: b }
  const gone = { path: 'd', status: 'deleted', after_rev: null }
  expect(renderLogEntryText(entry)).toBe(`${shownA} then batch Do it`)
  expect(renderLogEntryText({ ...entry, intent: 'because', files: [moved, gone] })).toBe(
    `${shownA} then batch Do it\n  why: because\n  renamed g -> h ${shownB}\n  deleted d`,
  )
  const lines = renderLogEntryText({ ...entry, files: Array(12).fill(gone) }).split('\n')
  expect([lines.length, lines.at(-1)]).toEqual([12, '  (2 more files)'])
})

test('a diff answer', () => {
  const about = { status: 'added', before_rev: null, after_rev: a, ranges: [] } as const
  const files = [
    { path: 'f', ...about, patch: '+a\n' },
    { path: 'g', ...about, patch_truncated: true },
  ] as const
  const answer = { from: a, to: b, files, unchanged: 0, truncated: true, next: 'g' }
  expect(renderDiffText({ ...answer, summary: '2 files changed' })).toBe(
    `2 files changed\nA f ${shownA}\n+a\nA g ${shownA} (patch left out)\ncut here: ask for single paths, from g on\n`,
  )
})

test('a refusal names its code, what to do and its data', () => {
  const data = { path: 'f', actual: null, matches: [{ line: 1 }], patch: '-a\n+\u009b\n' }
  const { message } = new Refusal('CONTENT_REV_CONFLICT')
  expect(renderRefusalText(new Refusal('CONTENT_REV_CONFLICT', data).toJSON())).toBe(
    `CONTENT_REV_CONFLICT: ${message}
next_action: use_rev
path: f
actual: null
matches: [{"line":1}]
patch:
-a
+\\x9b
`,
  )
})

test('of several failures the first is told once', () => {
  const failures = [
    { code: 'ZERO_MATCHES', index: 0 },
    { code: 'NOT_FOUND', index: 2 },
  ]
  const refusal = new Refusal('ZERO_MATCHES', { index: 0, failures })
  expect(renderRefusalText(refusal.toJSON())).toBe(
    `ZERO_MATCHES: ${refusal.message}
next_action: add_context
index: 0
other failures:
{"code":"NOT_FOUND","index":2}
`,
  )
})

test.each([
  ['tabs and line breaks stay', 'a\tb\n', 'a\tb\n'],
  ['carriage returns show', 'a\r\n', 'a\\x0d\n'],
  ['NUL, ESC, DEL and C1 show', '\0\u001b\u007f\u009b', '\\x00\\x1b\\x7f\\x9b'],
  ['marks that reorder text show', 'a\u202eb\u2066', 'a\\u202eb\\u2066'],
  ['other text stays', 'ä日😀', 'ä日😀'],
])('%s', (_, text, expected) => expect(visibleText(text)).toBe(expected))
