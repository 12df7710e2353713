import { describe, expect, test } from 'vitest'
import { parseOid } from '#src/core/oid.js'
import { findTreeEntry, parseTree, rewriteTree, type TreeEntry } from '#src/io/git/tree-object.js'

const oid = parseOid('1'.repeat(40))
const other = parseOid('2'.repeat(40))

/** A tree body from `mode name` lines, in the order given. */
function body(lines: readonly (string | Buffer)[], bytes = 20): Buffer {
  return Buffer.concat(
    lines.map(line =>
      Buffer.concat([Buffer.from(line), Buffer.from([0]), Buffer.alloc(bytes, 0x11)]),
    ),
  )
}

const names = (tree: Buffer): readonly string[] =>
  parseTree(tree, 20).map(({ mode, name }) => `${mode} ${name}`)

type Changes = ReadonlyMap<string, Omit<TreeEntry, 'name'> | undefined>
const changes = (entries: Readonly<Record<string, string | undefined>>): Changes =>
  new Map(
    Object.entries(entries).map(([name, mode]) => [
      name,
      mode === undefined ? mode : { mode, oid: other },
    ]),
  )

test('a tree is read entry by entry', () => {
  expect(parseTree(body(['100644 a', '40000 d']), 20)).toEqual([
    { mode: '100644', name: 'a', oid },
    { mode: '40000', name: 'd', oid },
  ])
  expect(parseTree(Buffer.alloc(0), 20)).toEqual([])
})

test('ids of 32 bytes', () => {
  const [entry] = parseTree(body(['100644 a'], 32), 32)
  expect(entry?.oid).toBe('1'.repeat(64))
})

test.each([
  ['without an id', Buffer.from('100644 a\0')],
  ['with half an id', body(['100644 a']).subarray(0, -1)],
  ['without a mode', Buffer.from('a\0')],
])('a tree %s is an error', (_, tree) => {
  expect(() => parseTree(tree, 20)).toThrow('cut off')
})

test.each([
  ['a', true],
  ['ab', false],
  ['A', false],
  ['ä', true],
  ['', false],
])('an entry of exactly the name %j', (name, found) => {
  const tree = body(['100644 a', '100644 abc', '100644 ä'])
  expect(findTreeEntry(tree, 20, name) !== undefined).toBe(found)
})

describe('rewritten', () => {
  test.each([
    ['replaced in place', ['100644 a', '100644 b'], { b: '100755' }, ['100644 a', '100755 b']],
    ['added first', ['100644 b'], { a: '100644' }, ['100644 a', '100644 b']],
    [
      'added between',
      ['100644 a', '100644 c'],
      { b: '100644' },
      ['100644 a', '100644 b', '100644 c'],
    ],
    ['added last', ['100644 a'], { b: '100644' }, ['100644 a', '100644 b']],
    ['added to nothing', [], { a: '100644' }, ['100644 a']],
    ['removed', ['100644 a', '100644 b'], { a: undefined }, ['100644 b']],
    ['removed though not there', ['100644 a'], { b: undefined }, ['100644 a']],
    ['all removed', ['100644 a'], { a: undefined }, []],
    [
      'a directory sorts as if it ended in a slash',
      ['100644 a-b', '100644 a.b'],
      { a: '40000' },
      ['100644 a-b', '100644 a.b', '40000 a'],
    ],
    [
      'a file of that name does not',
      ['100644 a-b', '100644 a.b'],
      { a: '100644' },
      ['100644 a', '100644 a-b', '100644 a.b'],
    ],
    [
      'a file becomes a directory',
      ['100644 a', '100644 a-b', '100644 a0'],
      { a: '40000' },
      ['100644 a-b', '40000 a', '100644 a0'],
    ],
    [
      'a directory becomes a file',
      ['100644 a-b', '40000 a', '100644 a0'],
      { a: '100644' },
      ['100644 a', '100644 a-b', '100644 a0'],
    ],
    [
      'several at once',
      ['100644 b', '100644 d'],
      { a: '100644', b: undefined, c: '40000', e: '100755' },
      ['100644 a', '40000 c', '100644 d', '100755 e'],
    ],
  ] as const)('%s', (_, before, edits, after) => {
    expect(names(rewriteTree(body(before), 20, changes(edits)))).toEqual(after)
  })

  test('nothing at all, it is the same', () => {
    const tree = body([
      '100664 a',
      Buffer.from([...Buffer.from('100644 '), 0xff, 0xfe]),
      '160000 s',
    ])
    expect(rewriteTree(tree, 20, new Map()).equals(tree)).toBe(true)
  })

  test('its siblings keep their very bytes', () => {
    const odd = Buffer.from([...Buffer.from('100644 '), 0xc3, 0x28, 0xff])
    const tree = body(['100664 old', odd])
    const rewritten = rewriteTree(tree, 20, changes({ b: '100644' }))
    expect(rewritten.includes(Buffer.from('100664 old\0'))).toBe(true)
    expect(rewritten.includes(Buffer.concat([odd, Buffer.from([0])]))).toBe(true)
  })
})
