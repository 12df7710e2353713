import type { Blob, FileContent } from './blob.js'
import type { Change } from './change.js'
import type { RepoPath } from './repo-path.js'
import { sameBytes, type TextEdit } from './text-edit.js'
import { findObstacle, type Obstacle, type Tree } from './tree.js'

/** What a draft holds at a path: a blob of the tree, or something written over it. */
export interface DraftContent extends FileContent {
  /** How the text came from the blob that this file was before; absent where that is not known. */
  readonly edits?: readonly TextEdit[] | undefined
}

/** A path that cannot stay as the draft has it, and what is there instead. */
export interface PathConflict {
  readonly path: RepoPath
  readonly obstacle: Obstacle
}

/** One file of the draft, and the path it had in the tree if it was there. */
interface Occupant {
  readonly content: DraftContent
  readonly origin: RepoPath | undefined
}

/** Who stands at a path, oldest first: none, one, or for a while one that still has to give way and one that moved in. */
type Occupants = readonly Occupant[]

/**
 * The files of a tree with changes laid over it. Every method answers a new draft; the content is
 * shared, only the short list of touched paths is copied. Whether the paths can stand side by side
 * is asked once, of the last draft (`conflicts`), so that the order of moves does not matter.
 */
export class Draft {
  readonly #tree: Tree
  readonly #touched: ReadonlyMap<RepoPath, Occupants>

  constructor(tree: Tree, touched: ReadonlyMap<RepoPath, Occupants> = new Map()) {
    this.#tree = tree
    this.#touched = touched
  }

  /** The newest content at a path; undefined where there is no file. */
  async read(path: RepoPath): Promise<DraftContent | undefined> {
    return (await this.#occupants(path)).at(-1)?.content
  }

  /** Puts content in place of the newest file at a path, or creates one there. */
  async write(path: RepoPath, content: DraftContent): Promise<Draft> {
    const occupants = await this.#occupants(path)
    const origin = occupants.at(-1)?.origin
    return this.#with([[path, [...occupants.slice(0, -1), { content, origin }]]])
  }

  /** Takes away the file at a path; where another one has moved in, that one stays. */
  async remove(path: RepoPath): Promise<Draft> {
    return this.#with([[path, (await this.#occupants(path)).slice(1)]])
  }

  /** Moves the file at a path, edits and all; where another one has moved in, that one stays. */
  async move(from: RepoPath, to: RepoPath): Promise<Draft> {
    const [moved, ...staying] = await this.#occupants(from)
    if (moved === undefined) return this
    return this.#with([
      [from, staying],
      [to, [...(await this.#occupants(to)), moved]],
    ])
  }

  /** Every path whose file would stand in the way of another one. */
  async conflicts(): Promise<readonly PathConflict[]> {
    const conflicts: PathConflict[] = []
    const gone = this.#paths(occupants => occupants.length === 0)
    const standing = this.#paths(occupants => occupants.length > 0)
    for (const path of standing) {
      const obstacle = await this.#obstacle(path, gone, standing)
      if (obstacle !== undefined) conflicts.push({ path, obstacle })
    }
    return conflicts
  }

  /** What became of each path, sorted by path; what ended as it began is left out. */
  async changes(): Promise<readonly Change[]> {
    const changes: Change[] = []
    const renamed = await this.#renamed()
    for (const path of [...this.#touched.keys()].toSorted()) {
      if (renamed.has(path)) continue
      const change = await this.#change(path, renamed)
      if (change !== undefined) changes.push(change)
    }
    return changes
  }

  async #occupants(path: RepoPath): Promise<Occupants> {
    const touched = this.#touched.get(path)
    if (touched !== undefined) return touched
    const blob = await this.#tree.read(path)
    return blob === undefined ? [] : [{ content: blob, origin: path }]
  }

  #with(entries: readonly (readonly [RepoPath, Occupants])[]): Draft {
    return new Draft(this.#tree, new Map([...this.#touched, ...entries]))
  }

  #paths(holds: (occupants: Occupants) => boolean): ReadonlySet<RepoPath> {
    return new Set([...this.#touched].filter(([, all]) => holds(all)).map(([path]) => path))
  }

  async #obstacle(
    path: RepoPath,
    gone: ReadonlySet<RepoPath>,
    standing: ReadonlySet<RepoPath>,
  ): Promise<Obstacle | undefined> {
    if ((this.#touched.get(path)?.length ?? 0) > 1) return { kind: 'file_in_the_way', path }
    if ((await this.#tree.read(path)) !== undefined) return undefined
    return (
      findObstacle(standing, path) ??
      this.#caseCollision(path, standing) ??
      (await this.#tree.obstacle(path, gone))
    )
  }

  #caseCollision(path: RepoPath, standing: ReadonlySet<RepoPath>): Obstacle | undefined {
    if (this.#tree.ignoreCase !== true) return undefined
    const folded = path.toLowerCase()
    const other = [...standing].find(name => name !== path && name.toLowerCase() === folded)
    return other && { kind: 'case_collision', path: other }
  }

  /** The paths that a file left for one where there was none before: git's renames. */
  async #renamed(): Promise<ReadonlySet<RepoPath>> {
    const renamed = new Set<RepoPath>()
    for (const [path, [occupant]] of this.#touched) {
      const origin = occupant?.origin
      if (origin === undefined || origin === path) continue
      const isLeft = this.#touched.get(origin)?.length === 0
      if (isLeft && (await this.#tree.read(path)) === undefined) renamed.add(origin)
    }
    return renamed
  }

  async #change(path: RepoPath, renamed: ReadonlySet<RepoPath>): Promise<Change | undefined> {
    const occupant = this.#touched.get(path)?.[0]
    const origin = occupant?.origin
    const from = origin !== undefined && renamed.has(origin) ? origin : undefined
    const before = await this.#tree.read(from ?? path)
    if (occupant === undefined) return before && { path, before }
    const after: FileContent = { mode: occupant.content.mode, bytes: occupant.content.bytes }
    if (before === undefined) return { path, after }
    const edits = editsBetween(before, occupant, from ?? path)
    if (from === undefined && isSame(before, after)) return undefined
    return { path, ...(from && { from }), before, after, ...(edits && { edits }) }
  }
}

/** The edits that lead from the blob to the file, where they are known. */
function editsBetween(
  before: Blob,
  { content, origin }: Occupant,
  path: RepoPath,
): readonly TextEdit[] | undefined {
  if (sameBytes(before.bytes, content.bytes)) return []
  return origin === path ? content.edits : undefined
}

function isSame(before: Blob, after: FileContent): boolean {
  return before.mode === after.mode && sameBytes(before.bytes, after.bytes)
}
