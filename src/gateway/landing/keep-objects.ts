import { fixedLimits } from '../../core/limits.js'
import type { NewObject } from '../../io/git/edit-tree.js'
import { isCollecting, packObjects } from '../../io/git/garbage-collection.js'
import { isLoose } from '../../io/git/object-writer.js'
import type { Checkout } from '../checkout/checkout.js'

/**
 * Makes sure that the objects of a commit are there, once the branch stands at it. A prune may have taken one before,
 * and one that looked for what is reachable before may still do so: a pack is safe from it.
 */
export async function keepObjects(
  checkout: Checkout,
  objects: readonly NewObject[],
): Promise<void> {
  const { objectsDir, repository } = checkout.served
  for (let attempt = 0; attempt <= fixedLimits.rebuilds; attempt += 1) {
    const isUnsafe = isCollecting(repository.commonDir)
    await rewriteMissing(checkout, objects)
    const oids = objects.map(({ oid }) => oid)
    if (!isUnsafe || (await packObjects(repository.main, objectsDir, oids))) return
  }
}

async function rewriteMissing(checkout: Checkout, objects: readonly NewObject[]): Promise<void> {
  const { served, durability } = checkout
  for (const object of objects) {
    if (isLoose(served.objectsDir, object.oid)) continue
    if ((await served.reader.info(object.oid)) === undefined)
      await served.store([object], durability)
  }
}
