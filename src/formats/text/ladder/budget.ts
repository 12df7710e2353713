/** Thrown when a search has taken all the steps that it may. */
export class BudgetSpent extends Error {}

/** Steps that a search may take. Steps, not milliseconds: the same question must always have the same answer. */
export class Budget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new BudgetSpent()
  }
}
