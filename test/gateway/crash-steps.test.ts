import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { otherFileSystem } from '../support/crash/crash-world.js'
import { type KillTable, renderReport, runKillTable } from '../support/crash/kill-table.js'

const known = new Set<string>()
const recovery = 'link worktree/a.txt ours/editlatch-*'
const elsewhere = otherFileSystem && mkdtempSync(`${otherFileSystem}/crash-`)
afterAll(() => elsewhere && rmSync(elsewhere, { recursive: true }))

/** Kinds of steps, each once; every step stands in the long version. */
test.each<[string, KillTable]>([
  [
    'a batch over many files, killed before a step',
    { variant: 'many files', durability: 'process', when: 'before', steps: known },
  ],
  [
    'a batch in one file that survives a power cut, killed after a step',
    { variant: 'one file', durability: 'power', when: 'after', steps: known },
  ],
  [
    'a recovery, killed before a step',
    {
      variant: 'many files',
      durability: 'process',
      when: 'before',
      steps: known,
      inRecoveryFrom: recovery,
    },
  ],
  [
    'a batch in a worktree on another file system, killed before a step',
    {
      variant: 'one file',
      durability: 'process',
      when: 'before',
      steps: known,
      ...(elsewhere && { worktreesIn: elsewhere }),
    },
  ],
])(
  'CRASH-3: %s, is wholly done or not at all',
  async (title, table) => {
    const report = await runKillTable(table)
    console.log(renderReport(title, report))
    expect(report.problems).toEqual([])
    if (table.worktreesIn !== undefined || !title.includes('other file system'))
      expect(report.rows.length).toBeGreaterThan(2)
  },
  600_000,
)
