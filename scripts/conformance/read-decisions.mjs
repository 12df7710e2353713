import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readLines } from './read-cases.mjs'

/**
 * What we decided, by the id of the case: one file `decisions-<dialect>.jsonl` for each dialect. No case is decided twice.
 * @param {string} folder
 * @returns {ReadonlyMap<string, import('./types.mjs').Decision>}
 */
export function readDecisions(folder) {
  const rows = readdirSync(folder)
    .toSorted()
    .flatMap(name => {
      const [, dialect] = /^decisions-(.*)\.jsonl$/.exec(name) ?? []
      if (dialect === undefined) return []
      const named = { dialect: dialect.replaceAll('-', '_') }
      return readLines(join(folder, name)).map(row => ({ ...named, ...row }))
    })
  const decisions = new Map()
  for (const row of rows) {
    if (decisions.has(row.id)) throw new Error(`${row.id} is decided twice`)
    decisions.set(row.id, row)
  }
  return decisions
}
