import { expect, test } from 'vitest'
import { type Client, openElsewhere, openHere } from '../support/crash/clients.js'
import { type CrashWorld, findLeftovers, makeCrashWorld } from '../support/crash/crash-world.js'
import { look } from '../support/crash/look.js'
import { filesAfter, variants } from '../support/crash/variants.js'

const batches = 2

/** Where a process is killed: under the lock alone, with an intent, behind the commit point, with half of the files. */
const steps = [
  'open ours/intent',
  'start update-ref',
  'rename worktree/m-*.txt ours/editlatch-*',
  'link ours/editlatch-* worktree/m.txt',
  'rename ours/new-index-* ours/index',
  'unlink ours/intent',
]

test('processes that all come after a crash at once recover once and then work', async () => {
  const world = await makeCrashWorld(firstFiles(), 'process')
  for (const [index, step] of steps.entries()) {
    const number = index + 1
    const edits = variants['many files'].edits(world, number)
    const before = await look(world)
    const { killed } = await world.start({ edits, key: `killed-${number}`, killAt: step }).ended
    expect([step, killed]).toEqual([step, true])

    const clients = await openThree(world)
    const told = await Promise.all(clients.map((client, side) => workOn(client, side, number)))
    for (const client of clients) await client.close()

    const found = await look(world, { since: before.head })
    const killedIsDone = found.keyed.some(([, key]) => key === `killed-${number}`)
    const expected = killedIsDone ? filesAfter(before.files, edits) : before.files
    const own = Object.fromEntries(told.map((text, side) => [`side-${side}.txt`, text]))
    expect({ step, ...found }).toMatchObject({ step, status: '', index: 'head', fsck: '' })
    expect([step, found.files]).toEqual([step, { ...expected, ...own }])
    expect([step, ...findLeftovers(world)]).toEqual([step])
  }
})

function firstFiles(): Readonly<Record<string, string>> {
  return {
    'a.txt': 'round 0\nkept\n',
    'drift.txt': 'agent\n',
    'run.sh': 'true\n',
    ...Object.fromEntries(
      steps.flatMap((_, index) => [
        [`old-${index + 1}/gone.txt`, `gone ${index}\n`],
        [`m-${index + 1}.txt`, `moved ${index}\n`],
      ]),
    ),
    ...Object.fromEntries([0, 1, 2].map(side => [`side-${side}.txt`, 'start\n'])),
  }
}

async function openThree({ places }: CrashWorld): Promise<readonly Client[]> {
  return [
    ...(await Promise.all([0, 1].map(() => openElsewhere(places, 'dora')))),
    await openHere(places, 'dora'),
  ]
}

/** Lands batches on a file of its own; answers its text. */
async function workOn(client: Client, side: number, round: number): Promise<string> {
  const path = `side-${side}.txt`
  for (let number = 0; number < batches; number += 1) {
    const { rev } = await client.read(path)
    await landOnce(client, path, rev, `${round}.${number}`)
  }
  return (await client.read(path)).text
}

/** The others move the branch all the time: who comes too late too often is told to send the batch again. */
async function landOnce(client: Client, path: string, rev: string, text: string): Promise<void> {
  for (;;) {
    const outcome = await client.apply([{ op: 'append_lines', path, expected_rev: rev, text }])
    if ('receipt' in outcome) {
      expect(outcome.receipt.warnings).toEqual([])
      return
    }
    expect(outcome.refused).toMatchObject({ code: 'LOCKED', next_action: 'retry' })
  }
}
