import { beforeAll, expect, test } from 'vitest'
import type { FileMode } from '#src/core/blob.js'
import { type Oid, parseOid } from '#src/core/oid.js'
import { CommitTree } from '#src/io/git/commit-tree.js'
import { editTree, type TreeChanges } from '#src/io/git/edit-tree.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

let repository: TestRepository
let root: Oid
// The blob of a.txt.
const blob = parseOid('78981922613b2afb6025042ff6bd878ac1994e85')
beforeAll(async () => {
  repository = await makeRepository({
    'a.txt': 'a\n',
    'd/e/f.txt': 'f\n',
    'd/g.txt': 'g\n',
    'h/i.txt': 'i\n',
    'h-1.txt': '1\n',
  })
  root = parseOid(await repository.git('rev-parse', 'HEAD^{tree}'))
})

/** A tree that is read by a git of its own, and what was read. */
function commitTree(): { readonly tree: CommitTree; readonly read: string[] } {
  const read: string[] = []
  const tree = async (oid: Oid): Promise<Buffer> => {
    read.push(oid)
    return Buffer.from(await repository.gitRaw(['cat-file', 'tree', oid]))
  }
  return { tree: new CommitTree(root, { oidBytes: 20, tree }), read }
}

const gone = undefined
const at = (mode: FileMode = '100644'): { oid: Oid; mode: FileMode } => ({ oid: blob, mode })

/** What git itself makes of the same changes. */
async function treeByGit(changes: TreeChanges): Promise<string> {
  const env = { GIT_INDEX_FILE: `${repository.path}/.git/index-of-the-test` }
  await repository.gitRaw(['read-tree', root], { env })
  for (const isRemoval of [true, false]) {
    const lines = [...changes].filter(([, entry]) => (entry === undefined) === isRemoval)
    const input = lines
      .map(([path, entry]) => `${entry?.mode ?? '0'} ${entry?.oid ?? '0'.repeat(40)}\t${path}\0`)
      .join('')
    await repository.gitRaw(['update-index', '-z', '--index-info'], { env, input })
  }
  return new TextDecoder().decode(await repository.gitRaw(['write-tree'], { env })).trim()
}

test.each([
  ['one at the top', { 'a.txt': at('100755') }, 1],
  ['one deep below', { 'd/e/f.txt': at() }, 3],
  ['a new directory', { 'n/e/w/f.txt': at() }, 4],
  ['beside others', { 'd/n.txt': at(), 'h/n.txt': at() }, 3],
  ['the last file of a directory', { 'd/e/f.txt': gone }, 2],
  ['a whole directory', { 'd/e/f.txt': gone, 'd/g.txt': gone }, 1],
  [
    'everything',
    { 'a.txt': gone, 'd/e/f.txt': gone, 'd/g.txt': gone, 'h/i.txt': gone, 'h-1.txt': gone },
    1,
  ],
  ['a file becomes a directory', { 'a.txt': gone, 'a.txt/b': at() }, 2],
  ['a directory becomes a file', { 'h/i.txt': gone, h: at() }, 1],
  ['a directory becomes a file deep below', { 'd/e/f.txt': gone, 'd/e': at() }, 2],
  ['a move', { 'd/g.txt': gone, 'x/g.txt': at() }, 3],
  ['a link and a submodule', { l: at('120000') }, 1],
  ['nothing that was not there', { 'none/none': gone }, 0],
] as const)('%s', async (_, entries, trees) => {
  const changes: TreeChanges = new Map(Object.entries(entries))
  const { tree } = commitTree()
  const edited = await editTree(tree, changes, 'sha1')
  expect(edited.root).toBe(await treeByGit(changes))
  expect(edited.objects).toHaveLength(trees)
  for (const { oid, type, body } of edited.objects) {
    const args = ['hash-object', '-t', type, '--stdin']
    const named = new TextDecoder().decode(await repository.gitRaw(args, { input: body })).trim()
    expect(named).toBe(oid)
  }
})

test('directories beside the path are not read', async () => {
  const { tree, read } = commitTree()
  await editTree(tree, new Map([['d/g.txt', at()]]), 'sha1')
  const [d, h] = [
    await repository.git('rev-parse', 'HEAD:d'),
    await repository.git('rev-parse', 'HEAD:h'),
  ]
  expect(read).toContain(d)
  expect(read).not.toContain(h)
})

test('the same again makes no object', async () => {
  const { tree } = commitTree()
  expect(await editTree(tree, new Map([['a.txt', at()]]), 'sha1')).toEqual({ root, objects: [] })
})
