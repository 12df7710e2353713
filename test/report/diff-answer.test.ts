import { describe, expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import { parseOid } from '#src/core/oid.js'
import { buildDiffAnswer, type StoredDiff } from '#src/report/diff-answer.js'
import { patchRanges } from '#src/report/patch-ranges.js'

const oid = (digit: string) => parseOid(digit.repeat(40))
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const hunk = '@@ -1 +1 @@\n-a\n+b\n'

function diff(
  path: string,
  patch: string | undefined = hunk,
  more: Partial<StoredDiff> = {},
): StoredDiff {
  return {
    path,
    status: 'modified',
    before_rev: oid('a'),
    after_rev: oid('b'),
    old_mode: '100644',
    new_mode: '100644',
    patch: patch === undefined ? undefined : bytes(patch),
    binary: false,
    ...more,
  }
}

function answerOf(files: readonly StoredDiff[], limits: object = {}, input: object = {}) {
  const about = { from: oid('c'), to: oid('d'), full: false, ...input }
  return buildDiffAnswer(files, about, { ...defaultLimits, ...limits })
}

const head = 'diff --git a/f b/f\nindex aaaaaaa..bbbbbbb 100644\n'

test('an answer tells each file and sums up', () => {
  expect(answerOf([diff('f')], {}, { unchanged: 3 })).toEqual({
    from: oid('c'),
    to: oid('d'),
    files: [
      {
        path: 'f',
        status: 'modified',
        before_rev: oid('a'),
        after_rev: oid('b'),
        ranges: [{ start: 1, end: 1 }],
        patch: `${head}--- a/f\n+++ b/f\n${hunk}`,
      },
    ],
    summary: '1 file changed, 3 reported before are unchanged',
    unchanged: 3,
    truncated: false,
  })
})

describe('patches', () => {
  const whole = `diff --git a/f b/f\nindex 1..2\n--- a/f\n+++ b/f\n${hunk}`
  test.each<[string, StoredDiff, string]>([
    ['lines above the hunks are put there', diff('f'), `${head}--- a/f\n+++ b/f\n${hunk}`],
    ['they take the place of those of git', diff('f', whole), `${head}--- a/f\n+++ b/f\n${hunk}`],
    [
      'names are quoted',
      diff('ä', `diff --git a/ä b/ä\n--- a/ä\n+++ b/ä\n${hunk}`),
      `diff --git "a/\\303\\244" "b/\\303\\244"\nindex aaaaaaa..bbbbbbb 100644\n--- "a/\\303\\244"\n+++ "b/\\303\\244"\n${hunk}`,
    ],
    ['a file that became a link', diff('f', whole + whole, { new_mode: '120000' }), whole + whole],
    [
      'file lines of git are not doubled',
      diff('f', `--- a/f\n+++ b/f\n${hunk}`),
      `${head}--- a/f\n+++ b/f\n${hunk}`,
    ],
    [
      'binary',
      diff('f', `${whole}+\0\n`, { binary: true }),
      `${head}Binary files a/f and b/f differ\n`,
    ],
    [
      'created',
      diff('f', hunk, { status: 'added', before_rev: null, old_mode: '000000' }),
      `diff --git a/f b/f\nnew file mode 100644\nindex 0000000..bbbbbbb\n--- /dev/null\n+++ b/f\n${hunk}`,
    ],
    [
      'moved',
      { ...diff('f', undefined, { from: 'e', after_rev: oid('a') }), patch: undefined },
      'diff --git a/e b/f\nsimilarity index 100%\nrename from e\nrename to f\n',
    ],
  ])('%s', (_, file, patch) => expect(answerOf([file]).files[0]?.patch).toBe(patch))

  test.each([undefined, bytes('')])('a patch that git did not give is left out', patch => {
    const { files, truncated } = answerOf([{ ...diff('f'), patch }])
    expect(files[0]?.patch_truncated).toBe(true)
    expect(truncated).toBe(false)
  })
})

describe('the budget', () => {
  const one = bytes(answerOf([diff('f')]).files[0]?.patch ?? '').length
  const huge = diff('h', `@@ -0,0 +1,500 @@\n${'+a\n'.repeat(500)}`)
  test.each<[string, readonly StoredDiff[], object, readonly boolean[], string | undefined]>([
    ['all fits', [diff('f'), diff('g')], {}, [true, true], undefined],
    ['no room for the second', [diff('f'), diff('g')], { patchBytes: one }, [true, false], 'g'],
    ['too large for any answer', [huge, diff('g')], { patchBytes: one }, [false, true], undefined],
    ['too many files', [diff('f'), diff('g'), diff('h')], { listedFiles: 1 }, [true], 'g'],
  ])('%s', (_, stored, limits, shown, next) => {
    const answer = answerOf(stored, limits)
    expect(answer.files.map(({ patch }) => patch !== undefined)).toEqual(shown)
    expect(answer.next).toBe(next)
    expect(answer.truncated).toBe(next !== undefined)
  })
})

test.each([
  ['no files changed', [], {}, {}],
  ['no files changed, 1 reported before is unchanged', [], {}, { unchanged: 1 }],
  ['2 files changed since the base', [diff('f'), diff('g')], {}, { full: true }],
  ['2 files changed, the first 1 are listed', [diff('f'), diff('g')], { listedFiles: 1 }, {}],
])('the summary: %s', (summary, stored, limits, input) => {
  expect(answerOf(stored, limits, input).summary).toBe(summary)
})

describe('patchRanges', () => {
  test.each<[string, string, readonly (readonly [number, number])[]]>([
    ['a changed line', '@@ -2 +2 @@\n-a\n+b\n', [[2, 2]]],
    ['context', '@@ -1,4 +1,5 @@\n a\n-b\n+B\n+B\n c\n d\n', [[2, 3]]],
    [
      'two places of one hunk',
      '@@ -1,3 +1,3 @@\n-a\n+A\n b\n-c\n+C\n',
      [
        [1, 1],
        [3, 3],
      ],
    ],
    [
      'two hunks',
      '@@ -1 +1 @@\n-a\n+A\n@@ -9 +9 @@ fn\n-c\n+C\n',
      [
        [1, 1],
        [9, 9],
      ],
    ],
    ['only removed', '@@ -5,2 +4,0 @@\n-a\n-b\n', [[5, 4]]],
    ['removed within context', '@@ -1,3 +1,2 @@\n a\n-b\n c\n', [[2, 1]]],
    ['no final newline', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n', [[1, 1]]],
    [
      'content like headers',
      '@@ -1,2 +1,2 @@\n--- a\n-@@ -1 +7 @@\n+++ b\n+@@ -1 +7 @@\n',
      [[1, 2]],
    ],
    ['lines above', 'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n', [[1, 1]]],
    ['no hunks', 'Binary files a and b differ\n', []],
  ])('%s', (_, patch, expected) =>
    expect(patchRanges(patch).map(({ start, end }) => [start, end])).toEqual(expected),
  )
})
