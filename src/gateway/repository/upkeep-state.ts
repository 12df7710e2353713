import type { WatchKind } from '../../io/watch.js'

/** How a worktree is watched. */
export interface WatchState {
  readonly kind: WatchKind | 'off'
  readonly directories: number
  /** Why it is off. */
  readonly reason?: string
}

/** How far the last reading of a worktree in the background came. */
export interface IndexProgress {
  /** Files in a known language that nobody had read before, and how many of them are read now. */
  readonly unread: number
  readonly read: number
  /** True where files were left out, because they are too many or too much. */
  readonly isPartial: boolean
  readonly isRunning: boolean
}

/** What goes on beside the work in a worktree; absent where it was not asked for. */
export interface UpkeepState {
  readonly watch?: WatchState
  readonly index?: IndexProgress
}
