import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readLines } from './read-cases.mjs'

/**
 * What we decided, by the id of the case. No case is decided twice.
 * @param {string} folder
 * @returns {ReadonlyMap<string, import('./types.mjs').Decision>}
 */
export function readDecisions(folder) {
  const names = readdirSync(folder).filter(name => name.endsWith('.jsonl'))
  const rows = names.flatMap(name => readLines(join(folder, name)))
  const twice = rows.find(({ id }, index) => rows.findIndex(row => row.id === id) < index)
  if (twice !== undefined) throw new Error(`${twice.id} is decided twice`)
  return new Map(rows.map(row => [row.id, row]))
}
