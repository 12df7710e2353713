import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/errors.js'
import type { Checkout } from '../checkout/checkout.js'
import { faultAsRefusal, truerFault } from './faults.js'
import { lockCheckout } from './lock-checkout.js'
import { needsRecovery } from './recover-checkout.js'

/** Longer than git takes to remove a registration, once the files are gone. */
const removalMs = 100

/**
 * Works in a checkout in which nothing is left half done: what a process that has ended began is finished first. What
 * fails because somebody removes the worktree meanwhile is `WORKTREE_GONE`.
 */
export async function settled<T>(checkout: Checkout, work: () => Promise<T>): Promise<T> {
  try {
    checkout.assertThere()
    await checkout.served.renew()
    if (needsRecovery(checkout)) (await lockCheckout(checkout)).release()
    return await work()
  } catch (error) {
    const told = faultAsRefusal(await goneOr(checkout, error))
    throw truerFault(told, checkout.served.repository.commonDir)
  }
}

async function goneOr(checkout: Checkout, error: unknown): Promise<unknown> {
  if (isTold(error)) return error
  try {
    if (checkout.isThere()) await sleep(removalMs)
    checkout.assertThere()
    return error
  } catch (gone) {
    return gone
  }
}

/** Git calls a directory that is being removed no repository. */
function isTold(error: unknown): boolean {
  return error instanceof Refusal && error.code !== 'UNSUPPORTED_REPOSITORY'
}
