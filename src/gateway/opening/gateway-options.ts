import type { AnchorScheme } from '../../core/anchor-scheme.js'
import type { Limits } from '../../core/limits.js'
import type { Matching } from '../../core/matching.js'
import type { DialectName } from '../../edit/dialects/registry.js'
import type { HostEnvironment } from '../../io/git/git-environment.js'
import type { FilesMode } from '../checkout/absent-files.js'
import type { ViewName } from '../checkout/worktree-view.js'
import type { Meter } from '../telling/meter.js'
import type { RefusalRecorder } from '../telling/record-refusals.js'
import type { CheckoutOptions } from './open-checkout.js'
import type { OperatorSettings } from './repository-settings.js'

/** What is served, and how: an operator's choices. */
export interface GatewayOptions extends CheckoutOptions {
  /** Directories in the repositories to serve. */
  readonly repositories: readonly string[]
  /** Caches and facades; outside every repository. */
  readonly stateDir: string
  /** Globs of protected paths that may be edited all the same. */
  readonly allowProtected: readonly string[]
  readonly limits: Limits
  /** The server's token; tokens of worktrees are derived from it. */
  readonly secret: string
  /** The variables that git and we look at: PATH, HOME, and git's own for configuration files. */
  readonly host: HostEnvironment
  /** How leniently text may be found; a request can only ask for less. */
  readonly matching?: Matching
  readonly meter?: Meter
  /** Takes down the edits that were refused. */
  readonly recordRefusal?: RefusalRecorder
  /** The dialects that edits may be said in; all of them where absent. */
  readonly dialects?: readonly DialectName[]
  /** How the anchors of new hashline views are made; `chunk` where absent. */
  readonly anchors?: AnchorScheme
  /** Milliseconds that a batch may wait for its syntax check, 0 for none; as the limits say where absent. */
  readonly syntaxMs?: number
  /** Pack loose objects in the background when many have gathered; on unless false. */
  readonly maintenance?: boolean
  /** Read the symbols of opened worktrees in the background; only if true, for it pays off for who stays. */
  readonly indexing?: boolean
  /** Watch opened worktrees, and tell of files that others change in them; only if true. */
  readonly watching?: boolean
  /** Globs of files that git ignores and that a new worktree gets from the person's checkout; none where absent. */
  readonly include?: readonly string[]
  /** A program and its arguments that run once in each new worktree that has its files; none where absent. */
  readonly setup?: readonly string[]
  /** What an operator has said and where, for the files of repositories and for `examine`; without it no such file is read. */
  readonly settings?: OperatorSettings
  /** Go on without a repository that is refused; `examine` says why it is. */
  readonly skipRefused?: boolean
}

/** What an agent asks for when it opens its worktree. */
export interface OpenWorktreeInput {
  readonly repo?: string
  readonly agent: string
  /** A branch, tag or commit to start from; HEAD of the repository by default. */
  readonly base?: string
  /** The name of the model at work, kept in its commits. */
  readonly model?: string
  /** Whether a new worktree gets its files at once; one that is there stays as it is. */
  readonly files?: FilesMode
  /** How a new worktree is read; plain where absent. */
  readonly view?: ViewName
}
