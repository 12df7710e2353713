import type { FileMode } from '../../core/blob.js'
import type { ObjectFormat, Oid } from '../../core/oid.js'
import type { CommitTree } from './commit-tree.js'
import { hashObject, type ObjectType } from './hash-object.js'
import { directoryMode, rewriteTree, type TreeEntry } from './tree-object.js'

/** An object that is to be written. */
export interface NewObject {
  readonly oid: Oid
  readonly type: ObjectType
  readonly body: Uint8Array
}

/** What a path shall hold; undefined removes it. */
export type TreeChanges = ReadonlyMap<
  string,
  { readonly oid: Oid; readonly mode: FileMode } | undefined
>

export interface EditedTree {
  readonly root: Oid
  readonly objects: readonly NewObject[]
}

/** Makes the trees of a commit that differs from another in some paths. Reads and rewrites only the directories along them. */
export async function editTree(
  tree: CommitTree,
  changes: TreeChanges,
  format: ObjectFormat,
): Promise<EditedTree> {
  const objects: NewObject[] = []
  const oidBytes = format === 'sha1' ? 20 : 32

  const editDirectory = async (path: string, node: Directory): Promise<Oid | undefined> => {
    const old = await tree.directory(path)
    const entries = new Map<string, Omit<TreeEntry, 'name'> | undefined>(node.files)
    for (const [name, child] of node.directories) {
      const oid = await editDirectory(path === '' ? name : `${path}/${name}`, child)
      // A file that takes the place of an emptied directory stands in `files` and stays.
      if (oid !== undefined) entries.set(name, { mode: directoryMode, oid })
      else if (!entries.get(name)) entries.set(name, undefined)
    }
    const body = rewriteTree((await tree.body(path)) ?? Buffer.alloc(0), oidBytes, entries)
    if (body.length === 0 && path !== '') return undefined
    const oid = hashObject(format, 'tree', body)
    if (oid !== old) objects.push({ oid, type: 'tree', body })
    return oid
  }

  const root = await editDirectory('', groupByDirectory(changes))
  return { root: root ?? tree.root, objects }
}

interface Directory {
  readonly files: Map<string, { readonly oid: Oid; readonly mode: FileMode } | undefined>
  readonly directories: Map<string, Directory>
}

function groupByDirectory(changes: TreeChanges): Directory {
  const root: Directory = { files: new Map(), directories: new Map() }
  for (const [path, entry] of changes) {
    const names = path.split('/')
    const name = names.pop() ?? ''
    let directory = root
    for (const step of names) {
      const next = directory.directories.get(step) ?? { files: new Map(), directories: new Map() }
      directory.directories.set(step, next)
      directory = next
    }
    directory.files.set(name, entry)
  }
  return root
}
