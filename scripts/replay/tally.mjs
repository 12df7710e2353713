// Counts what a replay did and prints it as a table.

/** Counts of things by group and name. */
export class Tally {
  /** @type {Map<string, Map<string, number>>} */
  #groups = new Map()

  /**
   * @param {string} group
   * @param {string} name
   * @param {number} [count]
   */
  add(group, name, count = 1) {
    const counts = this.#groups.get(group) ?? new Map()
    counts.set(name, (counts.get(name) ?? 0) + count)
    this.#groups.set(group, counts)
  }

  /** @param {string} group */
  total(group) {
    return [...(this.#groups.get(group) ?? new Map()).values()].reduce((sum, one) => sum + one, 0)
  }

  /**
   * The counts of a group as one line, most frequent first.
   * @param {string} group
   */
  line(group) {
    const counts = [...(this.#groups.get(group) ?? new Map())].sort(([, a], [, b]) => b - a)
    return counts.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'
  }
}

/**
 * Rows of a label and a value, aligned.
 * @param {readonly (readonly [label: string, value: string | number])[]} rows
 */
export function renderTable(rows) {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `${label.padEnd(width)}  ${value}`).join('\n')
}
