import type { Checkout } from './checkout/checkout.js'
import type { GatewayOptions } from './opening/gateway-options.js'
import { includeIgnored } from './opening/include-ignored.js'
import type { OpenedAnswer } from './telling/answers.js'
import type { EventLog } from './telling/event-log.js'
import { setupOf, startSetup } from './upkeep/setup.js'
import type { Worktree } from './worktree.js'

/**
 * Gives a new worktree what the operator wants it to have beside its commit: ignored files before it is answered, and
 * what a command makes, which goes on after that.
 */
export async function prepareWorktree(
  { id, agent, checkout }: Worktree,
  { include = [], setup = [], limits, host }: GatewayOptions,
  events: EventLog,
): Promise<void> {
  if (include.length > 0) {
    checkout.served.inclusions.set(checkout.gitDir, await includeIgnored(checkout, include))
  }
  if (setup.length > 0) {
    startSetup(checkout, {
      command: setup,
      limitMs: limits.setupMs,
      host,
      onEnd: ended => events.publish({ type: 'setup', worktree: id, agent, setup: ended }),
    })
  }
}

/** What an answer to the opening of a worktree tells of that: the files once, the command as it stands. */
export function tellBeginning(checkout: Checkout): Pick<OpenedAnswer, 'included' | 'setup'> {
  const { gitDir, served } = checkout
  const included = served.inclusions.get(gitDir)
  served.inclusions.delete(gitDir)
  const setup = setupOf(checkout)
  return { ...(included && { included }), ...(setup && { setup }) }
}
