import { findRuns, type RunSearch } from '../find-runs.js'
import type { LineSearch } from './level.js'

/** What makes two lines equal, and what more a place must hold. */
export interface Comparison extends Pick<RunSearch, 'isEqual'> {
  readonly keys: readonly string[]
  holds(start: number): boolean
}

/** The lines, from 0, at which the wanted ones begin; in time linear in the text but for what `holds` spends. */
export function findSequence(
  { table, limit, overlap }: LineSearch,
  { keys, isEqual, holds }: Comparison,
): readonly number[] {
  const starts: number[] = []
  let free = 0
  for (const start of findRuns({ keys, from: 0, to: table.count, isEqual })) {
    if (start < free || !holds(start)) continue
    starts.push(start)
    if (starts.length === limit) break
    if (overlap === 'dropped') free = start + keys.length
  }
  return starts
}
