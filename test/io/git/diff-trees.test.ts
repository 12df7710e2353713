import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Oid, parseOid } from '#src/core/oid.js'
import { TreeDiffer, type TreeDifference } from '#src/io/git/diff-trees.js'
import { type Content, makeRepository, type TestRepository } from '../../support/repository.js'

let repository: TestRepository
let differ: TreeDiffer
beforeAll(async () => {
  repository = await makeRepository({ 'first.txt': 'first\n' })
  const env = { PATH: process.env.PATH ?? '', GIT_DIR: `${repository.path}/.git` }
  differ = new TreeDiffer({ git: 'git', env, cwd: repository.path, flags: [] })
})
afterAll(() => differ.stop())

/** A tree of exactly these files. */
async function tree(files: Readonly<Record<string, Content>>): Promise<Oid> {
  await repository.git('rm', '-r', '--quiet', '--force', '--ignore-unmatch', '.')
  for (const [path, content] of Object.entries(files)) await repository.write(path, content)
  await repository.git('add', '--all')
  return parseOid(await repository.git('write-tree'))
}

const told = (all: readonly TreeDifference[]): readonly unknown[] =>
  all.map(({ path, from, status, oldMode, newMode }) => ({
    path,
    ...(from !== undefined && { from }),
    status,
    modes: `${oldMode} ${newMode}`,
  }))

const diff = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n'

test.each([
  [
    'an edit',
    { 'a.txt': 'a\n' },
    { 'a.txt': 'b\n' },
    [{ path: 'a.txt', status: 'modified', modes: '100644 100644' }],
  ],
  [
    'a new file and one that is gone',
    { gone: 'g\n' },
    { new: 'n\n' },
    [
      { path: 'gone', status: 'deleted', modes: '100644 000000' },
      { path: 'new', status: 'added', modes: '000000 100644' },
    ],
  ],
  [
    'a move',
    { 'd/a.txt': 'aaa\n' },
    { 'e/b.txt': 'aaa\n' },
    [{ path: 'e/b.txt', from: 'd/a.txt', status: 'renamed', modes: '100644 100644' }],
  ],
  [
    'a mode',
    { 'run.sh': 'x\n' },
    { 'run.sh': { text: 'x\n', mode: '755' } },
    [{ path: 'run.sh', status: 'modified', modes: '100644 100755' }],
  ],
  [
    'a file that became a link',
    { x: 'a\n' },
    { x: { symlink: 'a' } },
    [{ path: 'x', status: 'modified', modes: '100644 120000' }],
  ],
  [
    'names that git would quote',
    {},
    { 'ü "q".txt': '1\n', 'tab\t': '2\n', 'line\nbreak': '3\n' },
    [
      { path: 'line\nbreak', status: 'added', modes: '000000 100644' },
      { path: 'tab\t', status: 'added', modes: '000000 100644' },
      { path: 'ü "q".txt', status: 'added', modes: '000000 100644' },
    ],
  ],
  [
    'content that looks like a patch',
    { a: 'a\n', b: 'b\n' },
    { a: diff, b: `${diff}\0` },
    [
      { path: 'a', status: 'modified', modes: '100644 100644' },
      { path: 'b', status: 'modified', modes: '100644 100644' },
    ],
  ],
] satisfies (readonly [
  string,
  Readonly<Record<string, Content>>,
  Readonly<Record<string, Content>>,
  readonly unknown[],
])[])('%s', async (_, before, after, expected) => {
  const [from, to] = [await tree(before), await tree(after)]
  expect(told(await differ.list(from, to))).toEqual(expected)
  const patches = await differ.patches(from, to)
  expect(told(patches)).toEqual(expected)
  for (const { path, from: old = path, before: oldOid, after: newOid, patch } of patches) {
    expect([oldOid, newOid]).toEqual([await oidAt(from, old), await oidAt(to, path)])
    expect(patch.subarray(0, 11).toString('latin1')).toBe('diff --git ')
  }
})

async function oidAt(treeOid: Oid, path: string): Promise<string | undefined> {
  const found = await repository.gitRaw(['ls-tree', '-z', treeOid, '--', path])
  return /^\d+ \w+ ([0-9a-f]+)\t/.exec(new TextDecoder().decode(found))?.[1]
}

test('each file has its own patch, as git makes it', async () => {
  const [from, to] = [
    await tree({ a: 'a\n', b: 'b\n', c: 'c\n' }),
    await tree({ a: `${diff}x\n`, b: 'B\n', c: '' }),
  ]
  const patches = await differ.patches(from, to)
  expect(patches.map(({ path }) => path)).toEqual(['a', 'b', 'c'])
  const whole = await repository.gitRaw(['diff', '--full-index', '--text', from, to])
  expect(Buffer.concat(patches.map(({ patch }) => patch)).equals(Buffer.from(whole))).toBe(true)
})

test('a name with a line break spoils no other patch', async () => {
  const [from, to] = [await tree({}), await tree({ 'a\ndiff --git a/x b/x': '1\n', b: '2\n' })]
  const patches = await differ.patches(from, to)
  expect(patches.map(({ path }) => path)).toEqual(['a\ndiff --git a/x b/x', 'b'])
  expect(patches[1]?.patch.toString()).toContain('+2')
})

test('nothing', async () => {
  const same = await tree({ a: 'a\n' })
  expect(await differ.list(same, same)).toEqual([])
  expect(await differ.patches(same, same)).toEqual([])
})

test('many questions at once', async () => {
  const trees = [await tree({}), await tree({ a: '1\n' }), await tree({ a: '2\n', b: 'b\n' })]
  const [none, one, two] = [
    trees[0] ?? parseOid(''),
    trees[1] ?? parseOid(''),
    trees[2] ?? parseOid(''),
  ]
  const answers = await Promise.all([
    differ.list(none, one),
    differ.list(one, two),
    differ.list(two, none),
    differ.list(none, two),
  ])
  expect(answers.map(files => files.map(({ path }) => path).join(' '))).toEqual([
    'a',
    'a b',
    'a b',
    'a b',
  ])
})

test('a name that is no UTF-8 is told byte by byte', async () => {
  const blob = await repository.git('rev-parse', 'HEAD:first.txt')
  const entry = (mode: string): Buffer =>
    Buffer.concat([Buffer.from(`${mode} f`), Buffer.from([0xe9, 0]), Buffer.from(blob, 'hex')])
  const args = ['hash-object', '-w', '--literally', '-t', 'tree', '--stdin']
  const odd = parseOid(
    new TextDecoder().decode(await repository.gitRaw(args, { input: entry('100644') })).trim(),
  )
  expect(told(await differ.patches(await tree({}), odd))).toEqual([
    { path: 'f\u00e9', status: 'added', modes: '000000 100644' },
  ])
})
