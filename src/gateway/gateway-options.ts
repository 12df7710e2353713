import type { Limits } from '../core/limits.js'
import type { HostEnvironment } from '../io/git/git-environment.js'
import type { Meter } from './meter.js'
import type { CheckoutOptions } from './open-checkout.js'

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
  readonly meter?: Meter
  /** Pack loose objects in the background when many have gathered; on unless false. */
  readonly maintenance?: boolean
  /** Go on without a repository that is refused; `examine` says why it is. */
  readonly skipRefused?: boolean
}
