import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Refusal } from '../../core/errors.js'
import type { Oid } from '../../core/oid.js'
import { errnoOf } from '../../io/files/io-refusal.js'
import { GitFailed } from '../../io/git/run-git.js'
import {
  Checkout,
  type CheckoutPlace,
  type CheckoutWays,
  worktreeGone,
} from '../checkout/checkout.js'
import { findCheckout, isLinked } from '../checkout/find-checkout.js'
import { finishCheckout } from '../landing/finish-checkout.js'
import type { ServedRepository } from '../repository/served-repository.js'
import { type WorktreeRefs, worktreeRefs } from '../repository/worktree-refs.js'
import { createCheckout, type NewCheckout } from './create-checkout.js'

/** How an operator wants worktrees to be made. */
export interface CheckoutOptions extends CheckoutWays {
  /** Where linked worktrees are made; by default beside each repository, in `<repository>.worktrees`. */
  readonly worktreesDir?: string
  /** The first part of every agent's branch. */
  readonly branchPrefix: string
}

/** One agent of one repository. */
export interface AgentPlace {
  readonly served: ServedRepository
  readonly name: string
  readonly refs: WorktreeRefs
  /** Where its files lie, or would. */
  readonly path: string
}

export function agentPlace(
  served: ServedRepository,
  name: string,
  options: CheckoutOptions,
): AgentPlace {
  const { workTree, commonDir } = served.repository
  const directory =
    options.worktreesDir === undefined
      ? `${workTree ?? join(dirname(commonDir), served.name)}.worktrees`
      : join(options.worktreesDir, served.name)
  return {
    served,
    name,
    refs: worktreeRefs(served.settings.own.branchPrefix ?? options.branchPrefix, name),
    path: join(directory, name),
  }
}

/** The commit an agent started from; undefined where it never did. */
export function agentBase({ served, refs }: AgentPlace): Promise<Oid | undefined> {
  return served.resolveRef(refs.base)
}

/** Makes the worktree of an agent that has none. */
export async function newCheckout(
  agent: AgentPlace,
  start: Pick<NewCheckout, 'base' | 'files' | 'anchors'>,
  options: CheckoutOptions,
): Promise<Checkout> {
  const { durability } = options
  return unlessRemoved(agent, async () =>
    finished(open(agent, await createCheckout({ ...agent, ...start, durability }), options)),
  )
}

/** The worktree an agent has. Refuses with `WORKTREE_GONE` where its directory is not there any more. */
export async function existingCheckout(
  agent: AgentPlace,
  options: CheckoutOptions,
): Promise<Checkout> {
  const place = find(agent)
  if (place === undefined || !isLinked(place)) throw goneFor(agent)
  return unlessRemoved(agent, () => finished(open(agent, place, options)))
}

/** The worktree of an agent, there or not: closing must work for both. Refuses with `WORKTREE_GONE` where something else stands there. */
export function checkoutToClose(agent: AgentPlace, options: CheckoutOptions): Checkout {
  const { served, name, path, refs } = agent
  const gitDir = join(served.repository.commonDir, 'worktrees', name)
  const place = find(agent) ?? { path, gitDir, branch: refs.branch }
  // What stands there is somebody else's, whatever the registration says.
  if (existsSync(place.path) && !isLinked(place)) throw worktreeGone(place, true)
  return open(agent, place, options)
}

/** True where git has a registration for the agent's branch, whatever became of the directory. */
export function isRegistered(agent: AgentPlace): boolean {
  return find(agent) !== undefined
}

/** Whoever removes a worktree while it is made or opened takes away what we are about to look at. */
async function unlessRemoved(agent: AgentPlace, work: () => Promise<Checkout>): Promise<Checkout> {
  try {
    return await work()
  } catch (error) {
    const place = find(agent)
    const isThere = place !== undefined && isLinked(place)
    throw isMissing(error) && !isThere ? goneFor(agent) : error
  }
}

function goneFor(agent: AgentPlace): Refusal {
  const { path, refs } = agent
  const place = find(agent)
  return worktreeGone(place ?? { path, branch: refs.branch }, place !== undefined)
}

function isMissing(error: unknown): boolean {
  if (error instanceof GitFailed)
    return /No such file or directory|not a git repository/.test(error.stderr)
  return errnoOf(error) === 'ENOENT'
}

async function finished(checkout: Checkout): Promise<Checkout> {
  try {
    await finishCheckout(checkout)
    return checkout
  } catch (error) {
    await checkout.stop()
    throw error
  }
}

function find({ served, refs, path }: AgentPlace): CheckoutPlace | undefined {
  return findCheckout(served.repository.commonDir, refs.branch, path)
}

function open({ served }: AgentPlace, place: CheckoutPlace, options: CheckoutOptions): Checkout {
  return new Checkout(served, place, options)
}
