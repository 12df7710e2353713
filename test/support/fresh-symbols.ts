import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parseRepoPath } from '#src/core/repo-path.js'
import { SymbolIndex } from '#src/gateway/repository/symbol-index.js'
import { hashObject } from '#src/io/git/hash-object.js'
import { TreeWatch, type WatchKind } from '#src/io/watch.js'
import { ThreadParsers } from '#src/io/workers/thread-parsers.js'
import { openGateway, type TestWorktree } from './gateway.js'
import { seededRandom } from './random.js'
import { makeRepository, type TestRepository } from './repository.js'

export interface Sizes {
  readonly seed: number
  /** Files that two commits hold in different forms of the same length. */
  readonly files: number
  readonly switches: number
  /** Rounds in which some files are rewritten and asked for at once. */
  readonly bursts: number
  /** New nested directories with three files each. */
  readonly directories: number
  /** Files whose answers are compared after each step. */
  readonly compared: number
}

/**
 * Changes a worktree behind the gateway's back and compares every answer on symbols with an index that has seen
 * nothing. Answers how many were compared.
 */
export async function compareWithFresh(sizes: Sizes): Promise<number> {
  const random = seededRandom(sizes.seed)
  const paths = Array.from({ length: sizes.files }, (_, at) => `src/${at % 37}/x/file-${at}.ts`)
  const repository = await twoForms(paths)
  const options = { watching: true, indexing: true, secondReader: false }
  const served = await openGateway(repository, options)
  const alice = await served.open('alice')
  const { changes } = alice.worktree.checkout
  await until(() => changes.isWatched)
  const parsers = new ThreadParsers()
  const world = { alice, sizes, random, parsers }
  let compared = 0
  for (let round = 0; round < sizes.switches; round += 1) {
    const before = changes.version
    await alice.git('reset', '-q', '--hard', round % 2 === 0 ? 'first' : 'main')
    compared += await compare(world, sample(world, paths))
    await until(() => changes.version > before)
  }
  for (let round = 0; round < sizes.bursts; round += 1) {
    const touched = sample(world, paths).slice(0, 20)
    for (const path of touched) rewrite(alice, path, `r${round % 10}`, random.int(0, 2) === 0)
    compared += await compare(world, touched)
  }
  const fresh = Array.from({ length: sizes.directories }, (_, at) =>
    ['x', 'y', 'z'].map(name => `new/${at % 7}/${at}/deep/${name}.ts`),
  ).flat()
  for (const path of fresh) await write(alice, path, textOf(path, 'nn'))
  compared += await compare(world, fresh)
  for (const path of sample(world, fresh).slice(0, 3)) await expectFound(alice, path, 'nn', 'zz')
  await parsers.close()
  await served.close()
  return compared
}

interface World {
  readonly alice: TestWorktree
  readonly sizes: Sizes
  readonly random: ReturnType<typeof seededRandom>
  readonly parsers: ThreadParsers
}

async function compare({ alice, parsers }: World, paths: readonly string[]): Promise<number> {
  const fresh = new SymbolIndex(parsers)
  const blobs = paths.map(path => {
    const bytes = readFileSync(join(alice.path, path))
    return { path, bytes, oid: hashObject('sha1', 'blob', bytes) }
  })
  const expected = await fresh.outlines(blobs)
  const answers = await Promise.all(
    paths.map(async path => {
      const file = parseRepoPath(path)
      return alice.worktree.outline(file, await alice.worktree.read(file))
    }),
  )
  expect(answers).toEqual(
    blobs.map(({ path, oid }, at) => ({ path, rev: oid, outline: expected[at] })),
  )
  return paths.length
}

/** A search finds what stands there now, and nothing that stood there before. */
async function expectFound(
  { worktree }: TestWorktree,
  path: string,
  form: string,
  other: string,
): Promise<void> {
  const names = async (query: string): Promise<readonly string[]> =>
    (await worktree.searchSymbols({ query })).files.map(file => file.path)
  expect(await names(nameOf(path, form))).toEqual([path])
  expect(await names(nameOf(path, other))).toEqual([])
}

/** Every path of a tree in which so much happens is told by a watch of its own. Answers how many changed. */
export async function watchEverything(kind: WatchKind, files: number): Promise<number> {
  const paths = Array.from({ length: files }, (_, at) => `src/${at % 97}/x/file-${at}.ts`)
  const repository = await twoForms(paths)
  const told = new Set<string>()
  const directories = [...Array(97).keys()].flatMap(at => [`src/${at}`, `src/${at}/x`])
  const tree = await TreeWatch.start({
    root: repository.path,
    directories: ['src', ...directories],
    kind,
    maxDirectories: 10_000,
    ignored: async () => new Set(),
    onChange: path => told.add(path),
    onLost: reason => expect.unreachable(reason),
  })
  for (const branch of ['first', 'main']) {
    told.clear()
    await repository.git('checkout', '-q', branch)
    await until(() => paths.every(path => told.has(path)))
  }
  const fresh = Array.from({ length: 200 }, (_, at) =>
    ['x', 'y', 'z'].map(name => `new/${at % 7}/${at}/${name}.ts`),
  ).flat()
  for (const path of fresh) await write(repository, path, 'new\n')
  await until(() => fresh.every(path => told.has(path)))
  tree.close()
  return 2 * paths.length + fresh.length
}

/** Two commits, the older one also called `first`. */
async function twoForms(paths: readonly string[]): Promise<TestRepository> {
  const repository = await makeRepository(formOf(paths, 'aa'))
  await repository.git('branch', 'first')
  for (const path of paths) await write(repository, path, textOf(path, 'bb'))
  await repository.commit('second')
  return repository
}

function formOf(paths: readonly string[], form: string): Readonly<Record<string, string>> {
  return Object.fromEntries(paths.map(path => [path, textOf(path, form)]))
}

function textOf(path: string, form: string): string {
  return `export function ${nameOf(path, form)}() {}\n`
}

function nameOf(path: string, form: string): string {
  return `${form}_${path.replace(/\W/g, '_')}`
}

/** With as many bytes as before, in place or by a file that is moved over it. */
function rewrite({ path: root }: TestWorktree, path: string, form: string, isMoved: boolean): void {
  const place = join(root, path)
  if (!isMoved) {
    writeFileSync(place, textOf(path, form))
    return
  }
  writeFileSync(`${place}~`, textOf(path, form))
  renameSync(`${place}~`, place)
}

async function write(
  { path: root }: Pick<TestWorktree, 'path'>,
  path: string,
  text: string,
): Promise<void> {
  const place = join(root, path)
  await mkdir(join(place, '..'), { recursive: true })
  await writeFile(place, text)
}

function sample({ random, sizes }: World, paths: readonly string[]): readonly string[] {
  if (paths.length <= sizes.compared) return paths
  return [...new Set(Array.from({ length: sizes.compared }, () => random.pick(paths)))]
}

/** Ends with the test where it never comes true. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 5))
}
