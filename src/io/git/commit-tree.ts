import type { FileMode } from '../../core/blob.js'
import { Refusal } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import type { TreeSource } from './object-reader.js'
import { directoryMode, findTreeEntry, type TreeEntry } from './tree-object.js'

/** Walks the trees of one commit. */
export class CommitTree {
  readonly root: Oid
  readonly #source: TreeSource

  constructor(root: Oid, source: TreeSource) {
    this.root = root
    this.#source = source
  }

  /** What stands at a path: a file, link, gitlink or directory. */
  async find(path: RepoPath): Promise<TreeEntry | undefined> {
    const names = path.split('/')
    let tree = this.root
    for (const [depth, name] of names.entries()) {
      const entry = findTreeEntry(await this.#source.tree(tree), this.#source.oidBytes, name)
      if (entry === undefined || depth === names.length - 1) return entry
      if (entry.mode === '160000')
        throw new Refusal('NOT_REGULAR', { path, submodule: names.slice(0, depth + 1).join('/') })
      if (entry.mode !== directoryMode) return undefined
      tree = entry.oid
    }
    return undefined
  }

  /** The tree of a directory ('' for the root); undefined where there is none. */
  async directory(path: string): Promise<Oid | undefined> {
    if (path === '') return this.root
    const entry = await this.find(path as RepoPath)
    return entry?.mode === directoryMode ? entry.oid : undefined
  }

  /** The body of a directory's tree. */
  async body(path: string): Promise<Buffer | undefined> {
    const oid = await this.directory(path)
    return oid === undefined ? undefined : this.#source.tree(oid)
  }
}

/** The mode of a file as git writes it today; git itself reads any other regular mode so. */
export function fileMode(treeMode: string): FileMode | undefined {
  if (treeMode === '120000' || treeMode === '160000') return treeMode
  if (!treeMode.startsWith('100')) return undefined
  return (Number.parseInt(treeMode, 8) & 0o100) === 0 ? '100644' : '100755'
}
