import type { Blob } from './blob.js'
import type { RepoPath } from './repo-path.js'

/** The files of one commit (or of a draft over one). It never changes. */
export interface Tree {
  /** The blob at a path; undefined where there is no file (a directory is no file). */
  read(path: RepoPath): Promise<Blob | undefined>
  /** What stands in the way of creating a file at the path, ignoring a file at the path itself and those in `gone`. */
  obstacle(path: RepoPath, gone?: ReadonlySet<RepoPath>): Promise<Obstacle | undefined>
  /** True where names that differ only in letter case are one file (core.ignoreCase). */
  readonly ignoreCase?: boolean
}

/** A file where the path needs a directory, a directory where it needs a file, or the same name in other letters. */
export interface Obstacle {
  readonly kind: 'file_in_the_way' | 'directory_in_the_way' | 'case_collision'
  readonly path: string
}

/** A tree held in memory, for tests and drafts over nothing. */
export function memoryTree(files: ReadonlyMap<RepoPath, Blob>): Tree {
  return {
    read: async path => files.get(path),
    obstacle: async (path, gone = new Set()) => {
      const staying = [...files.keys()].filter(other => !gone.has(other))
      return findObstacle(staying, path)
    },
  }
}

/** The obstacle that a list of existing file paths holds for a new file. */
export function findObstacle(existing: Iterable<RepoPath>, path: RepoPath): Obstacle | undefined {
  for (const other of existing) {
    if (path.startsWith(`${other}/`)) return { kind: 'file_in_the_way', path: other }
    if (other.startsWith(`${path}/`)) return { kind: 'directory_in_the_way', path }
  }
  return undefined
}
