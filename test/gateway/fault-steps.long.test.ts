import { expect, test } from 'vitest'
import {
  type Fault,
  type FaultTable,
  renderFaults,
  runFaultTable,
} from '../support/crash/fault-table.js'

const faults: readonly Fault[] = ['ENOSPC', 'EIO', 'EMFILE', 'EROFS']
const variants: readonly FaultTable['variant'][] = ['one file', 'many files']

test.each(variants.flatMap(variant => faults.map(fault => [variant, fault] as const)))(
  'FAULT-2, FAULT-3: every call fails once: %s with %s is done or refused, and leaves nothing behind',
  async (variant, fault) => {
    const table = { variant, durability: 'power', faults: [fault], steps: 'all' } as const
    const report = await runFaultTable(table)
    console.log(renderFaults(variant, report))
    expect(report.problems).toEqual([])
    const row = report.rows.get(fault)
    expect(Math.min(row?.refused ?? 0, row?.receipts ?? 0, row?.behind ?? 0)).toBeGreaterThan(0)
  },
  600_000,
)
