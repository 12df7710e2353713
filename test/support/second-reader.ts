import fs from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readCommit, readObject, readTree } from 'isomorphic-git'
import { expect } from 'vitest'
import type { TestRepository } from './repository.js'

/** What was compared, or why nothing was. */
export type SecondReading =
  | { readonly checked: true; readonly files: number; readonly blobs: number }
  | { readonly checked: false; readonly why: string }

const maxPackBytes = 50 * 1024 * 1024

interface Source {
  readonly fs: typeof fs
  readonly gitdir: string
  readonly cache: object
}

/**
 * Reads a commit with isomorphic-git, which shares no code with git, and expects what git says: tree,
 * parents, message and raw bytes of the commit, every entry of its tree, and the bytes of each blob that
 * its first parent does not have at the same path.
 */
export async function expectSameCommit(
  repository: TestRepository,
  oid: string,
): Promise<SecondReading> {
  const gitdir = resolve(repository.path, await repository.git('rev-parse', '--git-common-dir'))
  const why = await whyUnreadable(repository, gitdir)
  if (why !== undefined) return { checked: false, why }

  const source: Source = { fs, gitdir, cache: {} }
  const { commit } = await readCommit({ ...source, oid })
  const [tree, parents = ''] = (await repository.git('show', '-s', '--format=%T%n%P', oid)).split(
    '\n',
  )
  expect({ tree: commit.tree, parents: commit.parent.join(' ') }).toEqual({ tree, parents })
  const message = await repository.git('show', '-s', '--format=%B', oid)
  expect(commit.message.trim()).toBe(message)
  await expectSameObject(repository, source, 'commit', oid)

  const entries = await listEntries(source, commit.tree, '')
  expect([...entries].sort()).toEqual(await listEntriesByGit(repository, oid))
  const parent = commit.parent[0]
  const before = new Set(parent === undefined ? [] : await listEntriesByGit(repository, parent))
  const changed = entries.filter(entry => !before.has(entry) && entry.split(' ')[1] === 'blob')
  for (const entry of changed) {
    await expectSameObject(repository, source, 'blob', entry.split(/[ \t]/)[2] ?? '')
  }
  return { checked: true, files: entries.length, blobs: changed.length }
}

async function whyUnreadable(
  repository: TestRepository,
  gitdir: string,
): Promise<string | undefined> {
  const format = await repository.git('rev-parse', '--show-object-format')
  if (format !== 'sha1') return `isomorphic-git does not read ${format} repositories`
  const packs = join(gitdir, 'objects/pack')
  let bytes = 0
  for (const name of await readdir(packs).catch(() => [])) {
    bytes += (await stat(join(packs, name))).size
  }
  return bytes > maxPackBytes ? `packs of ${bytes} bytes are too large to read whole` : undefined
}

/** All files as lines of `git ls-tree`: mode, type, oid, tab, path. */
async function listEntries(source: Source, oid: string, folder: string): Promise<string[]> {
  const { tree } = await readTree({ ...source, oid })
  const lists = tree.map(async entry => {
    const path = folder + entry.path
    if (entry.type === 'tree') return listEntries(source, entry.oid, `${path}/`)
    return [`${entry.mode} ${entry.type} ${entry.oid}\t${path}`]
  })
  return (await Promise.all(lists)).flat()
}

async function listEntriesByGit(repository: TestRepository, oid: string): Promise<string[]> {
  const bytes = await repository.gitRaw(['ls-tree', '-r', '-z', '--full-tree', oid])
  return new TextDecoder().decode(bytes).split('\0').slice(0, -1).sort()
}

async function expectSameObject(
  repository: TestRepository,
  source: Source,
  type: 'commit' | 'blob',
  oid: string,
): Promise<void> {
  const byGit = await repository.gitRaw(['cat-file', type, oid])
  const { object } = await readObject({ ...source, oid, format: 'content' })
  const isSame = object instanceof Uint8Array && Buffer.compare(object, byGit) === 0
  expect(isSame, `${type} ${oid} has the same bytes for both readers`).toBe(true)
}
