import { expect, test } from 'vitest'
import type { BatchInput } from '#src/edit/batch.js'
import { refusal, revOf } from '../sandbox.js'
import { changedBy, resolveSaid } from './said.js'

const edit = (dialect: BatchInput['dialect'], edits: unknown): BatchInput =>
  dialect === undefined ? { edits } : { dialect, edits }
const search = (fields: object): BatchInput =>
  edit('search_replace', { path: 'f', old_string: 'a', new_string: 'b', ...fields })
const opencode = (fields: object): BatchInput =>
  edit('opencode', { filePath: 'f', oldString: 'a', newString: 'b', ...fields })
const patches = (...list: (readonly [string, string])[]): BatchInput =>
  edit('patches', { path: 'f', patches: list.map(([search, replace]) => ({ search, replace })) })

test.each([
  ['one place', 'xay\n', search({}), 'xby\n'],
  ['every place', 'a a\n', search({ replace_all: true }), 'b b\n'],
  ['a said number', 'a a\n', search({ expected_replacements: 2 }), 'b b\n'],
  [
    'a said number of all',
    'a a\n',
    search({ replace_all: true, expected_replacements: 2 }),
    'b b\n',
  ],
  ['dollars are no groups', 'a', search({ new_string: '$&$1$$' }), '$&$1$$'],
  ['an empty file is filled', '', search({ old_string: '' }), 'b'],
  ['one place in the words of opencode', 'xay\n', opencode({}), 'xby\n'],
  ['every place in the words of opencode', 'aa', opencode({ replaceAll: true }), 'bb'],
  ['an empty file is filled by opencode', '', opencode({ oldString: '' }), 'b'],
  [
    'patches, each on what was left',
    'a\r\nb\r\n',
    patches(['a\n', 'c\n'], ['c', 'd']),
    'd\r\nb\r\n',
  ],
  ['a patch within a line', 'const a = 1', patches(['a', 'b']), 'const b = 1'],
  ['a blank line that is there counts', 'a\n\na\n', patches(['a\n\n', 'b\n\n']), 'b\n\na\n'],
  [
    'blank lines that are not there',
    'x\na\ny\n',
    patches(['\n\na\n \n', '\n\nb\n\n']),
    'x\nb\ny\n',
  ],
  ['blank lines that are new', 'x\na\ny\n', patches(['\n\na\n', '\n\n\nb\n\n']), 'x\n\nb\n\ny\n'],
  ['a line without outer blank lines goes', 'x\na\ny\n', patches(['a\n\n', '']), 'x\ny\n'],
  ['a last line that stops', 'x\na', patches(['\na\n\n', '\nb\n\n']), 'x\nb'],
  ['a whole file', 'a\r\n', edit('whole_file', { path: 'f', content: 'b\n' }), 'b\n'],
  ['a whole file, by its other name', 'a', edit('whole_file', { path: 'f', text: '' }), ''],
])('%s', async (_, before, batch, after) => {
  expect(await changedBy({ f: before }, batch)).toEqual({ f: after })
})

test.each([
  ['search_replace', edit('search_replace', { file_path: 'd/f', old_string: '', new_string: 'b' })],
  ['opencode', edit('opencode', { filePath: 'd/f', oldString: '', newString: 'b' })],
  ['whole_file', edit('whole_file', { path: 'd/f', expected_rev: null, content: 'b' })],
])('%s creates a file', async (_, batch) => {
  expect(await changedBy({}, batch)).toEqual({ 'd/f': 'b' })
})

const problem = (field: string): object => ({ code: 'INVALID_ARGUMENTS', problems: [{ field }] })

test.each([
  ['two places', 'a a', search({}), { code: 'AMBIGUOUS_MATCH' }],
  ['another number', 'a', search({ expected_replacements: 2 }), { code: 'COUNT_MISMATCH' }],
  ['equal texts', 'a', search({ new_string: 'a' }), problem('new_string')],
  ['two paths', 'a', search({ file_path: 'f' }), problem('file_path')],
  ['no path', 'a', edit('search_replace', { old_string: 'a', new_string: 'b' }), problem('path')],
  ['nothing for something', 'a', search({ old_string: '' }), { code: 'PATH_EXISTS' }],
  [
    'nothing for something of this revision',
    'a',
    search({ old_string: '', expected_rev: revOf('a') }),
    { code: 'PATH_EXISTS', path: 'f' },
  ],
  ['an unknown field', 'a', search({ oldString: 'a' }), problem('edits.0')],
  ['equal texts of opencode', 'a', opencode({ newString: 'a' }), problem('newString')],
  ['nothing for something in opencode', 'a', opencode({ oldString: '' }), { code: 'PATH_EXISTS' }],
  ['white space in opencode', ' a\n', opencode({ oldString: 'a \n' }), { code: 'ZERO_MATCHES' }],
  ['two places of a patch', 'a\na\n', patches(['a', 'b']), { code: 'AMBIGUOUS_MATCH' }],
  [
    'two places without the blank lines',
    'a\na\n',
    patches(['\na\n\n', 'b']),
    { code: 'AMBIGUOUS_MATCH' },
  ],
  [
    'a part of a line without the blank lines',
    'xa\n',
    patches(['\na', 'b']),
    { code: 'ZERO_MATCHES' },
  ],
  ['only blank lines', 'a\n', patches(['\n\n\n', 'b']), { code: 'ZERO_MATCHES' }],
  ['a patch that changes nothing', 'a', patches(['a', 'a']), problem('patches.0.replace')],
  ['no patches', 'a', patches(), problem('edits.0.patches')],
  ['nine patches', 'a', patches(...Array(9).fill(['a', 'b'])), problem('edits.0.patches')],
  ['a long search', 'a', patches(['a'.repeat(4_097), 'b']), problem('edits.0.patches.0.search')],
  [
    'a long replacement',
    'a',
    patches(['a', 'b'.repeat(8_193)]),
    problem('edits.0.patches.0.replace'),
  ],
  [
    'a whole file twice',
    'a',
    edit('whole_file', { path: 'f', text: '', content: '' }),
    problem('text'),
  ],
  ['a whole file of nothing', 'a', edit('whole_file', { path: 'f' }), problem('content')],
  [
    'no file',
    'a',
    edit('opencode', { filePath: 'g', oldString: 'a', newString: 'b' }),
    { code: 'FILE_NOT_FOUND', path: 'g' },
  ],
])('%s is refused', async (_, before, batch, expected) => {
  expect(await refusal(() => resolveSaid({ f: before }, batch))).toMatchObject(expected)
})

test('the limits of patches are allowed', async () => {
  const [old, next] = ['a'.repeat(4_096), 'b'.repeat(8_192)]
  expect(await changedBy({ f: old }, patches([old, next]))).toEqual({ f: next })
})

test.each([
  ['a small file', 'x\ny\n', 'z\n', { start_line: 1, end_line: 2, total_lines: 2, text: 'x\ny\n' }],
  ['an empty file', '', 'z', { start_line: 1, end_line: 0, total_lines: 0, text: '' }],
])('opencode shows %s that does not hold the text', async (_, before, oldString, snapshot) => {
  const { code, ...data } = await refusal(() => resolveSaid({ f: before }, opencode({ oldString })))
  expect({ code, snapshot: data.snapshot }).toEqual({ code: 'ZERO_MATCHES', snapshot })
})

test('opencode shows the likeliest part of a large file', async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `line number ${index + 1}\n`)
  const oldString = 'line number 2499\nline number 25OO\n'
  const { snapshot } = await refusal(() =>
    resolveSaid({ f: lines.join('') }, opencode({ oldString })),
  )
  const { start_line: start, text } = snapshot as { start_line: number; text: string }
  expect(text).toContain('line number 2499\n')
  expect(text).toContain(`line number ${start}\n`)
  expect(text.length).toBeLessThanOrEqual(6_000)
})

test('only opencode shows the file', async () => {
  expect(await refusal(() => resolveSaid({ f: 'x' }, search({})))).not.toHaveProperty('snapshot')
})
