import { type BigIntStats, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { basename, join } from 'node:path'
import { watch as watchWithChokidar } from 'chokidar'

/** How the directories of a tree are watched. */
export type WatchKind = 'chokidar' | 'directories'

export interface TreeWatchOrders {
  readonly root: string
  /** The directories that hold what matters, relative to the root, owners before what they hold. */
  readonly directories: readonly string[]
  readonly kind: WatchKind
  /** Directories after which the watch is given up. */
  readonly maxDirectories: number
  /** Of new directories those that nobody needs to watch. */
  ignored(directories: readonly string[]): Promise<ReadonlySet<string>>
  /** Something changed at a path. Nothing may have: whoever needs to know looks. */
  onChange(path: string): void
  /** The watch is over, for the reason that the system or a bound gave. */
  onLost(reason: string): void
}

/** One directory under watch. */
interface Watched {
  readonly path: string
  readonly children: Map<string, Watched>
  readonly close: () => void
}

type Listener = (kind: string, name: string | null) => void

/** Directories or entries between two turns of others: a few milliseconds. */
const turnEntries = 64

/**
 * Watches directories, never single files, so that what is ignored costs nothing and a file costs nothing. A directory
 * that appears is watched first and read then, so that what is made in it meanwhile is not missed. Events are hints all
 * the same: the system drops them when too many wait.
 */
export class TreeWatch {
  readonly #orders: TreeWatchOrders
  readonly #pending = new Set<string>()
  #root: Watched | undefined
  #count = 0
  #isDraining = false
  #isClosed = false

  private constructor(orders: TreeWatchOrders) {
    this.#orders = orders
  }

  /** Resolves when every directory is watched, or the watch was lost. */
  static async start(orders: TreeWatchOrders): Promise<TreeWatch> {
    const tree = new TreeWatch(orders)
    for (const [at, directory] of ['', ...orders.directories].entries()) {
      if (tree.#isClosed) break
      await tree.#open(directory)
      if (at % turnEntries === turnEntries - 1) await turn()
    }
    return tree
  }

  /** Directories under watch. */
  get directories(): number {
    return this.#count
  }

  /** Watches further directories with all that is in them, as if they had just appeared. */
  async add(directories: readonly string[]): Promise<void> {
    for (const directory of directories) this.#pending.add(directory)
    await this.#drain()
  }

  close(): void {
    this.#isClosed = true
    if (this.#root !== undefined) this.#closeBelow(this.#root)
    this.#root = undefined
    this.#pending.clear()
  }

  async #open(path: string): Promise<void> {
    const owner = path === '' ? undefined : this.#find(ownerOf(path))
    if (path !== '' && owner === undefined) return
    if (this.#count >= this.#orders.maxDirectories) {
      this.#lose(`more than ${this.#orders.maxDirectories} directories`)
      return
    }
    const children = new Map<string, Watched>()
    const listener: Listener = (kind, name) => this.#changed(path, children, kind, name)
    try {
      const watchOne = this.#orders.kind === 'chokidar' ? openWithChokidar : openDirectory
      const place = join(this.#orders.root, path)
      const close = await watchOne(place, listener, error => this.#failed(error))
      const watched = { path, children, close }
      if (this.#isClosed) close()
      else if (owner === undefined) this.#root = watched
      else owner.children.set(basename(path), watched)
      if (!this.#isClosed) this.#count += 1
    } catch (error) {
      this.#failed(error)
    }
  }

  /** A directory that vanished is none of our trouble; that there are no more watches is. */
  #failed(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'].includes(code)) return
    this.#lose(code === '' ? String(error) : code)
  }

  #lose(reason: string): void {
    if (this.#isClosed) return
    this.close()
    this.#orders.onLost(reason)
  }

  #find(path: string): Watched | undefined {
    let here = this.#root
    for (const name of path === '' ? [] : path.split('/')) here = here?.children.get(name)
    return here
  }

  #closeBelow(watched: Watched): void {
    for (const child of watched.children.values()) this.#closeBelow(child)
    watched.children.clear()
    watched.close()
    this.#count -= 1
  }

  #changed(
    directory: string,
    children: ReadonlyMap<string, Watched>,
    kind: string,
    name: string | null,
  ): void {
    if (this.#isClosed) return
    if (name === null) {
      this.#orders.onChange(directory)
      return
    }
    if (name.toLowerCase() === '.git') return
    const path = directory === '' ? name : `${directory}/${name}`
    // A directory that is removed tells so under its own name.
    const isFarewell = name === basename(directory) && !children.has(name)
    if (isFarewell && this.#stat(directory) === undefined) return
    this.#orders.onChange(path)
    if (kind !== 'rename') return
    this.#pending.add(path)
    void this.#drain()
  }

  /** Looks at what appeared or vanished; one look at a time. */
  async #drain(): Promise<void> {
    if (this.#isDraining) return
    this.#isDraining = true
    try {
      while (this.#pending.size > 0) await this.#look([...this.#pending])
    } catch (error) {
      this.#lose(error instanceof Error ? error.message : String(error))
    } finally {
      this.#isDraining = false
    }
  }

  async #look(paths: readonly string[]): Promise<void> {
    this.#pending.clear()
    const directories: string[] = []
    for (const [at, path] of paths.entries()) {
      this.#closeAt(path)
      if (this.#stat(path)?.isDirectory()) directories.push(path)
      if (at % turnEntries === turnEntries - 1) await turn()
    }
    if (directories.length === 0) return
    const ignored = await this.#orders.ignored(directories)
    for (const directory of directories) {
      if (this.#isClosed) return
      if (ignored.has(directory)) continue
      // It may have gone and come again meanwhile.
      this.#closeAt(directory)
      await this.#open(directory)
      await this.#readNew(directory)
    }
  }

  #closeAt(path: string): void {
    const owner = this.#find(ownerOf(path))
    const watched = owner?.children.get(basename(path))
    if (owner === undefined || watched === undefined) return
    this.#closeBelow(watched)
    owner.children.delete(basename(path))
  }

  async #readNew(directory: string): Promise<void> {
    for (const [at, entry] of listed(join(this.#orders.root, directory)).entries()) {
      const path = `${directory}/${entry.name}`
      if (entry.isDirectory()) this.#pending.add(path)
      this.#orders.onChange(path)
      if (at % turnEntries === turnEntries - 1) await turn()
    }
  }

  #stat(path: string): BigIntStats | undefined {
    try {
      return lstatSync(join(this.#orders.root, path), { bigint: true, throwIfNoEntry: false })
    } catch {
      return undefined
    }
  }
}

function openDirectory(
  place: string,
  listener: Listener,
  onError: (error: unknown) => void,
): () => void {
  const watcher: FSWatcher = watch(place, { persistent: false }, listener)
  watcher.on('error', onError)
  return () => watcher.close()
}

/** Chokidar on one directory without its entries: to watch each of them costs it 70 KB and half a millisecond. */
function openWithChokidar(
  place: string,
  listener: Listener,
  onError: (error: unknown) => void,
): Promise<() => void> {
  const watcher = watchWithChokidar(place, {
    depth: 0,
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ignored: path => path !== place,
  })
  watcher.on('raw', (kind, name, told) => {
    // Where the directory is gone it waits for it in the one above.
    const isHere = typeof told === 'object' && told !== null && 'watchedPath' in told
    if (isHere && told.watchedPath === place) listener(kind, name)
  })
  watcher.on('error', onError)
  const close = (): void => void watcher.close()
  return new Promise(resolve => watcher.once('ready', () => resolve(close)))
}

function ownerOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

function listed(place: string): readonly { readonly name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(place, { withFileTypes: true })
  } catch {
    return []
  }
}

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
