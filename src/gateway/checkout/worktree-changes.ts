/**
 * Counts what is known to have changed in a worktree: what we land, and, where it is watched, what others do. An answer
 * that was made at one count, read before the work began, may be given again while the count stays and the worktree is
 * watched. An event comes some milliseconds after its change and may be lost: what must be right is compared with the
 * disk all the same.
 */
export class WorktreeChanges {
  #version = 0
  #isWatched = false

  get version(): number {
    return this.#version
  }

  /** True while changes that others make are counted too. */
  get isWatched(): boolean {
    return this.#isWatched
  }

  count(): void {
    this.#version += 1
  }

  /** The watch began or ended: what happened until now was not seen. */
  watched(isWatched: boolean): void {
    this.#isWatched = isWatched
    this.#version += 1
  }
}
