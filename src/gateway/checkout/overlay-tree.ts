import type { Blob } from '../../core/blob.js'
import type { RepoPath } from '../../core/repo-path.js'
import type { Tree } from '../../core/tree.js'

/** A tree in which some files are other blobs than they are; the same paths are there. */
export function overlayTree(tree: Tree, files: ReadonlyMap<RepoPath, Blob>): Tree {
  return {
    read: async path => files.get(path) ?? tree.read(path),
    obstacle: (path, gone) => tree.obstacle(path, gone),
    ...(tree.ignoreCase !== undefined && { ignoreCase: tree.ignoreCase }),
  }
}
