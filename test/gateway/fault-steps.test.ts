import { expect, test } from 'vitest'
import {
  type FaultRow,
  type FaultTable,
  renderFaults,
  runFaultTable,
} from '../support/crash/fault-table.js'

const faults = ['ENOSPC', 'EIO', 'EMFILE', 'EROFS'] as const
const known = new Set<string>()

/** Each kind of call once, the faults in turn; every call fails with every fault in the long version. */
test.each<[string, FaultTable, readonly (keyof FaultRow)[]]>([
  [
    'a batch in one file',
    { variant: 'one file', durability: 'power', faults, steps: known },
    ['refused', 'notDurable', 'receipts', 'behind'],
  ],
  [
    'a batch over many files, at the calls of no batch in one file,',
    { variant: 'many files', durability: 'power', faults, steps: known },
    ['receipts', 'behind'],
  ],
])(
  'FAULT-2, FAULT-3: one call fails: %s is done or refused, and leaves nothing behind',
  async (title, table, shown) => {
    const report = await runFaultTable(table)
    console.log(renderFaults(title, report))
    expect(report.problems).toEqual([])
    for (const row of report.rows.values()) {
      expect(row.faulted).toBeGreaterThan(0)
      expect(row.refused + row.notDurable + row.receipts).toBe(row.faulted)
    }
    const rows = [...report.rows.values()]
    for (const what of shown) expect(rows.some(row => row[what] > 0)).toBe(true)
  },
  600_000,
)

test.each(['one file'] as const)(
  'a write does but half of its work: %s is done all the same',
  async variant => {
    const table = { variant, durability: 'process', faults: ['SHORT'], steps: 'all' } as const
    const report = await runFaultTable(table)
    console.log(renderFaults(variant, report))
    expect(report.problems).toEqual([])
    const row = report.rows.get('SHORT')
    expect(row?.receipts).toBeGreaterThan(0)
    expect(row).toMatchObject({ refused: 0, behind: 0 })
  },
  600_000,
)
