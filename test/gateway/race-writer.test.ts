import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { type Client, openHere } from '../support/crash/clients.js'
import { makePlaces, worktreeOf } from '../support/crash/shared-worktree.js'
import type { TestRepository } from '../support/repository.js'

const script = fileURLToPath(new URL('../support/crash/writer-child.mjs', import.meta.url))
const runMs = process.env.EDITLATCH_LONG === undefined ? 1_500 : 15_000

interface Report {
  /** How often the program wrote. */
  readonly writes: number
  /** The agent's lines that landed and were not said to be kept out of the file by somebody's bytes. */
  readonly written: readonly string[]
  readonly kept: number
  readonly refused: number
}

/** Applies batches to the file while a program writes it. */
async function besideWriter(
  how: string,
  { client, worktree }: World,
  edit: (rev: string, line: string) => EditInput,
): Promise<Report> {
  const path = join(worktree.path, 'a.txt')
  const child = spawn(process.execPath, [script, how, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const told = once(child.stdout, 'data')
  const written: string[] = []
  let [kept, refused] = [0, 0]
  const until = performance.now() + runMs
  for (let number = 0; performance.now() < until; number += 1) {
    const { rev } = await client.read('a.txt')
    const line = `agent  ${padded(number)}`
    const outcome = await client.apply([edit(rev, line)])
    if ('refused' in outcome) {
      expect(['CONTENT_REV_CONFLICT', 'LOCKED']).toContain(outcome.refused.code)
      refused += 1
    } else if (outcome.receipt.warnings.some(({ code }) => code === 'file_kept')) kept += 1
    else written.push(line)
  }
  child.stdin.end()
  const [count] = await told
  const report = { writes: Number(count), written, kept, refused }
  console.log(how, { ...report, written: written.length })
  return report
}

interface World {
  readonly client: Client
  readonly worktree: TestRepository
}

async function makeWorld(): Promise<World> {
  const places = await makePlaces({ 'a.txt': `writer ${padded(0)}\n` })
  const client = await openHere(places, 'dora')
  return { client, worktree: await worktreeOf(places) }
}

/** What stands in the file, and in files beside it that hold what was written into ours while it gave way again. */
function textOf({ worktree }: World): string {
  const rescued = readdirSync(worktree.path).filter(name =>
    name.startsWith('a.txt.editlatch-rescued-'),
  )
  return ['a.txt', ...rescued].map(name => readFileSync(join(worktree.path, name), 'utf8')).join('')
}

function padded(number: number): string {
  return String(number).padStart(8, '0')
}

test.each(['truncate', 'overwrite', 'rename'])(
  'what a program wrote last by %s is in the file or in the history',
  async how => {
    const world = await makeWorld()
    const { writes } = await besideWriter(how, world, (rev, line) => ({
      op: 'write_file',
      path: 'a.txt',
      expected_rev: rev,
      text: `${line}\n`,
    }))
    const last = `writer ${padded(writes)}\n`
    const text = textOf(world)
    const patches = await world.worktree.git('log', '-p', '--format=', 'main..HEAD')
    expect(text.includes(last) || patches.includes(`+${last}`)).toBe(true)
  },
)

test('every line that a program appends is there, and each of the agent that was not kept out', async () => {
  const world = await makeWorld()
  const { writes, written } = await besideWriter('append', world, (rev, line) => ({
    op: 'append_lines',
    path: 'a.txt',
    expected_rev: rev,
    text: line,
  }))
  const lines = new Set(textOf(world).split('\n'))
  const byWriter = [...Array(writes + 1).keys()].map(number => `writer ${padded(number)}`)
  expect(byWriter.filter(line => !lines.has(line))).toEqual([])
  expect(written.filter(line => !lines.has(line))).toEqual([])
})
