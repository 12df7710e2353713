import { expect, test } from 'vitest'
import { refusal, revOf } from '../sandbox.js'
import { applyText, type Files, type PatchOptions, patched } from './patched.js'

const dialect = 'apply_patch'

/** A patch of one file. */
function update(...lines: readonly string[]): string {
  return ['*** Begin Patch', '*** Update File: f', ...lines, '*** End Patch', ''].join('\n')
}

function sections(...lines: readonly string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
}

async function updated(before: string, patch: string, path = 'f'): Promise<string | undefined> {
  const files = await patched({ [path]: before }, patch.replace(': f\n', `: ${path}\n`), {
    dialect,
  })
  return files[path]
}

function refused(
  files: Files,
  patch: string,
  options: Partial<PatchOptions> = {},
): Promise<Record<string, unknown>> {
  return refusal(() => applyText(files, patch, { dialect, ...options }))
}

test.each([
  ['a line is replaced', 'a\nb\nc\n', update('@@', ' a', '-b', '+B', ' c'), 'a\nB\nc\n'],
  ['the first hunk needs no @@', 'a\nb\n', update(' a', '-b', '+B'), 'a\nB\n'],
  [
    'hunks follow on each other',
    'x\ny\nx\ny\n',
    update('@@', '-x', '-y', '-x', '+X', '@@', '-y', '+Y'),
    'X\nY\n',
  ],
  [
    'a hunk is searched below the one before only',
    'k\na\nk\nb\n',
    update('@@', '-k', '-a', '+K', '@@', '-k', '+L'),
    'K\nL\nb\n',
  ],
  [
    'stacked @@ lines narrow the search',
    'class A\n f\n  x\nclass B\n f\n  x\n g\n  y\n',
    update('@@ class B', '@@  f', '-  x', '+  z'),
    'class A\n f\n  x\nclass B\n f\n  z\n g\n  y\n',
  ],
  ['an @@ line without its space', 'a\nx\nb\nx\n', update('@@b', '-x', '+y'), 'a\nx\nb\ny\n'],
  ['an @@ line may be repeated as context', 'a\nx\n', update('@@ a', ' a', '-x', '+y'), 'a\ny\n'],
  ['line numbers after @@ are not read', 'a\nb\n', update('@@ -9,2 +9,2 @@', '-b', '+B'), 'a\nB\n'],
  ['new lines alone go after their @@ line', 'a\nb\n', update('@@ a', '+n'), 'a\nn\nb\n'],
  ['new lines alone go to the end', 'a\n', update('@@', '+n', '*** End of File'), 'a\nn\n'],
  ['new lines alone go into an empty file', '', update('@@', '+n'), 'n\n'],
  [
    'End of File takes the last place',
    'x\ny\nx\n',
    update('@@', '-x', '+z', '*** End of File'),
    'x\ny\nz\n',
  ],
  ['a lone blank line is context', 'a\n\nb\n', update('@@', ' a', '', '-b', '+B'), 'a\n\nB\n'],
  ['a blank line at the end may be nothing', 'a\nb\n', update('@@', '-a', '+A', ''), 'A\nb\n'],
  ['lines right after @@ may lack their space', 'a\nb\n', update('@@', 'a', '-b', '+B'), 'a\nB\n'],
  [
    'out of order, in the only place',
    'a\nb\n',
    update('@@', '-b', '+B', '@@', '-a', '+A'),
    'A\nB\n',
  ],
  ['context keeps its trailing space', 'a  \nb\n', update('@@', ' a', '-b', '+B'), 'a  \nB\n'],
  ['context keeps its indentation', '  a\n  b\n', update('@@', ' a', '-b', '+B'), '  a\n  B\n'],
  [
    'new lines follow the indentation of the place',
    '\tif x\n\t\ty\n',
    update('@@', ' if x', '-    y', '+    z', '+        w'),
    '\tif x\n\t\tz\n\t\t\tw\n',
  ],
  ['plain quotes find typographic ones', 'a “b” – c\n', update('@@', '-a "b" - c', '+d'), 'd\n'],
  [
    'what is not changed keeps its typography',
    'say “b” – now\n',
    update('@@', '-say "b" - now', '+say "b" - then'),
    'say “b” – then\n',
  ],
  ['CRLF is kept', 'a\r\nb\r\nc\r\n', update('@@', '-b', '+B', '+n'), 'a\r\nB\r\nn\r\nc\r\n'],
  ['each ending is kept', 'a\r\nb\nc\r\n', update('@@', '-b', '+B', ' c'), 'a\r\nB\nc\r\n'],
  ['CRLF in the patch', 'a\nb\n', update('@@', '-b', '+B').replaceAll('\n', '\r\n'), 'a\nB\n'],
  ['CR breaks lines where there is no LF', 'a\rb\r', update('@@', '-b', '+B', '+n'), 'a\rB\rn\r'],
  ['a mark stays', '\ufeffa\nb\n', update('@@', '-a', '+A'), '\ufeffA\nb\n'],
  ['no last newline is added', 'a\nb', update('@@', '-a', '+A', ' b'), 'A\nb'],
  ['no last newline after new lines', 'a\nb', update('@@', ' b', '+c'), 'a\nb\nc'],
  ['the last line goes, the end stays', 'a\nb', update('@@', ' a', '-b'), 'a'],
  ['all lines go', 'a\nb\n', update('@@', '-a', '-b'), ''],
  [
    'line separators of Unicode are text',
    'a\u2028b\nc\n',
    update('@@', '-c', '+d'),
    'a\u2028b\nd\n',
  ],
  ['dollar signs are text', 'a\n', update('@@', '-a', "+$& $$ $'"), "$& $$ $'\n"],
  [
    'lines removed and added alike stay',
    'a \nb\n',
    update('@@', '-a', '-b', '+a', '+c'),
    'a \nc\n',
  ],
  ['nothing but context changes nothing', 'a\nb\n', update('@@', ' a'), 'a\nb\n'],
])('%s', async (_, before, patch, after) => expect(await updated(before, patch)).toBe(after))

test.each([
  ['Markdown', (patch: string) => `\`\`\`patch\n${patch}\`\`\`\n`],
  ['a here-document', (patch: string) => `apply_patch <<'EOF'\n${patch}EOF\n`],
  ['both', (patch: string) => `\n\`\`\`\ncat <<EOF\n${patch}EOF\n\`\`\`\n\n`],
  ['white space', (patch: string) => `\n  ${patch.trimEnd()}  \n\n`],
])('a patch within %s', async (_, wrap) => {
  expect(await updated('a\n', wrap(update('@@', '-a', '+b')))).toBe('b\n')
})

test('files are added, deleted and moved together', async () => {
  const patch = sections(
    '*** Add File: new/n',
    '+one',
    '+',
    '+two',
    '*** Add File: empty',
    '*** Delete File: d',
    '*** Update File: m',
    '*** Move to: moved/m',
    '@@',
    '-a',
    '+b',
  )
  expect(await patched({ d: 'x\n', m: 'a\n' }, patch, { dialect })).toEqual({
    'new/n': 'one\n\ntwo\n',
    empty: '',
    'moved/m': 'b\n',
  })
})

test('two sections may change one file', async () => {
  const patch = sections('*** Update File: f', '-a', '+b', '*** Update File: f', '-b', '+c')
  expect(await patched({ f: 'a\n' }, patch, { dialect })).toEqual({ f: 'c\n' })
})

test('the receipt names the weakest level and the lines', async () => {
  const { ops } = await applyText(
    { f: 'a\nb  \nc\n' },
    update('@@', '-a', '+A', '@@', '-b', '+B'),
    {
      dialect,
    },
  )
  expect(ops).toEqual([
    {
      index: 0,
      op: 'apply_hunks',
      path: 'f',
      level: 'trailing_whitespace',
      lines: [{ start: 1, end: 2 }],
      new_lines: [{ start: 1, end: 2 }],
    },
  ])
})

test.each([
  ['nothing', '', 1],
  ['no beginning', '*** Update File: f\n@@\n-a\n+b\n*** End Patch', 1],
  ['no end', '*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n', 5],
  ['something after the end', '*** Begin Patch\n*** Add File: n\n+a\n*** End Patch\nmore', 5],
  ['no section', sections(''), 3],
  ['an unknown section', sections('*** Rename File: f'), 2],
  ['an update without hunks', sections('*** Update File: f'), 2],
  ['a move without hunks', sections('*** Update File: f', '*** Move to: g'), 2],
  ['two moves', sections('*** Update File: f', '*** Move to: g', '*** Move to: h', ' a'), 2],
  ['a hunk without lines', update('@@', '@@ a'), 3],
  ['an end of file without lines', update('@@', '*** End of File'), 4],
  ['a line without a prefix', update('@@', '-a', 'b'), 5],
  ['a line without a prefix in a new file', sections('*** Add File: n', '+a', 'b'), 4],
  ['a text after a deletion', sections('*** Delete File: f', '-a'), 3],
  ['a path twice', sections('*** Add File: n', '+a', '*** Add File: n', '+b'), 4],
  ['a change of a deleted file', sections('*** Delete File: f', '*** Update File: f', ' a'), 3],
  [
    'a move to a created file',
    sections('*** Add File: n', '*** Update File: f', '*** Move to: n', ' a'),
    3,
  ],
  ['a here-document with mixed quotes', `<<"EOF'\n${update('@@', '-a', '+b')}EOF`, 1],
  ['new lines without a place', update('@@', '+n'), 3],
])('%s is refused with its line', async (_, patch, line) => {
  expect(await refused({ f: 'a\n' }, patch)).toMatchObject({ code: 'DIALECT_UNPARSABLE', line })
})

test.each([
  ['outside', sections('*** Add File: ../n', '+a'), 'BAD_PATH', 2],
  ['absolute', sections('*** Update File: f', ' a', '*** Delete File: /etc/passwd'), 'BAD_PATH', 4],
  ['a move outside', sections('*** Update File: f', '*** Move to: ../n', ' a'), 'BAD_PATH', 3],
  ['git itself', sections('*** Add File: .git/config', '+a'), 'PROTECTED_PATH', 2],
])('a path that is %s is refused with its line', async (_, patch, code, line) => {
  // The paths of a section are read with the section, the first path on its first line.
  expect(await refused({ f: 'a\n' }, patch)).toMatchObject({ code, patch_line: line })
})

test.each([
  ['two places', 'x\ny\nx\n', update('@@', '-x', '+z'), [1, 3]],
  ['two places at a tolerant level', 'x \ny\nx\t\n', update('@@', '-x', '+z'), [1, 3]],
  ['two places below an @@ line', 'a\nx\nx\n', update('@@ a', '-x', '+z'), [2, 3]],
  ['two @@ lines for new lines', 'a\nb\na\n', update('@@ a', '+z'), [1, 3]],
])('%s are refused with all of them', async (_, before, patch, lines) => {
  const { code, matches, hunk, patch_line } = await refused({ f: before }, patch)
  expect({ code, lines: (matches as { line: number }[]).map(({ line }) => line) }).toEqual({
    code: 'AMBIGUOUS_MATCH',
    lines,
  })
  expect({ hunk, patch_line }).toEqual({ hunk: 1, patch_line: 3 })
})

test('first_match takes the first of several places below the cursor', async () => {
  const patch = update('@@ b', '-x', '+z')
  expect(await patched({ f: 'x\nb\nx\nx\n' }, patch, { dialect, first_match: true })).toEqual({
    f: 'x\nb\nz\nx\n',
  })
})

test.each([
  ['a removed line that is not there', 'a\nb\n', update('@@', ' a', '-c', '+d')],
  ['a consumed line', 'a\n', update('@@', '-a', '+b', '@@', '-a', '+c')],
  ['a shared line of context', 'a\nb\nc\n', update('@@', '-a', '+A', ' b', '@@', ' b', '-c')],
  ['an @@ line that is not there', 'a\n', update('@@ z', '-a', '+b')],
  ['End of File in the middle', 'a\nb\n', update('@@', '-a', '+A', '*** End of File')],
  ['only nearly the line', 'world\n', update('@@', '-world!', '+w')],
  ['compatibility letters', 'ofﬁce\n', update('@@', '-office', '+o')],
  ['a blank line in the middle', 'b\nd\n', update('@@', '-b', '+B', '', '-d', '+D')],
])('%s is not found', async (_, before, patch) => {
  expect(await refused({ f: before }, patch)).toMatchObject({ code: 'ZERO_MATCHES' })
})

test('a miss names the hunk, its line and the first line that differs', async () => {
  const patch = update('@@', '-a', '+A', '@@', ' two', '-three', '+3')
  expect(await refused({ f: 'a\none\ntwo\nthree.\n' }, patch)).toMatchObject({
    code: 'ZERO_MATCHES',
    path: 'f',
    hunk: 2,
    patch_line: 6,
    first_divergence: { line: 4, expected: 'three', actual: 'three.' },
  })
})

test('a patch that was applied already says so', async () => {
  const patch = update('@@', ' a', '-b', '+B')
  expect(await refused({ f: 'a\nB\n' }, patch)).toMatchObject({ already_present: true })
})

test.each([
  ['Makefile', 'a:\n\tb\n', update('@@', '-b', '+c')],
  ['f.py', 'if a:\n    b\n    c\n', update('@@', '-b', '-    c', '+d')],
  ['f.txt', '  a\n  b\n', update('@@', '-a', '- b', '+  c')],
])('in %s what is indented otherwise is not taken for the same', async (path, before, patch) => {
  const named = patch.replace(': f\n', `: ${path}\n`)
  expect(await refused({ [path]: before }, named)).toMatchObject({ code: 'ZERO_MATCHES' })
})

test('in Python a hunk that is shifted as a whole is found', async () => {
  const before = 'class A:\n    def f():\n        x\n'
  const patch = update('@@', ' def f():', '-    x', '+    y')
  expect(await updated(before, patch, 'f.py')).toBe('class A:\n    def f():\n        y\n')
})

test.each([
  ['create over a file', sections('*** Add File: f', '+x'), 'PATH_EXISTS'],
  ['move over a file', sections('*** Update File: f', '*** Move to: g', ' a'), 'PATH_EXISTS'],
  ['update a missing file', sections('*** Update File: n', ' a'), 'FILE_NOT_FOUND'],
  ['delete a missing file', sections('*** Delete File: n'), 'FILE_NOT_FOUND'],
  ['delete a directory', sections('*** Delete File: d'), 'FILE_NOT_FOUND'],
])('to %s is refused', async (_, patch, code) => {
  expect(await refused({ f: 'a\n', g: 'b\n', 'd/e': 'c\n' }, patch)).toMatchObject({ code })
})

test('one wrong file refuses all, and each is named with its line', async () => {
  const patch = sections(
    '*** Update File: f',
    '-a',
    '+A',
    '*** Update File: g',
    '-x',
    '*** Update File: h',
    '-y',
  )
  const { failures } = await refused({ f: 'a\n', g: 'b\n', h: 'c\n' }, patch)
  expect(failures).toMatchObject([
    { path: 'g', patch_line: 6, hunk: 1, index: 1 },
    { path: 'h', patch_line: 8, hunk: 1, index: 2 },
  ])
})

test('revisions come from the request', async () => {
  const files = { f: 'a\n' }
  const patch = update('@@', '-a', '+b')
  const stale = { expected_revs: [{ path: 'f', rev: revOf('old\n') }] }
  expect(await refused(files, patch, stale)).toMatchObject({ code: 'CONTENT_REV_CONFLICT' })
  const fresh = { dialect, expected_revs: [{ path: 'f', rev: revOf('a\n') }] } as const
  expect(await patched(files, patch, fresh)).toEqual({ f: 'b\n' })
})

test('an escaped indentation is refused, unless it is meant or the file has such lines', async () => {
  const patch = update('@@', '-a', '+\\t\\tb')
  expect(await refused({ f: 'a\n' }, patch)).toMatchObject({
    code: 'SUSPECT_TEXT',
    field: 'patch',
    hunk: 1,
    patch_line: 3,
    kind: 'escapes',
    line: 1,
    text: '\\t\\tb',
    suggestion: '\t\tb',
  })
  const literal = await patched({ f: 'a\n' }, patch, { dialect, literal: true })
  expect(literal).toEqual({ f: '\\t\\tb\n' })
  expect(await updated('\\t(\na\n', patch)).toBe('\\t(\n\\t\\tb\n')
})

test.each([
  ['new lines that are indented as the place', '  a\n', update('@@', '-a', '+b'), true],
  ['new lines that are not', '  a\n', update('@@', '-  a', '+  b'), undefined],
])('the receipt tells %s', async (_, before, patch, reindented) => {
  const { ops } = await applyText({ f: before }, patch, { dialect })
  expect(ops[0]?.reindented).toBe(reindented)
})
