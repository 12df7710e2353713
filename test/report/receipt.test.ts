import { describe, expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import { parseOid } from '#src/core/oid.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import type { HashedChange } from '#src/report/edit-trailers.js'
import { buildReceipt } from '#src/report/receipt.js'

const oid = (digit: string) => parseOid(digit.repeat(40))
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function created(path: string, text: string): HashedChange {
  const after = { mode: '100644', bytes: bytes(text) } as const
  return { path: parseRepoPath(path), after, afterOid: oid('b') }
}

function receiptOf(changes: readonly HashedChange[], patchBytes = defaultLimits.patchBytes) {
  const about = { commit: oid('c'), parent: oid('d'), ops: [], warnings: [], dryRun: false }
  return buildReceipt({ ...about, changes }, { ...defaultLimits, patchBytes })
}

test('a receipt tells each file, its revisions, ranges and patch', () => {
  const before = { oid: oid('a'), mode: '100644', bytes: bytes('a\nb\n') } as const
  const change = {
    path: parseRepoPath('f'),
    before,
    after: { mode: '100644', bytes: bytes('a\nB\n') },
    afterOid: oid('b'),
    edits: [{ from: 2, to: 3, insert: bytes('B') }],
  } as const
  const ops = [{ index: 0, op: 'replace_text', path: 'f', level: 'exact' }] as const
  const warnings = [{ code: 'near_rewrite', path: 'f' }] as const
  const about = { commit: oid('c'), parent: oid('d'), ops, warnings, dryRun: false }
  expect(buildReceipt({ ...about, changes: [change] }, defaultLimits)).toEqual({
    commit: oid('c'),
    parent: oid('d'),
    files: [
      {
        path: 'f',
        status: 'modified',
        before_rev: oid('a'),
        after_rev: oid('b'),
        ranges: [{ start: 2, end: 2 }],
        patch:
          'diff --git a/f b/f\nindex aaaaaaa..bbbbbbb 100644\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n',
      },
    ],
    ops,
    warnings,
    already_applied: false,
    dry_run: false,
  })
})

describe('files', () => {
  const before = { oid: oid('a'), mode: '100644', bytes: bytes('a\n') } as const
  const path = parseRepoPath('f')
  test.each<[string, HashedChange, object]>([
    ['created', created('f', 'a'), { status: 'added', before_rev: null, after_rev: oid('b') }],
    ['deleted', { path, before }, { status: 'deleted', before_rev: oid('a'), after_rev: null }],
    [
      'moved',
      { path, from: parseRepoPath('e'), before, after: before, afterOid: oid('a') },
      { status: 'renamed', from: 'e', before_rev: oid('a'), after_rev: oid('a') },
    ],
    [
      'made executable',
      { path, before, after: { ...before, mode: '100755' }, afterOid: oid('a') },
      { status: 'modified', mode: '100755', before_rev: oid('a'), after_rev: oid('a') },
    ],
    [
      'not stored, in a dry run',
      { path, after: before },
      { status: 'added', before_rev: null, after_rev: null },
    ],
  ])('%s', (_, change, expected) => {
    const [{ patch, ranges, ...file } = {}] = receiptOf([change]).files as readonly Partial<
      Record<'patch' | 'ranges', unknown>
    >[]
    expect(file).toEqual({ path: 'f', ...expected })
  })
})

describe('the budget of patches', () => {
  const small = created('s', 'a\n')
  const large = created('l', 'a\n'.repeat(500))
  const smallBytes = bytes(receiptOf([small]).files[0]?.patch ?? '').length
  test.each([
    ['what fits stays whole', [small, small], 2 * smallBytes, [true, true]],
    ['what does not fit is left out', [small, small], 2 * smallBytes - 1, [true, false]],
    ['a large patch does not keep a later one out', [large, small], smallBytes, [false, true]],
    ['nothing fits', [small], 0, [false]],
  ])('%s', (_, changes, patchBytes, shown) => {
    const { files } = receiptOf(changes, patchBytes)
    expect(files.map(({ patch }) => patch !== undefined)).toEqual(shown)
    expect(files.map(file => file.patch_truncated !== true)).toEqual(shown)
  })
})

test('no changes: already applied', () => {
  expect(receiptOf([]).already_applied).toBe(true)
})
