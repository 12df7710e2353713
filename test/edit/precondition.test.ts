import { expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import { resolve } from '#src/edit/resolve.js'
import { refusal, revOf, treeOf } from './sandbox.js'

const was = revOf('old\n')
const is = revOf('now\n')
const head = 'f'.repeat(40)

type Edit = Readonly<Record<string, unknown>>

async function attempt(edits: readonly Edit[], expectedHead?: string): Promise<readonly string[]> {
  const batch = parseBatch(
    batchSchema.parse({ edits, ...(expectedHead && { expected_head: expectedHead }) }),
    defaultLimits,
  )
  const tree = treeOf({ a: 'now\n', same: 'same\n' })
  const { changes } = await resolve(batch, tree, {
    limits: defaultLimits,
    allowProtected: [],
    expectedTree: treeOf({ a: 'old\n', same: 'same\n', gone: 'x' }),
  })
  return changes.map(change => change.path)
}

const text = (path: string, more = {}): Edit => ({ op: 'append_lines', path, text: 'x', ...more })
const write = (path: string, more = {}): Edit => ({ op: 'write_file', path, text: 'x', ...more })
const move = (path: string, to: string, more = {}): Edit => ({ op: 'move_file', path, to, ...more })

test.each<[string, readonly Edit[], string | undefined, readonly string[]]>([
  ['the revision that is', [text('a', { expected_rev: is })], undefined, ['a']],
  ['once per file', [text('a'), text('a', { expected_rev: is })], undefined, ['a']],
  ['none where none is expected', [write('new', { expected_rev: null })], undefined, ['new']],
  [
    'null, then an edit of what was made',
    [write('new', { expected_rev: null }), text('new')],
    undefined,
    ['new'],
  ],
  ['a head that has the same blob', [text('same')], head, ['same']],
  ['a head that has no such file either', [write('new')], head, ['new']],
  ['a revision goes before the head', [text('a', { expected_rev: is })], head, ['a']],
  [
    'a moved file needs no revision',
    [move('a', 'b', { expected_rev: is }), text('b')],
    undefined,
    ['b'],
  ],
  [
    'or that of the file that came',
    [move('a', 'b', { expected_rev: is }), text('b', { expected_rev: is })],
    undefined,
    ['b'],
  ],
  [
    'or none, by two moves',
    [move('a', 'b', { expected_rev: is }), move('b', 'c', { expected_rev: null }), text('c')],
    undefined,
    ['c'],
  ],
])('%s is right', async (_, edits, expectedHead, paths) => {
  expect(await attempt(edits, expectedHead)).toEqual(paths)
})

test.each<[string, readonly Edit[], string | undefined, Readonly<Record<string, unknown>>]>([
  ['no revision', [text('a')], undefined, { code: 'CONTENT_REV_REQUIRED', path: 'a', actual: is }],
  [
    'no word on a new file',
    [write('new')],
    undefined,
    { code: 'CONTENT_REV_REQUIRED', actual: null },
  ],
  ['an edit of no file', [text('new')], undefined, { code: 'FILE_NOT_FOUND', path: 'new' }],
  [
    'an edit of a file that must not be',
    [text('new', { expected_rev: null })],
    undefined,
    { code: 'FILE_NOT_FOUND' },
  ],
  [
    'another revision',
    [text('a', { expected_rev: was })],
    undefined,
    { code: 'CONTENT_REV_CONFLICT', path: 'a', expected: was, actual: is },
  ],
  [
    'null for a file',
    [write('a', { expected_rev: null })],
    undefined,
    { code: 'PATH_EXISTS', path: 'a', actual: is },
  ],
  [
    'a revision of no file',
    [write('new', { expected_rev: was })],
    undefined,
    { code: 'CONTENT_REV_CONFLICT', expected: was, actual: null },
  ],
  [
    'a head that has another blob',
    [text('a')],
    head,
    { code: 'CONTENT_REV_CONFLICT', expected: was, actual: is },
  ],
  [
    'a head whose file is gone',
    [text('gone')],
    head,
    { code: 'CONTENT_REV_CONFLICT', actual: null },
  ],
  [
    'a foreign revision for a moved file',
    [move('a', 'b', { expected_rev: is }), text('b', { expected_rev: was })],
    undefined,
    { code: 'CONTENT_REV_CONFLICT', index: 1 },
  ],
  [
    'two revisions for one file',
    [text('a', { expected_rev: is }), text('a', { expected_rev: was })],
    undefined,
    { code: 'INVALID_ARGUMENTS', index: 1 },
  ],
  [
    'no revision where the content is the same',
    [write('same', { text: 'same\n' })],
    undefined,
    { code: 'CONTENT_REV_REQUIRED' },
  ],
])('%s is refused', async (_, edits, expectedHead, data) => {
  expect(await refusal(() => attempt(edits, expectedHead))).toMatchObject(data)
})
