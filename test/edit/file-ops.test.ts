import { expect, test } from 'vitest'
import { changed, type EditJson, type FileSpec, refusal, revOf, run, treeOf } from './sandbox.js'

const write = (path: string, text: string, more = {}): EditJson => ({
  op: 'write_file',
  path,
  text,
  ...more,
})
const create = (path: string, text: string): EditJson => write(path, text, { expected_rev: null })
const remove = (path: string): EditJson => ({ op: 'delete_file', path })
const move = (path: string, to: string): EditJson => ({ op: 'move_file', path, to })
const replace = (path: string, find: string, put: string, more = {}): EditJson => ({
  op: 'replace_text',
  path,
  find,
  replace: put,
  ...more,
})

test.each<[string, Record<string, FileSpec>, EditJson[], Record<string, string | null>]>([
  ['a file is created', {}, [create('a/b', 'x')], { 'a/b': 'x' }],
  ['"new" says the same as null', {}, [write('a', 'x', { expected_rev: 'new' })], { a: 'x' }],
  ['a file is written', { a: 'x\n' }, [write('a', 'y\r\n')], { a: 'y\r\n' }],
  ['an empty file is written', { a: 'x' }, [write('a', '')], { a: '' }],
  ['what is written may be edited', {}, [create('a', 'x'), replace('a', 'x', 'y')], { a: 'y' }],
  [
    'an edited file may be written and edited again',
    { a: '1\n2\n3\n' },
    [replace('a', '1', 'x'), write('a', '1\n2\n4\n'), replace('a', '4', '5')],
    { a: '1\n2\n5\n' },
  ],
  ['a file is deleted', { a: 'x' }, [remove('a')], { a: null }],
  ['a file is deleted and made again', { a: 'x' }, [remove('a'), write('a', 'y')], { a: 'y' }],
  ['what is made and deleted was never there', {}, [create('a', 'x'), remove('a')], {}],
  ['the same content is no change', { a: 'x' }, [write('a', 'x')], {}],
  [
    'an edit and its undoing are no change',
    { a: 'x' },
    [replace('a', 'x', 'y'), replace('a', 'y', 'x')],
    {},
  ],
  ['a move is one change', { a: 'x' }, [move('a', 'b')], { b: 'x' }],
  ['a move back is none', { a: 'x' }, [move('a', 'b'), move('b', 'a')], {}],
  [
    'a moved file may be edited',
    { a: 'x\n' },
    [move('a', 'b'), replace('b', 'x', 'y')],
    { b: 'y\n' },
  ],
  [
    'an edited file may be moved',
    { a: 'x\n' },
    [replace('a', 'x', 'y'), move('a', 'b')],
    { b: 'y\n' },
  ],
  [
    'two files change places by a third',
    { a: '1', b: '2' },
    [move('a', 'c'), move('b', 'a'), move('c', 'b')],
    { a: '2', b: '1' },
  ],
  [
    'two files change places',
    { a: '1', b: '2' },
    [move('a', 'b'), move('b', 'a')],
    { a: '2', b: '1' },
  ],
  [
    'a file moves to where one is deleted',
    { a: '1', b: '2' },
    [remove('b'), move('a', 'b')],
    { a: null, b: '1' },
  ],
  ['in either order', { a: '1', b: '2' }, [move('a', 'b'), remove('b')], { a: null, b: '1' }],
  [
    'a new file takes the place of a moved one',
    { a: '1' },
    [move('a', 'b'), write('a', '2')],
    { a: '2', b: '1' },
  ],
  [
    'a file gives way to a directory',
    { a: '1' },
    [create('a/b', '2'), remove('a')],
    { a: null, 'a/b': '2' },
  ],
  [
    'a directory gives way to a file',
    { 'a/b': '1' },
    [create('a', '2'), remove('a/b')],
    { a: '2', 'a/b': null },
  ],
])('%s', async (_, files, edits, after) => {
  expect(await changed(files, edits)).toEqual(after)
})

test('a batch that changes nothing answers no changes, and what its ops found', async () => {
  expect(await run({ a: 'x\n' }, [replace('a', 'x', 'x')])).toEqual({
    changes: [],
    ops: [
      {
        index: 0,
        op: 'replace_text',
        path: 'a',
        level: 'exact',
        lines: [{ start: 1, end: 1 }],
        new_lines: [{ start: 1, end: 1 }],
      },
    ],
    warnings: [],
  })
})

test('a move carries path, blob and edits', async () => {
  const { changes } = await run({ a: 'x\ny\n' }, [move('a', 'b'), replace('b', 'x', 'z')])
  expect(changes).toMatchObject([
    { path: 'b', from: 'a', before: { oid: revOf('x\ny\n') }, edits: [{ from: 0, to: 1 }] },
  ])
})

test.each<[string, Record<string, FileSpec>, EditJson[], unknown]>([
  ['a new file is plain', {}, [create('a', 'x')], '100644'],
  ['or executable', {}, [write('a', 'x', { expected_rev: null, mode: '100755' })], '100755'],
  [
    'a written file keeps its mode',
    { a: { mode: '100755', content: 'x' } },
    [write('a', 'y')],
    '100755',
  ],
  [
    'a file is made executable',
    { a: 'x' },
    [{ op: 'set_mode', path: 'a', executable: true }],
    '100755',
  ],
  [
    'an edit keeps the mode',
    { a: { mode: '100755', content: 'x' } },
    [replace('a', 'x', 'y')],
    '100755',
  ],
])('%s', async (_, files, edits, mode) => {
  const { changes } = await run(files, edits)
  expect(changes.map(change => change.after?.mode)).toEqual([mode])
})

test('the mode that is there already is no change', async () => {
  expect(await changed({ a: 'x' }, [{ op: 'set_mode', path: 'a', executable: false }])).toEqual({})
})

test('a mode alone changes no text', async () => {
  const { changes } = await run({ a: 'x' }, [{ op: 'set_mode', path: 'a', executable: true }])
  expect(changes[0]?.edits).toEqual([])
})

test('binary content comes as base64', async () => {
  const edits = [{ op: 'write_file', path: 'a', content_base64: 'AAH/', expected_rev: null }]
  const { changes } = await run({}, edits)
  expect([...(changes[0]?.after?.bytes ?? [])]).toEqual([0, 1, 255])
})

test.each([
  ['white space', { content_base64: 'AA H/' }],
  ['no padding', { content_base64: 'AA' }],
  ['stray bits', { content_base64: 'AB==' }],
  ['another alphabet', { content_base64: '_-AA' }],
  ['both contents', { content_base64: '', text: '' }],
  ['no content', {}],
])('%s is refused', async (_, content) => {
  const edits = [{ op: 'write_file', path: 'a', expected_rev: null, ...content }]
  expect(await refusal(() => run({}, edits))).toMatchObject({ code: 'INVALID_ARGUMENTS', index: 0 })
})

test('a written text is compared line by line with what was there', async () => {
  const { changes } = await run({ a: '1\n2\n3\n' }, [write('a', '1\nx\n3\n')])
  expect(changes[0]?.edits).toEqual([{ from: 2, to: 4, insert: new TextEncoder().encode('x\n') }])
})

test.each<[string, Record<string, FileSpec>, EditJson[], Record<string, unknown>]>([
  ['a missing file', {}, [remove('a')], { code: 'FILE_NOT_FOUND' }],
  ['a text in a missing file', {}, [replace('a', 'x', 'y')], { code: 'FILE_NOT_FOUND' }],
  [
    'a file that was moved away',
    { a: 'x' },
    [move('a', 'b'), remove('a')],
    { code: 'FILE_NOT_FOUND', index: 1 },
  ],
  ['a move onto itself', { a: 'x' }, [move('a', 'a')], { code: 'INVALID_ARGUMENTS' }],
  [
    'a move onto a file',
    { a: '1', b: '2' },
    [move('a', 'b')],
    { code: 'PATH_EXISTS', path: 'b', obstacle: { kind: 'file_in_the_way', path: 'b' } },
  ],
  [
    'two moves to one path',
    { a: '1', b: '2' },
    [move('a', 'c'), move('b', 'c')],
    { code: 'PATH_EXISTS', index: 1 },
  ],
  [
    'a file below a file',
    { a: '1' },
    [create('a/b', '2')],
    { code: 'PATH_EXISTS', path: 'a/b', obstacle: { kind: 'file_in_the_way', path: 'a' } },
  ],
  [
    'a file in place of a directory',
    { 'a/b': '1', 'a/c': '2' },
    [create('a', '2'), remove('a/b')],
    { code: 'PATH_EXISTS', path: 'a', obstacle: { kind: 'directory_in_the_way', path: 'a' } },
  ],
  [
    'two new files of one path',
    {},
    [create('a', '1'), create('a/b', '2')],
    { code: 'PATH_EXISTS' },
  ],
  ['a symbolic link', { a: { mode: '120000', content: 'x' } }, [remove('a')], { code: 'SYMLINK' }],
  [
    'text in a symbolic link',
    { a: { mode: '120000', content: 'x' } },
    [replace('a', 'x', 'y')],
    { code: 'SYMLINK' },
  ],
  [
    'writing over a link',
    { a: { mode: '120000', content: 'x' } },
    [write('a', 'y')],
    { code: 'SYMLINK' },
  ],
  [
    'a submodule',
    { a: { mode: '160000', content: '' } },
    [move('a', 'b')],
    { code: 'NOT_REGULAR' },
  ],
  [
    'line numbers of what was just written',
    { a: '1\n' },
    [write('a', '2\n'), { op: 'delete_lines', path: 'a', start_line: 1, end_line: 1 }],
    { code: 'OVERLAPPING_EDITS' },
  ],
])('%s is refused', async (_, files, edits, data) => {
  expect(await refusal(() => run(files, edits))).toMatchObject(data)
})

test('where letter case does not count, another spelling is in the way unless it moves', async () => {
  const tree = { ...treeOf({ a: '1' }), ignoreCase: true }
  const refused = await refusal(() => run({}, [create('b', '1'), create('B', '2')], { tree }))
  expect(refused).toMatchObject({ code: 'PATH_EXISTS', obstacle: { kind: 'case_collision' } })
  expect(await changed({ a: '1' }, [move('a', 'A')], { tree })).toEqual({ A: '1' })
})

test.each<[string, Record<string, number>, EditJson[], unknown]>([
  [
    'a file that is written',
    { writeBytes: 3 },
    [write('a', 'xxxx')],
    { what: 'content', limit: 3, actual: 4 },
  ],
  [
    'a file that grows',
    { fileBytes: 3 },
    [replace('a', 'a', 'xé')],
    { what: 'file', limit: 3, actual: 4 },
  ],
  [
    'a file that would grow beyond measure',
    { fileBytes: 3 },
    [replace('a', 'a', 'xxxxx')],
    { what: 'file', limit: 3, actual: 6 },
  ],
  [
    'appended text',
    { writeBytes: 3 },
    [{ op: 'append_lines', path: 'a', text: 'xxxx' }],
    { what: 'text', limit: 3 },
  ],
  [
    'a batch',
    { batchOps: 1 },
    [replace('a', 'a', 'b'), replace('a', 'b', 'c')],
    { what: 'edits', limit: 1, actual: 2 },
  ],
])('%s may be too large', async (_, limits, edits, data) => {
  expect(await refusal(() => run({ a: 'a\n' }, edits, { limits }))).toMatchObject({
    code: 'TOO_LARGE',
    ...(data as object),
  })
})
