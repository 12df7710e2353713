import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { TreeWatch, type TreeWatchOrders, type WatchKind } from '#src/io/watch.js'

const kinds: readonly WatchKind[] = ['chokidar', 'directories']
const places: string[] = []
const open: TreeWatch[] = []

afterAll(async () => {
  for (const tree of open) tree.close()
  for (const place of places) await rm(place, { recursive: true, force: true })
})

interface Watching {
  readonly tree: TreeWatch
  readonly write: (path: string) => Promise<void>
  readonly root: string
  readonly lost: string[]
  /** Resolves when all of those were told since they were asked for last. */
  readonly told: (paths: readonly string[]) => Promise<void>
  /** Everything that was ever told. */
  readonly all: Set<string>
}

async function watching(
  kind: WatchKind,
  directories: readonly string[],
  orders: Partial<TreeWatchOrders> = {},
): Promise<Watching> {
  const root = await mkdtemp(join(tmpdir(), 'watch-'))
  places.push(root)
  for (const directory of directories) await mkdir(join(root, directory), { recursive: true })
  const [told, all, lost] = [new Set<string>(), new Set<string>(), [] as string[]]
  let look = (): void => {}
  const tree = await TreeWatch.start({
    root,
    directories,
    kind,
    maxDirectories: 10_000,
    ignored: async paths => new Set(paths.filter(path => path.endsWith('ignored'))),
    onChange: path => {
      told.add(path)
      all.add(path)
      look()
    },
    onLost: reason => {
      lost.push(reason)
      look()
    },
    ...orders,
  })
  open.push(tree)
  const wait = (paths: readonly string[]): Promise<void> =>
    new Promise(resolve => {
      look = () => {
        if (!paths.every(path => told.has(path))) return
        for (const path of paths) told.delete(path)
        look = () => {}
        resolve()
      }
      look()
    })
  const write = async (path: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), path)
  }
  return { tree, root, write, lost, told: wait, all }
}

describe.each(kinds)('%s', kind => {
  test('files that are written, replaced and removed are told', async () => {
    const { tree, root, write, told } = await watching(kind, ['a', 'a/b'])
    expect(tree.directories).toBe(3)
    for (const path of ['top', 'a/one', 'a/b/two']) await write(path)
    await told(['top', 'a/one', 'a/b/two'])
    await writeFile(join(root, 'a/new'), 'new')
    await rename(join(root, 'a/new'), join(root, 'a/one'))
    await rm(join(root, 'a/b/two'))
    await told(['a/one', 'a/b/two'])
  })

  test('no file in new nested directories is missed', async () => {
    const { write, told, tree } = await watching(kind, ['src'])
    const paths = Array.from({ length: 40 }, (_, number) =>
      ['x', 'y', 'z'].map(name => `src/${number % 10}/deep/${number}/${name}`),
    ).flat()
    for (const path of paths) await write(path)
    await told(paths)
    // The root, src, ten with one below each, and those that hold the files.
    expect(tree.directories).toBe(2 + 20 + 40)
  })

  test('a directory that goes and comes again is watched again', async () => {
    const { root, write, told } = await watching(kind, ['a', 'a/b'])
    for (let round = 0; round < 5; round += 1) {
      await rm(join(root, 'a'), { recursive: true })
      await write(`a/b/${round}`)
      await told([`a/b/${round}`])
    }
    await write('a/b/last')
    await told(['a/b/last'])
  })

  test('what is ignored is neither watched nor told of', async () => {
    const { write, told, tree, all } = await watching(kind, ['a'])
    await write('a/ignored/deep/file')
    await write('a/seen/file')
    await told(['a/seen/file'])
    await write('a/ignored/other')
    await write('a/last')
    await told(['a/last'])
    expect(tree.directories).toBe(3)
    expect([...all].filter(path => path.startsWith('a/ignored/'))).toEqual([])
  })

  test('a tree with too many directories is given up, also when it grows', async () => {
    const tooMany = await watching(kind, ['a', 'b', 'c'], { maxDirectories: 3 })
    expect(tooMany.lost).toEqual(['more than 3 directories'])
    expect(tooMany.tree.directories).toBe(0)
    const { write, tree, lost, told } = await watching(kind, ['a'], { maxDirectories: 3 })
    await write('b/one')
    await told(['b/one'])
    await write('c/one')
    await told(['c'])
    while (lost.length === 0) await new Promise(resolve => setImmediate(resolve))
    expect(lost).toEqual(['more than 3 directories'])
    expect(tree.directories).toBe(0)
  })
})
