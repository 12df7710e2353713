import { expect, test } from 'vitest'
import { refusal, revOf } from '../sandbox.js'
import { applyText, type Files, patched } from './patched.js'

const dialect = 'unified_diff'
const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`

/** A plain diff of one file. */
const diff = (...lines: readonly string[]): string => text('--- a/f', '+++ b/f', ...lines)

function refused(files: Files, patch: string): Promise<Record<string, unknown>> {
  return refusal(() => applyText(files, patch, { dialect }))
}

const open = '\\ No newline at end of file'

test.each([
  ['a line is replaced', 'a\nb\nc\n', diff('@@ -1,3 +1,3 @@', ' a', '-b', '+B', ' c'), 'a\nB\nc\n'],
  ['names without prefixes', 'a\n', text('--- f', '+++ f', '@@ -1 +1 @@', '-a', '+b'), 'b\n'],
  [
    'a time after the name',
    'a\n',
    text('--- f\t2020-01-01', '+++ f\t', '@@ -1 +1 @@', '-a', '+b'),
    'b\n',
  ],
  ['a section after @@', 'a\n', diff('@@ -1 +1 @@ def f():', '-a', '+b'), 'b\n'],
  [
    'the stated line decides between places',
    'x\ny\nx\n',
    diff('@@ -3 +3 @@', '-x', '+z'),
    'x\ny\nz\n',
  ],
  ['another line is found in the only place', 'a\nb\n', diff('@@ -9 +9 @@', '-b', '+B'), 'a\nB\n'],
  [
    'hunks move together',
    'new\na\nx\nb\nx\n',
    diff('@@ -1 +1 @@', '-a', '+A', '@@ -4 +4 @@', '-x', '+X'),
    'new\nA\nx\nb\nX\n',
  ],
  [
    'hunks may share context',
    'a\nb\nc\n',
    diff('@@ -1,2 +1,2 @@', '-a', '+A', ' b', '@@ -2,2 +2,2 @@', ' b', '-c', '+C'),
    'A\nb\nC\n',
  ],
  ['new lines alone go after the stated line', 'a\nb\n', diff('@@ -1,0 +2 @@', '+n'), 'a\nn\nb\n'],
  ['new lines alone go to the start', 'a\n', diff('@@ -0,0 +1 @@', '+n'), 'n\na\n'],
  ['@@ without numbers', 'a\nb\n', diff('@@ ... @@', ' a', '-b', '+B', ''), 'a\nB\n'],
  [
    'a bare blank line is context',
    'a\n\nb\n',
    diff('@@ -1,3 +1,3 @@', ' a', '', '-b', '+B'),
    'a\n\nB\n',
  ],
  ['too small a count', 'a\nb\n', diff('@@ -1 +1 @@', ' a', '-b', '+B'), 'a\nB\n'],
  [
    'too large a count before another hunk',
    'a\nb\n',
    diff('@@ -1,9 +1,9 @@', '-a', '+A', '@@ -2 +2 @@', '-b', '+B'),
    'A\nB\n',
  ],
  ['lines that look like names', '-- a\nb\n', diff('@@ -1 +1 @@', '--- a', '+++ c'), '++ c\nb\n'],
  ['the end stays open', 'a\nb', diff('@@ -2 +2 @@', '-b', open, '+c', open), 'a\nc'],
  ['a newline comes', 'a', diff('@@ -1 +1 @@', '-a', open, '+a'), 'a\n'],
  ['a newline goes', 'a\n', diff('@@ -1 +1 @@', '-a', '+a', open), 'a'],
  ['no word of the end leaves it', 'a\nb', diff('@@ -2 +2,2 @@', '-b', '+c', '+d'), 'a\nc\nd'],
  ['the last line goes', 'a\nb', diff('@@ -1,2 +1 @@', ' a', '-b', open), 'a\n'],
  ['the last line goes without context', 'a\nb', diff('@@ -2 +1,0 @@', '-b', open), 'a\n'],
  ['all lines go', 'a\n', diff('@@ -1 +0,0 @@', '-a'), ''],
  [
    'a CRLF patch for LF',
    'a\nb\n',
    diff('@@ -2 +2 @@', '-b', '+B').replaceAll('\n', '\r\n'),
    'a\nB\n',
  ],
  ['an LF patch for CRLF', 'a\r\nb\r\n', diff('@@ -2 +2 @@', '-b', '+B'), 'a\r\nB\r\n'],
  [
    'an LF patch for CRLF whose old lines have no break',
    'a\r\nb',
    diff('@@ -2 +2,2 @@', '-b', open, '+n', '+B', open),
    'a\r\nn\r\nB',
  ],
  ['an ending is changed', 'a\r\nb\r\n', diff('@@ -1,2 +1,2 @@', ' a\r', '-b\r', '+b'), 'a\r\nb\n'],
  [
    'a mark is shown as text',
    '\ufeffa\n',
    diff('@@ -1 +1 @@', '-\ufeffa', '+\ufeffb'),
    '\ufeffb\n',
  ],
  [
    'prose before it',
    'a\n',
    `Here it is:\n\n\`\`\`diff\n${diff('@@ -1 +1 @@', '-a', '+b')}\`\`\`\n`,
    'b\n',
  ],
  [
    'a signature after it',
    'a\n',
    `From: me\nSubject: x\n---\n f | 2 +-\n\n${diff('@@ -1 +1 @@', '-a', '+b')}-- \n2.47.0\n\n`,
    'b\n',
  ],
])('%s', async (_, before, patch, after) => {
  expect(await patched({ f: before }, patch, { dialect })).toEqual({ f: after })
})

test('what git prints of files is done', async () => {
  const patch = text(
    'diff --git a/gone b/gone',
    'deleted file mode 100644',
    '--- a/gone',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-x',
    'diff --git a/empty b/empty',
    'deleted file mode 100644',
    'diff --git a/old b/dir/new',
    'similarity index 50%',
    'rename from old',
    'rename to dir/new',
    '--- a/old',
    '+++ b/dir/new',
    '@@ -1 +1 @@',
    '-a',
    '+b',
    'diff --git a/run b/run',
    'old mode 100644',
    'new mode 100755',
    'diff --git a/made b/made',
    'new file mode 100755',
    '--- /dev/null',
    '+++ b/made',
    '@@ -0,0 +1,2 @@',
    '+one',
    '+two',
    open,
    'diff --git "a/sp \\303\\251" "b/sp \\303\\251"',
    'new file mode 100644',
  )
  const files = { gone: 'x\n', empty: '', old: 'a\n', run: 'r\n' }
  const { changes } = await applyText(files, patch, { dialect })
  const decoder = new TextDecoder()
  expect(
    changes.map(({ path, from, after }) => [
      path,
      from,
      after?.mode,
      after && decoder.decode(after.bytes),
    ]),
  ).toEqual([
    ['dir/new', 'old', '100644', 'b\n'],
    ['empty', undefined, undefined, undefined],
    ['gone', undefined, undefined, undefined],
    ['made', undefined, '100755', 'one\ntwo'],
    ['run', undefined, '100755', 'r\n'],
    ['sp é', undefined, '100644', ''],
  ])
})

test('full ids are the revision that is expected', async () => {
  const patch = (rev: string): string =>
    text(
      'diff --git a/f b/f',
      `index ${rev}..${'1'.repeat(40)} 100644`,
      '--- a/f',
      '+++ b/f',
    ).concat(text('@@ -1 +1 @@', '-a', '+b'))
  expect(await patched({ f: 'a\n' }, patch(revOf('a\n')), { dialect })).toEqual({ f: 'b\n' })
  expect(await refused({ f: 'a\n' }, patch(revOf('z\n')))).toMatchObject({
    code: 'CONTENT_REV_CONFLICT',
  })
})

test.each([
  ['nothing', '', 1],
  ['only prose', 'hello\n', 1],
  ['a hunk without a file', text('@@ -1 +1 @@', '-a', '+b'), 1],
  ['a file without a hunk', diff(), 1],
  ['a hunk without lines', diff('@@ -1 +1 @@', '@@ -1 +1 @@', '-a', '+b'), 3],
  ['a patch that is cut off', diff('@@ -1,3 +1,3 @@', ' a', '-b'), 5],
  ['a broken hunk header', diff('@@ -a,1 +1 @@', '-a', '+b').replace('-a,1', '-1,a'), 3],
  ['a line without a prefix', diff('@@ -1,2 +1,2 @@', '-a', 'b', '+c'), 5],
  ['text after a hunk', diff('@@ -1 +1 @@', '-a', '+b', 'more'), 6],
  ['two names', text('--- a/f', '+++ b/g', '@@ -1 +1 @@', '-a', '+b'), 2],
  ['a copy', text('diff --git a/f b/g', 'copy from f', 'copy to g'), 2],
  ['a binary file', text('diff --git a/f b/f', 'Binary files a/f and b/f differ'), 2],
  ['a binary patch', text('diff --git a/f b/f', 'GIT binary patch'), 2],
  ['a link', text('diff --git a/n b/n', 'new file mode 120000'), 2],
  ['a broken quoting', text('--- "a/f', '+++ "b/f', '@@ -1 +1 @@', '-a', '+b'), 1],
  ['a created file twice', text('diff --git a/n b/n', 'new file mode 100644').repeat(2), 3],
  ['a created file with old lines', text('--- /dev/null', '+++ b/n', '@@ -1 +1 @@', '-a', '+b'), 1],
  ['a deleted file that keeps lines', text('--- a/f', '+++ /dev/null', '@@ -1 +0,0 @@', '-a'), 3],
  ['new lines without a place', diff('@@', '+n'), 3],
])('%s is refused with its line', async (_, patch, line) => {
  expect(await refused({ f: 'a\nb\n' }, patch)).toMatchObject({ code: 'DIALECT_UNPARSABLE', line })
})

test.each([
  ['outside', text('--- a/../f', '+++ b/../f', '@@ -1 +1 @@', '-a', '+b'), 'BAD_PATH', 1],
  ['absolute', text('--- /dev/null', '+++ /etc/n', '@@ -0,0 +1 @@', '+a'), 'BAD_PATH', 2],
  [
    'a rename outside',
    text('diff --git a/f b/../f', 'rename from f', 'rename to ../f'),
    'BAD_PATH',
    3,
  ],
])('a path that is %s is refused with its line', async (_, patch, code, line) => {
  expect(await refused({ f: 'a\n' }, patch)).toMatchObject({ code, patch_line: line })
})

test.each([
  ['a line that is not there', 'a\n', diff('@@ -1 +1 @@', '-b', '+c')],
  ['a line with other white space', 'a \n', diff('@@ -1 +1 @@', '-a', '+c')],
  ['a newline that is not there', 'a', diff('@@ -1 +1 @@', '-a', '+a', open)],
  ['an end that is not open', 'a\n', diff('@@ -1 +1 @@', '-a', open, '+b', open)],
  ['CRLF in a file that mixes them', 'a\r\nb\n', diff('@@ -2 +2 @@', '-b\r', '+B\r')],
  ['a mark that goes', '\ufeffa\n', diff('@@ -1 +1 @@', '-\ufeffa', '+a')],
])('%s is not found', async (_, before, patch) => {
  expect(await refused({ f: before }, patch)).toMatchObject({ code: 'ZERO_MATCHES', hunk: 1 })
})

test('the nearest of several places is a guess', async () => {
  const patch = diff('@@ -2 +2 @@', '-x', '+z')
  const { code, matches } = await refused({ f: 'x\ny\nx\n' }, patch)
  expect({ code, matches }).toEqual({
    code: 'AMBIGUOUS_MATCH',
    matches: [
      { line: 1, text: 'x' },
      { line: 3, before: 'y', text: 'x' },
    ],
  })
})

test('a line past the end is out of range', async () => {
  expect(await refused({ f: 'a\n' }, diff('@@ -7,0 +8 @@', '+n'))).toMatchObject({
    code: 'OUT_OF_RANGE',
    total_lines: 1,
    hunk: 1,
  })
})

test('a patch that was applied already says so', async () => {
  const patch = diff('@@ -1,2 +1,2 @@', ' a', '-b', '+B')
  expect(await refused({ f: 'a\nB\n' }, patch)).toMatchObject({ already_present: true })
})
