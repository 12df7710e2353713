import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path/posix'
import type { Blob } from '../../core/blob.js'
import { Refusal } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import type { RepoPath } from '../../core/repo-path.js'
import type { Obstacle, Tree } from '../../core/tree.js'
import { lstatSafely } from '../../io/files/read-file.js'
import type { FileAttributes } from '../../io/git/attributes.js'
import { type CommitTree, fileMode } from '../../io/git/commit-tree.js'
import { directoryMode, parseTree, type TreeEntry } from '../../io/git/tree-object.js'
import type { Checkout } from './checkout.js'
import { readWorkingFile, type WorkingFile } from './working-file.js'

/** The files of head, with what the paths that were asked for hold on the disk. */
export class WorkingTree implements Tree {
  readonly head: Oid
  readonly commitTree: CommitTree
  readonly #checkout: Checkout
  readonly #maxBytes: number
  readonly #files = new Map<RepoPath, Promise<WorkingFile>>()

  constructor(checkout: Checkout, head: Oid, commitTree: CommitTree, maxBytes: number) {
    this.#checkout = checkout
    this.head = head
    this.commitTree = commitTree
    this.#maxBytes = maxBytes
  }

  /** One path with everything that is known of it; looked at once. */
  file(path: RepoPath): Promise<WorkingFile> {
    return this.#file(path, () => this.#checkout.attributes.of(path))
  }

  /** The same for several, in their order, whose attributes are asked for together. */
  files(paths: readonly RepoPath[]): readonly Promise<WorkingFile>[] {
    let asked: Promise<readonly FileAttributes[]> | undefined
    return paths.map((path, at) =>
      this.#file(path, async () => {
        asked ??= this.#checkout.attributes.ofAll(paths)
        return (await asked)[at] ?? this.#checkout.attributes.of(path)
      }),
    )
  }

  #file(path: RepoPath, attributesOf: () => Promise<FileAttributes>): Promise<WorkingFile> {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const { commitTree } = this
    const file = readWorkingFile(
      { checkout: this.#checkout, tree: commitTree, maxBytes: this.#maxBytes, attributesOf },
      path,
    )
    this.#files.set(path, file)
    return file
  }

  async read(path: RepoPath): Promise<Blob | undefined> {
    return (await this.file(path)).blob
  }

  get ignoreCase(): boolean {
    return this.#checkout.served.repository.ignoreCase
  }

  async obstacle(
    path: RepoPath,
    gone: ReadonlySet<RepoPath> = new Set(),
  ): Promise<Obstacle | undefined> {
    return (await this.#inHead(path, gone)) ?? this.#onDisk(path, gone)
  }

  async #inHead(path: RepoPath, gone: ReadonlySet<string>): Promise<Obstacle | undefined> {
    const names = path.split('/')
    for (const depth of names.keys()) {
      const directory = names.slice(0, depth).join('/')
      const body = await this.commitTree.body(directory)
      if (body === undefined) return undefined
      const name = names[depth] ?? ''
      const here = join(directory, name)
      const entries = parseTree(body, this.#checkout.served.reader.oidBytes)
      const entry = entries.find(one => one.name === name)
      if (entry === undefined) return this.#caseCollision(entries, directory, name, gone)
      const isFile = fileMode(entry.mode) !== undefined
      const isLast = depth === names.length - 1
      if (!isLast && isFile)
        return gone.has(here) ? undefined : { kind: 'file_in_the_way', path: here }
      if (isLast && !isFile && !(await this.#isEmptied(here, gone))) {
        return { kind: 'directory_in_the_way', path: here }
      }
    }
    return undefined
  }

  /** True where every file that head has below a directory is going. */
  async #isEmptied(directory: string, gone: ReadonlySet<string>): Promise<boolean> {
    const body = (await this.commitTree.body(directory)) ?? Buffer.alloc(0)
    for (const { name, mode } of parseTree(body, this.#checkout.served.reader.oidBytes)) {
      const path = `${directory}/${name}`
      if (!(mode === directoryMode ? await this.#isEmptied(path, gone) : gone.has(path)))
        return false
    }
    return true
  }

  #caseCollision(
    entries: readonly TreeEntry[],
    directory: string,
    name: string,
    gone: ReadonlySet<string>,
  ): Obstacle | undefined {
    if (!this.ignoreCase) return undefined
    const folded = foldCase(name)
    const other = entries.find(
      one => foldCase(one.name) === folded && !gone.has(join(directory, one.name)),
    )
    return other && { kind: 'case_collision', path: join(directory, other.name) }
  }

  /** What git does not know of: an untracked file or directory. */
  #onDisk(path: RepoPath, gone: ReadonlySet<string>): Obstacle | undefined {
    try {
      const stat = lstatSafely(this.#checkout.path, path)
      if (stat?.isDirectory() && this.#holdsOthers(path, gone)) {
        return { kind: 'directory_in_the_way', path }
      }
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'NOT_REGULAR') throw error
      const file = ancestors(path).find(one => this.#isFile(one))
      if (file !== undefined && !gone.has(file)) return { kind: 'file_in_the_way', path: file }
    }
    return undefined
  }

  #isFile(path: string): boolean {
    return lstatSync(join(this.#checkout.path, path), { throwIfNoEntry: false })?.isFile() === true
  }

  #holdsOthers(directory: string, gone: ReadonlySet<string>): boolean {
    const entries = readdirSync(join(this.#checkout.path, directory), { withFileTypes: true })
    return entries.some(entry => {
      const path = `${directory}/${entry.name}`
      return entry.isDirectory() ? this.#holdsOthers(path, gone) : !gone.has(path)
    })
  }
}

function ancestors(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

function foldCase(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
