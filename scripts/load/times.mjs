// How long requests took, and how they were answered.

/** Gathers the answers of one part of a run. */
export class Times {
  /** @type {Record<string, number>} */
  statuses = {}
  /** @type {Map<string, number[]>} */
  #byKind = new Map()

  /**
   * @param {string} kind
   * @param {number | 'timed out'} status
   * @param {number} ms
   */
  note(kind, status, ms) {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    const known = this.#byKind.get(kind)
    if (known === undefined) this.#byKind.set(kind, [ms])
    else known.push(ms)
  }

  /** @param {number} seconds */
  rows(seconds) {
    return Object.fromEntries([...this.#byKind].map(([kind, all]) => [kind, row(all, seconds)]))
  }
}

/**
 * @param {readonly number[]} all
 * @param {number} seconds
 */
function row(all, seconds) {
  const sorted = [...all].sort((a, b) => a - b)
  const at = (/** @type {number} */ share) =>
    Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1))
  return {
    count: all.length,
    'per second': Math.round(all.length / seconds),
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'max ms': at(1),
  }
}
