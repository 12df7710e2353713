import { fixedLimits } from '../../core/limits.js'
import type { Oid } from '../../core/oid.js'
import { listTouched } from '../../io/git/list-touched.js'
import type { Checkout } from '../checkout/checkout.js'

/** How much each path was worked on: one for each commit, halved for every so many commits after it. */
export type Churn = ReadonlyMap<string, number>

interface Known {
  readonly head: Oid
  readonly churn: Churn
}

/** The churn of a branch, kept by its head; commits on top of a known head are added to what is known. */
export class BranchChurn {
  readonly #checkout: Checkout
  #known: Known | undefined

  constructor(checkout: Checkout) {
    this.#checkout = checkout
  }

  async at(head: Oid): Promise<Churn> {
    const known = this.#known
    if (known?.head === head) return known.churn
    const { served, place } = this.#checkout
    const isOnTop = known !== undefined && (await served.isAncestor(known.head, head))
    const since = isOnTop ? known.head : undefined
    const commits = await listTouched(place, { head, since })
    const isWhole = commits.length < fixedLimits.churnCommits
    const churn = weigh(commits, isOnTop && isWhole ? known.churn : new Map())
    this.#known = { head, churn }
    return churn
  }
}

function weigh(commits: readonly (readonly string[])[], before: Churn): Churn {
  const weight = (age: number): number => 0.5 ** (age / fixedLimits.churnHalfLife)
  const churn = new Map<string, number>()
  for (const [path, score] of before) churn.set(path, score * weight(commits.length))
  for (const [age, paths] of commits.entries()) {
    for (const path of paths) churn.set(path, (churn.get(path) ?? 0) + weight(age))
  }
  return churn
}
