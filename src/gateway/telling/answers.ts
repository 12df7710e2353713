import type { AnchorScheme } from '../../core/anchor-scheme.js'
import type { OpResult, Receipt, Warning } from '../../core/receipt.js'

/** A served repository, as it is told to clients. */
export interface RepositoryAnswer {
  readonly name: string
  readonly path: string
  readonly object_format: string
  /** The commit its HEAD stands at; null where there is none yet. */
  readonly head: string | null
}

/** An agent's worktree, as it is told to clients. */
export interface WorktreeAnswer {
  readonly id: string
  readonly repo: string
  readonly agent: string
  readonly branch: string
  readonly path: string
  readonly base: string
  readonly head: string
  /** The commit up to which changes were reported. */
  readonly reported: string
  /** Where files are written only when asked for. */
  readonly files?: 'none'
  /** Where lines are read after anchors, and how those are made; absent where files are read plain. */
  readonly view?: 'hashline'
  readonly anchors?: AnchorScheme
}

/** A worktree just opened, with the token that works on it. */
export interface OpenedAnswer extends WorktreeAnswer {
  readonly token: string
  /** True where the person's own checkout has uncommitted work that this worktree does not see. */
  readonly base_dirty?: true
  /** What a new worktree was given of the files that git ignores; absent where nothing was to be. */
  readonly included?: IncludedAnswer
  readonly setup?: SetupAnswer
}

/** What a new worktree was given of the files that git ignores in the person's checkout. */
export interface IncludedAnswer {
  readonly files: number
  readonly links: number
  readonly bytes: number
  /** The first of what was chosen: files and whole directories. */
  readonly paths: readonly string[]
  /** The first of what is not there although it was chosen, and how much that is; absent where nothing is. */
  readonly left_out?: readonly LeftOut[]
  readonly left_out_total?: number
}

export interface LeftOut {
  /** For `no_match` the pattern. */
  readonly path: string
  readonly why: (typeof leftOutReasons)[number]
}

/** Why something was left out of a new worktree. */
export const leftOutReasons = [
  'exists',
  'not_ignored',
  'link_out',
  'special',
  'name',
  'cache',
  'limit',
  'gone',
  'failed',
  'no_match',
  'no_checkout',
] as const

/** The operator's command that runs once in a new worktree. */
export interface SetupAnswer {
  readonly state: (typeof setupStates)[number]
  readonly command: readonly string[]
  readonly exit_code?: number
  /** Why it failed, where that was not its own word. */
  readonly reason?: string
  readonly seconds?: number
  /** The end of what it printed, where it failed. */
  readonly output?: string
}

/** How far that is; `interrupted`: the process that ran it has ended before it. */
export const setupStates = ['waiting', 'running', 'done', 'failed', 'interrupted'] as const

export interface ClosedAnswer {
  readonly id: string
  readonly closed: true
  /** The ref under which unlanded work was kept. */
  readonly kept_ref?: string
}

export interface StateAnswer extends WorktreeAnswer {
  /** Files that differ from head, with git's two status letters. */
  readonly dirty: readonly { readonly path: string; readonly status: string }[]
  readonly unreported_commits: number
  /** Commits that no other branch has. */
  readonly unlanded_commits: number
  /** Files that are in git alone, because they need not be in the directory. */
  readonly absent_files: number
  /** Why batches are refused just now. */
  readonly locked?: string
  readonly setup?: SetupAnswer
  /** Texts that are being written; absent where there are none. */
  readonly drafts?: readonly DraftAnswer[]
}

/** A text that is written in pieces, outside of every file. */
export interface DraftAnswer {
  readonly draft: string
  readonly lines: number
  readonly bytes: number
  /** When it is let go, unless it is written to before. */
  readonly expires: string
}

/** What was written into a worktree whose files need not be there. */
export interface MaterialisedAnswer {
  readonly id: string
  /** How many files were written. */
  readonly written: number
  /** Paths at which something else stood already, which stays: the first hundred. */
  readonly kept: readonly string[]
  /** Files that are still in git alone. */
  readonly absent_files: number
}

export interface LoggedFile {
  readonly path: string
  readonly from?: string
  readonly status: string
  readonly before_rev: string | null
  readonly after_rev: string | null
}

/** One commit of the branch. `foreign` ones were made by somebody's own git. */
export interface LogEntry {
  readonly commit: string
  readonly parent: string
  readonly subject: string
  readonly time: string
  readonly agent: string
  readonly source: 'batch' | 'external' | 'foreign'
  readonly key?: string
  readonly intent?: string
  readonly model?: string
  readonly files: readonly LoggedFile[]
  readonly ops: readonly OpResult[]
  readonly warnings: readonly Warning[]
}

export interface LogAnswer {
  readonly batches: readonly LogEntry[]
  readonly more: boolean
}

export interface BatchAnswer extends LogEntry {
  readonly receipt: Receipt
}

export interface FilesAnswer {
  readonly files: readonly string[]
  readonly total: number
  readonly truncated: boolean
  /** The `after` that continues the list. */
  readonly next?: string
}

/** Something that two readings of one thing do not agree on. */
export interface VerifyProblem {
  readonly commit: string
  readonly what:
    | 'commit'
    | 'tree'
    | 'blob'
    | 'files'
    | 'trailer'
    | 'history'
    | 'connectivity'
    | 'index'
  readonly path?: string
  readonly expected: string | null
  readonly actual: string | null
}

export interface VerifyAnswer {
  readonly id: string
  readonly head: string
  readonly ok: boolean
  readonly checked: {
    readonly commits: number
    readonly trees: number
    readonly blobs: number
    readonly trailers: number
  }
  /** Which program was the second reader of what, and why it was not isomorphic-git. */
  readonly checker: {
    readonly objects: 'isomorphic-git' | 'git'
    readonly trailers: 'isomorphic-git' | 'git'
    readonly index: 'git'
    /** Sound objects whose parts only git's reading could tell. */
    readonly parsed_by_git?: number
    readonly why?: string
  }
  readonly problems: readonly VerifyProblem[]
  /** Entries of the index that differ from head because somebody staged them. */
  readonly staged: number
  /** Objects beyond the limit, of which only the size was looked up. */
  readonly large_blobs: number
  /** False where time or number ran out; `next` is the `before` that goes on. */
  readonly complete: boolean
  readonly next?: string
}

export interface DoctorCheck {
  readonly name: string
  /** The repository it is about; absent for what is about the machine. */
  readonly repository?: string
  readonly status: 'ok' | 'warning' | 'problem'
  readonly detail: string
  readonly what_to_do?: string
}

export interface DoctorAnswer {
  /** False where some check is a problem. */
  readonly ok: boolean
  readonly checks: readonly DoctorCheck[]
  /** Every setting that holds, without secrets. */
  readonly settings: Readonly<Record<string, unknown>>
}
