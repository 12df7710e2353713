import { fixedLimits } from '../../core/limits.js'
import { type IndexLock, lockIndex, removeDeadOwners } from '../../io/git/index-lock.js'
import type { Checkout } from '../checkout/checkout.js'
import { hasIntent } from './intent.js'
import { recoverCheckout, recoverDeadOwner } from './recover-checkout.js'
import { isMaterialising } from './recover-materialising.js'

/** Takes the index lock and finishes what a process that has ended left behind. */
export async function lockCheckout(checkout: Checkout): Promise<IndexLock> {
  checkout.assertThere()
  const lock = await lockIndex(checkout.gitDir, checkout.owner, {
    waitMs: fixedLimits.lockWaitMs,
    onDeadOwner: record => recoverDeadOwner(checkout, record),
  })
  try {
    const isBegun = hasIntent(checkout.workDir) || isMaterialising(checkout)
    if (isBegun) await recoverCheckout(checkout)
    await removeDeadOwners(checkout.gitDir, checkout.owner)
    return lock
  } catch (error) {
    lock.release()
    throw error
  }
}
