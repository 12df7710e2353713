import { type BigIntStats, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { FileMode } from '#src/core/blob.js'
import { type ObjectFormat, type Oid, parseOid } from '#src/core/oid.js'
import type { TouchedTrees } from '#src/io/git/index-cache-tree.js'
import { type IndexCache, readIndex } from '#src/io/git/index-file.js'
import { adoptIndex, patchIndex } from '#src/io/git/index-patch.js'
import type { TestRepository } from '../../support/repository.js'

/** What a path is to become. */
export interface Edit {
  readonly path: string
  readonly text: string
  readonly mode?: FileMode
}

/** What a commit that the index does not know yet did. */
export interface Landed {
  readonly updates: readonly {
    readonly path: string
    readonly oid: Oid
    readonly mode: FileMode
    readonly stat: BigIntStats
  }[]
  readonly trees: TouchedTrees
}

export const indexPath = (repository: TestRepository): string => join(repository.path, '.git/index')

/** Commits edits and writes the files, as the gateway does; the index stays as it was. */
export async function land(repository: TestRepository, edits: readonly Edit[]): Promise<Landed> {
  const env = { GIT_INDEX_FILE: join(repository.path, '.git/index-of-the-test') }
  const git = async (args: readonly string[], input?: string): Promise<string> =>
    new TextDecoder()
      .decode(await repository.gitRaw(args, input === undefined ? { env } : { env, input }))
      .trim()
  const oldTree = await git(['rev-parse', 'HEAD^{tree}'])
  await git(['read-tree', oldTree])
  const blobs = new Map<string, Oid>()
  for (const { path, text, mode = '100644' } of edits) {
    const oid = parseOid(await git(['hash-object', '-w', '--stdin'], text))
    blobs.set(path, oid)
    await git(['update-index', '-z', '--add', '--index-info'], `${mode} ${oid}\t${path}\0`)
    await repository.write(path, mode === '100755' ? { text, mode: '755' } : text)
  }
  const newTree = await git(['write-tree'])
  const commit = await git(['commit-tree', newTree, '-p', 'HEAD', '-m', 'landed'])
  await git(['update-ref', 'HEAD', commit])
  const directories = edits.flatMap(({ path }) => directoriesOf(path))
  return {
    updates: edits.map(({ path, mode = '100644' }) => ({
      path,
      oid: blobs.get(path) ?? parseOid(''),
      mode,
      stat: lstatSync(join(repository.path, path), { bigint: true }),
    })),
    trees: {
      old: await treeIds(repository, oldTree, directories),
      new: await treeIds(repository, newTree, directories),
    },
  }
}

/** Patches the index of a repository; `patched` has taken its place. */
export async function patch(
  repository: TestRepository,
  landed: Landed,
  cache?: IndexCache,
): Promise<'patched' | 'fallback'> {
  const path = indexPath(repository)
  const output = `${path}-private`
  const format = await formatOf(repository)
  const layout = readIndex(path, cache)
  const answer = patchIndex({ path, layout, output, format, ...landed, ...(cache && { cache }) })
  if (answer === 'patched') adoptIndex(output, path, cache)
  return answer
}

/** What git says of worktree, index and head, and what it finds wrong. */
export async function judge(repository: TestRepository): Promise<Record<string, string>> {
  const { git } = repository
  // Asked first: status repairs what it finds stale.
  const staged = await git('diff', '--cached', '--name-only', 'HEAD')
  const raw = await git('--no-optional-locks', 'status', '--porcelain')
  const tree = await git('write-tree')
  const isHead = tree === (await git('rev-parse', 'HEAD^{tree}'))
  const fsck = await git('fsck', '--no-dangling').catch(String)
  return { staged, status: raw, tree: isHead ? 'head' : tree, fsck }
}

export const clean = { staged: '', status: '', tree: 'head', fsck: '' }

export async function formatOf(repository: TestRepository): Promise<ObjectFormat> {
  const format = await repository.git('rev-parse', '--show-object-format')
  return format === 'sha256' ? 'sha256' : 'sha1'
}

function directoriesOf(path: string): readonly string[] {
  const names = path.split('/')
  return names.map((_, depth) => names.slice(0, depth).join('/'))
}

async function treeIds(
  repository: TestRepository,
  tree: string,
  directories: readonly string[],
): Promise<ReadonlyMap<string, Oid>> {
  const ids = new Map<string, Oid>()
  for (const directory of new Set(directories)) {
    const name = directory === '' ? tree : `${tree}:${directory}`
    const found = await repository.git('rev-parse', '--verify', '--quiet', name).catch(() => '')
    if (found !== '') ids.set(directory, parseOid(found))
  }
  return ids
}
