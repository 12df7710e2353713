import { platform as hostPlatform } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixedLimits } from '../../core/limits.js'
import { ignoredPaths, untrackedDirectories } from '../../io/git/check-ignored.js'
import { listDirectories } from '../../io/git/list-directories.js'
import { TreeWatch, type WatchKind } from '../../io/watch.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WatchState } from '../repository/upkeep-state.js'

/** What changed since the last time it was told, as far as it was counted. */
export interface SeenChanges {
  readonly paths: readonly string[]
  /** Changes beyond those that are named. */
  readonly more: number
}

/** What holds patterns that decide which directories matter. */
const patternFile = /(?:^|\/)\.gitignore$/

/**
 * Watches the directories of a worktree that hold files which git tracks or would add. It counts every change at once,
 * and tells of them when they have settled. Nothing is answered from events alone.
 */
export class CheckoutWatch {
  readonly #checkout: Checkout
  readonly #onSettled: (changes: SeenChanges) => Promise<void>
  readonly #stopping = new AbortController()
  readonly #changed = new Set<string>()
  #more = 0
  #tree: TreeWatch | undefined
  #telling: Promise<void> | undefined
  #state: WatchState = { kind: 'off', directories: 0, reason: 'not begun' }

  constructor(checkout: Checkout, onSettled: (changes: SeenChanges) => Promise<void>) {
    this.#checkout = checkout
    this.#onSettled = onSettled
  }

  get state(): WatchState {
    return { ...this.#state, directories: this.#tree?.directories ?? this.#state.directories }
  }

  /** Resolves when every directory is watched, or why they are not is known. */
  async start(): Promise<void> {
    try {
      await this.#begin()
    } catch (error) {
      // Nothing depends on it.
      this.#off(error instanceof Error ? error.message : String(error))
    }
  }

  /** What is being told just now may still wait for its turn. */
  stop(): void {
    this.#stopping.abort()
    this.#tree?.close()
    this.#off('stopped')
  }

  async #begin(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const { path: root, place, changes } = this.#checkout
    const directories = await listDirectories(place)
    const kind = watchKind(directories.length)
    if (kind === undefined) {
      this.#off(`${directories.length} directories, more than ${fixedLimits.watchedDirectories}`)
      return
    }
    if (this.#stopping.signal.aborted) return
    const lost: { reason?: string } = {}
    const tree = await TreeWatch.start({
      root,
      directories,
      kind,
      maxDirectories: fixedLimits.watchedDirectories,
      ignored: paths => ignoredPaths(place, paths),
      onChange: path => this.#see(path),
      onLost: reason => {
        lost.reason = reason
        this.#off(reason)
      },
    })
    if (lost.reason !== undefined || this.#stopping.signal.aborted) {
      tree.close()
      return
    }
    this.#tree = tree
    this.#state = { kind, directories: tree.directories }
    await tree.add(await untrackedDirectories(place))
    if (this.#tree === tree) changes.watched(true)
  }

  #off(reason: string): void {
    this.#tree = undefined
    this.#state = { kind: 'off', directories: 0, reason }
    this.#checkout.changes.watched(false)
  }

  #see(path: string): void {
    this.#checkout.changes.count()
    if (this.#changed.size < fixedLimits.seenPaths) this.#changed.add(path)
    else if (!this.#changed.has(path)) this.#more += 1
    this.#telling ??= this.#tell()
  }

  async #tell(): Promise<void> {
    const { signal } = this.#stopping
    try {
      while (this.#changed.size > 0) {
        await this.#settle()
        const changes = { paths: [...this.#changed], more: this.#more }
        this.#changed.clear()
        this.#more = 0
        if (changes.paths.some(path => patternFile.test(path))) await this.#beginAgain()
        await this.#onSettled(changes)
      }
    } catch (error) {
      if (!signal.aborted) this.#checkout.onFault(error)
    } finally {
      this.#telling = undefined
    }
  }

  /** Waits until nothing has changed for a while, but not for ever. */
  async #settle(): Promise<void> {
    const { changes } = this.#checkout
    const { signal } = this.#stopping
    const until = performance.now() + fixedLimits.settleMostMs
    let seen: number
    do {
      seen = changes.version
      await sleep(fixedLimits.settleMs, undefined, { signal, ref: false })
    } while (seen !== changes.version && performance.now() < until)
  }

  async #beginAgain(): Promise<void> {
    this.#tree?.close()
    this.#off('beginning again')
    await this.start()
  }
}

/** Chokidar where it is light enough, and on every system that is not Linux. Undefined where there are too many. */
export function watchKind(
  directories: number,
  platform: string = hostPlatform(),
): WatchKind | undefined {
  if (directories > fixedLimits.watchedDirectories) return undefined
  const isMany = directories > fixedLimits.chokidarDirectories
  return platform === 'linux' && isMany ? 'directories' : 'chokidar'
}
