import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openHere } from '../support/crash/clients.js'
import { makePlaces, worktreeOf } from '../support/crash/shared-worktree.js'
import { type Beside, expectNothingLost, runBeside } from '../support/crash/user-git.js'
import type { TestRepository } from '../support/repository.js'

const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)

test.each<[string, Beside]>([
  [
    'commits, stashes, branches and tags',
    { seed, ms: 5_000, commands: ['commit', 'commit -a', 'status', 'stash', 'branch', 'tag'] },
  ],
  ['gc --prune=now', { seed, ms: 3_000, commands: ['gc', 'status'] }],
])(
  "CONC-1: the user's own git beside batches: %s",
  async (name, beside) => {
    const places = await makePlaces({ 'agent.txt': 'start\n', 'user.txt': 'user\n' })
    const client = await openHere(places, 'dora')
    const worktree = await worktreeOf(places)
    const report = await runBeside(client, worktree, beside)
    console.log(
      `${name}, seed ${seed}: ${report.acknowledged.length} batches`,
      report.refusals,
      report.user,
    )
    await expectNothingLost(worktree, report)
    expect(report.acknowledged.length).toBeGreaterThan(5)
  },
  60_000,
)

/** A git that runs long does not see that packed-refs was replaced twice in one second by files of one size. */
test('refs that are packed again and again are not overwritten with old ones', async () => {
  const places = await makePlaces({ 'a.txt': 'start\n' })
  const client = await openHere(places, 'dora')
  const worktree = await worktreeOf(places)
  const commits: string[] = []
  for (let round = 0; round < 15; round += 1) {
    await worktree.git('pack-refs', '--all')
    await client.read('a.txt')
    for (const turn of [1, 2]) {
      commits.push(await commitNothing(worktree, `round ${round} turn ${turn}`))
      await worktree.git('pack-refs', '--all')
    }
    const { rev } = await client.read('a.txt')
    const edit = {
      op: 'write_file',
      path: 'a.txt',
      expected_rev: rev,
      text: `round ${round}\n`,
    } as const
    const outcome = await client.apply([edit])
    commits.push('receipt' in outcome ? (outcome.receipt.commit ?? '') : '')
  }
  const history = (await worktree.git('rev-list', '--reverse', 'main..HEAD')).split('\n')
  expect(history).toEqual(commits)
})

const execute = promisify(execFile)

/** A person's commit that changes no file, with plumbing and in one process of the shell. */
async function commitNothing({ path }: TestRepository, message: string): Promise<string> {
  const script =
    'oid=$(git commit-tree -p HEAD -m "$MESSAGE" \'HEAD^{tree}\') && git update-ref refs/heads/agent/dora $oid && echo $oid'
  const env = { ...process.env, MESSAGE: message }
  const { stdout } = await execute('sh', ['-c', script], { cwd: path, env })
  return stdout.trim()
}
