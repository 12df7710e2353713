import { execFile } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestGateway,
  type TestWorktree,
} from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

interface Lost {
  readonly worktree: TestWorktree
  /** What it had committed. */
  readonly commit: string
}

let repository: TestRepository
let served: TestGateway
let head: string
beforeAll(async () => {
  repository = await makeRepository({ 'a.txt': 'a\n', 'd/b.txt': 'b\n' })
  served = await openGateway(repository)
  head = await repository.git('rev-parse', 'HEAD')
})

describe('a worktree whose directory is gone', () => {
  const gone = async (agent: string): Promise<TestGateway & Lost> => {
    const gateway = await openGateway(repository)
    const worktree = await gateway.open(agent)
    const { commit } = await worktree.apply([create('kept.txt', 'kept\n')])
    await rm(worktree.path, { recursive: true })
    return { ...gateway, worktree, commit: commit ?? '' }
  }
  test('says so, and how to repair it', async () => {
    const { worktree, open } = await gone('gone')
    const told = await refusal(worktree.rev('a.txt'))
    expect(told).toMatchObject({ code: 'WORKTREE_GONE', status: 410 })
    expect(await refusal(worktree.apply([create('x', 'x')]))).toMatchObject({
      code: 'WORKTREE_GONE',
    })
    expect(await refusal(open('gone'))).toMatchObject({ code: 'WORKTREE_GONE' })
    const fresh = await openGateway(repository)
    const toldLater = await refusal(fresh.gateway.worktree('gone'))
    expect(toldLater).toMatchObject({ code: 'WORKTREE_GONE' })
    expect(await fresh.gateway.worktrees()).not.toContainEqual(
      expect.objectContaining({ agent: 'gone' }),
    )
  })

  test('the repair that is told works: then the branch gets a new directory', async () => {
    const { worktree, open, commit } = await gone('repaired')
    const { repair } = await refusal(open('repaired'))
    const command = /`([^`]+)`/.exec(String(repair))?.[1] ?? 'none'
    await promisify(execFile)('sh', ['-c', command], { cwd: repository.path })
    const again = await open('repaired')
    expect(again.opened).toMatchObject({ path: worktree.path, head: commit, base: head })
    expect(await again.text('kept.txt')).toBe('kept\n')
    await again.replace('kept.txt', 'kept', 'KEPT')
    await expectClean(again)
  })

  test('a directory that was moved works again after git worktree repair', async () => {
    const { open } = served
    const worktree = await open('moved')
    await rename(worktree.path, `${worktree.path}-elsewhere`)
    expect(await refusal(open('moved'))).toMatchObject({ code: 'WORKTREE_GONE' })
    await repository.git('worktree', 'repair', `${worktree.path}-elsewhere`)
    const again = await open('moved')
    expect(again.path).toBe(`${worktree.path}-elsewhere`)
    await again.apply([create('m.txt', 'm\n')])
    await expectClean(again)
  })

  test('is closed by force, and its work is kept', async () => {
    const { gateway, commit } = await gone('forgotten')
    expect(await refusal(gateway.closeWorktree('forgotten', { force: false }))).toMatchObject({
      code: 'UNLANDED',
      unlanded_commits: 1,
    })
    expect(await gateway.closeWorktree('forgotten', { force: true })).toMatchObject({
      kept_ref: 'refs/editlatch/closed/forgotten',
    })
    expect(await repository.git('rev-parse', 'refs/editlatch/closed/forgotten')).toBe(commit)
    expect(await repository.git('worktree', 'list', '--porcelain')).not.toContain('forgotten')
  })

  test('pruned by the user it is opened anew', async () => {
    const { commit, worktree } = await gone('pruned')
    await repository.git('worktree', 'unlock', worktree.path)
    await repository.git('worktree', 'prune')
    const { open } = await openGateway(repository, { worktreesDir: join(worktree.path, '../..') })
    const again = await open('pruned')
    expect(again.opened).toMatchObject({ head: commit, base: head })
    await expectClean(again)
  })

  test('a branch deleted by hand is told, not made anew', async () => {
    const worktree = await served.open('headless')
    await repository.git('update-ref', '-d', 'refs/heads/agent/headless')
    expect(await refusal(worktree.rev('a.txt'))).toMatchObject({ code: 'WORKTREE_GONE' })
    await repository.git('branch', 'agent/headless', head)
    expect(await worktree.text('a.txt')).toBe('a\n')
  })

  test('removed by the user with its branch, it is made anew, from where it is said', async () => {
    const worktree = await served.open('removed')
    await worktree.apply([create('n.txt', 'n\n')])
    await repository.git('worktree', 'remove', '--force', '--force', worktree.path)
    await repository.git('branch', '--quiet', '-D', 'agent/removed')
    expect(await refusal(worktree.rev('a.txt'))).toMatchObject({ code: 'WORKTREE_GONE' })
    await repository.git('commit', '--quiet', '--allow-empty', '-m', 'newer')
    const newer = await repository.git('rev-parse', 'HEAD')
    const again = await served.open('removed', { base: 'HEAD' })
    expect(again.opened).toMatchObject({ base: newer, head: newer, reported: newer })
    await expectClean(again)
    await repository.git('reset', '--quiet', '--hard', head)
  })

  test('removed by the user, it can be closed', async () => {
    for (const branch of ['stays', 'goes']) {
      const worktree = await served.open(`close-${branch}`)
      await repository.git('worktree', 'remove', '--force', '--force', worktree.path)
      if (branch === 'goes') await repository.git('branch', '--quiet', '-D', 'agent/close-goes')
      await served.gateway.closeWorktree(`close-${branch}`, { force: false })
      expect(await repository.git('for-each-ref', `refs/*/*/close-${branch}`)).toBe('')
    }
  })
})
