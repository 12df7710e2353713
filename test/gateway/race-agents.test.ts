import { expect, test } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { openGateway, type TestWorktree } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const agents = 16
const batches = 10

test(`${agents} agents in ${agents} worktrees land ${batches} batches each at the same time`, async () => {
  const repository = await makeRepository({
    'shared.txt': 'shared\n',
    'run.sh': 'true\n',
    ...Object.fromEntries([...Array(batches).keys()].map(n => [`old-${n}.txt`, `old ${n}\n`])),
  })
  const gateway = await openGateway(repository, {
    durability: 'power',
    secondReader: false,
  })
  const names = [...Array(agents).keys()].map(number => `agent-${number}`)
  const worktrees = await Promise.all(names.map(name => gateway.open(name)))
  const started = performance.now()
  await Promise.all(worktrees.map((worktree, number) => workAlone(worktree, number)))
  const seconds = (performance.now() - started) / 1000
  const rate = ((agents * batches) / seconds).toFixed(0)
  console.log(`${agents * batches} batches in ${seconds.toFixed(1)} s, ${rate} a second`)

  for (const [number, worktree] of worktrees.entries()) {
    expect(await worktree.git('rev-list', '--count', 'main..HEAD')).toBe(String(batches))
    expect(await worktree.git('status', '--porcelain')).toBe('')
    expect(await worktree.git('write-tree')).toBe(await worktree.git('rev-parse', 'HEAD^{tree}'))
    const text = await worktree.git('show', 'HEAD:shared.txt')
    const lines = [...Array(batches).keys()].map(n => `agent ${number} batch ${n}`)
    expect(text.split('\n')).toEqual(['shared', ...lines])
    const tree = (await worktree.git('ls-tree', '-r', '--name-only', 'HEAD')).split('\n')
    const made = [...Array(batches).keys()].map(n => `new/${n}.txt`)
    expect(tree).toEqual([...made, 'run.sh', 'shared.txt'].sort())
  }
  expect(await repository.git('fsck', '--no-dangling')).toBe('')
  expect(await repository.git('status', '--porcelain')).toBe('')
}, 120_000)

async function workAlone(worktree: TestWorktree, number: number): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) {
    const [old, path] = [`old-${batch}.txt`, 'shared.txt']
    const edits: readonly EditInput[] = [
      {
        op: 'append_lines',
        path,
        expected_rev: await worktree.rev(path),
        text: `agent ${number} batch ${batch}`,
      },
      {
        op: 'move_file',
        path: old,
        expected_rev: await worktree.rev(old),
        to: `new/${batch}.txt`,
      },
    ]
    const { warnings } = await worktree.apply(edits)
    expect(warnings).toEqual([])
  }
}
