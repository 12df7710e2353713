import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { otherFileSystem } from '../support/crash/crash-world.js'
import { type KillTable, renderReport, runKillTable } from '../support/crash/kill-table.js'

const elsewhere = otherFileSystem && mkdtempSync(`${otherFileSystem}/crash-`)
afterAll(() => elsewhere && rmSync(elsewhere, { recursive: true }))

const plain: readonly KillTable[] = (['many files', 'one file'] as const).flatMap(variant =>
  (['power', 'process'] as const).flatMap(durability =>
    (['before', 'after'] as const).map(when => ({ variant, durability, when, steps: 'all' })),
  ),
)

/** A recovery that has everything to do, and one that finds half the files done. */
const recoveries = ['start update-index', 'link ours/editlatch-* worktree/m.txt'].map(
  (inRecoveryFrom): KillTable => ({
    variant: 'many files',
    durability: 'process',
    when: 'before',
    steps: 'all',
    inRecoveryFrom,
  }),
)

const others: readonly KillTable[] =
  elsewhere === undefined
    ? []
    : (['many files', 'one file'] as const).map(variant => ({
        variant,
        durability: 'process',
        when: 'before',
        steps: 'all',
        worktreesIn: elsewhere,
      }))

test.each([...plain, ...recoveries, ...others].map(table => [nameOf(table), table] as const))(
  'CRASH-3: %s, is wholly done or not at all, whatever the step',
  async (title, table) => {
    const report = await runKillTable(table)
    console.log(renderReport(title, report))
    expect(report.problems).toEqual([])
    expect(report.rows.length).toBeGreaterThan(20)
  },
  1_200_000,
)

function nameOf({ variant, durability, when, inRecoveryFrom, worktreesIn }: KillTable): string {
  const place = worktreesIn === undefined ? '' : ' on another file system'
  const what = inRecoveryFrom === undefined ? 'a batch' : `a recovery from "${inRecoveryFrom}"`
  return `${what} over ${variant}${place} under ${durability}, killed ${when} a step`
}
