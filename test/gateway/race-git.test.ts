import { execFile } from 'node:child_process'
import { linkSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Client, openHere } from '../support/crash/clients.js'
import { deskOf, makePlaces, worktreeOf } from '../support/crash/shared-worktree.js'
import {
  type Beside,
  expectAllInHistory,
  expectSound,
  runBeside,
} from '../support/crash/user-git.js'
import type { TestRepository } from '../support/repository.js'

const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)

test.each<[string, Beside]>([
  [
    'commits, stashes, branches and tags',
    { seed, ms: 5_000, commands: ['commit', 'commit -a', 'status', 'stash', 'branch', 'tag'] },
  ],
  ['gc --prune=now', { seed, ms: 3_000, commands: ['gc', 'status'] }],
])("CONC-1: the user's own git beside batches: %s", async (name, beside) => {
  const places = await makePlaces({ 'agent.txt': 'start\n', 'user.txt': 'user\n' })
  const client = await openHere(places, 'dora')
  const desk = await deskOf(places)
  const report = await runBeside(client, desk, beside)
  console.log(
    `${name}, seed ${seed}: ${report.acknowledged.length} batches`,
    report.refusals,
    report.user,
  )
  await expectAllInHistory(desk, report)
  await expectSound(desk, report)
  expect(report.acknowledged.length).toBeGreaterThan(5)
})

/**
 * A git that runs long does not see that packed-refs was replaced by a file with the same inode and size in the same
 * second. File systems give an inode again at once; here the second file is made of the first one, to be sure of it.
 */
test('refs that were packed again unnoticed are not moved from where they stood before', async () => {
  const places = await makePlaces({ 'a.txt': 'start\n' })
  const client = await openHere(places, 'dora')
  const worktree = await worktreeOf(places)
  const packed = join(places.repositories[0] ?? '', '.git/packed-refs')
  const commits: string[] = []
  for (let round = 0; round < 10; round += 1) {
    await worktree.git('pack-refs', '--all')
    linkSync(packed, `${packed}-kept`)
    commits.push(await writeFile(client, `first ${round}\n`))
    commits.push(await commitAndPack(worktree, `round ${round}`))
    writeFileSync(`${packed}-kept`, readFileSync(packed))
    renameSync(`${packed}-kept`, packed)
    commits.push(await writeFile(client, `second ${round}\n`))
  }
  const history = await worktree.git('rev-list', '--reverse', 'main..HEAD')
  expect(history.split('\n')).toEqual(commits)
})

async function writeFile(client: Client, text: string): Promise<string> {
  const path = 'a.txt'
  const { rev } = await client.read(path)
  const outcome = await client.apply([{ op: 'write_file', path, expected_rev: rev, text }])
  return 'receipt' in outcome ? (outcome.receipt.commit ?? '') : JSON.stringify(outcome.refused)
}

const execute = promisify(execFile)

/** A person's commit that changes no file, and all refs packed; one shell, because it has to be quick. */
async function commitAndPack({ path }: TestRepository, message: string): Promise<string> {
  const script = [
    'oid=$(git commit-tree -p HEAD -m "$MESSAGE" \'HEAD^{tree}\')',
    'git update-ref refs/heads/agent/dora $oid',
    'git pack-refs --all',
    'echo $oid',
  ].join(' && ')
  const env = { ...process.env, MESSAGE: message }
  const { stdout } = await execute('sh', ['-c', script], { cwd: path, env })
  return stdout.trim()
}
