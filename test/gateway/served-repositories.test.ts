import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { create, expectClean, openGateway, refusal } from '../support/gateway.js'
import { makeRepository, type TestRepository, testRepository } from '../support/repository.js'

let repository: TestRepository
let head: string
beforeAll(async () => {
  repository = await makeRepository({ 'a.txt': 'a\n', 'd/b.txt': 'b\n' })
  head = await repository.git('rev-parse', 'HEAD')
})

describe('where the gateway is pointed', () => {
  test('a directory below the top', async () => {
    const { gateway } = await openGateway(repository, {
      repositories: [join(repository.path, 'd')],
    })
    expect(await gateway.repositories()).toMatchObject([{ path: repository.path, head }])
  })

  test('a linked worktree', async () => {
    const linked = `${repository.path}-linked`
    await repository.git('worktree', 'add', '--quiet', '--detach', linked)
    const { gateway } = await openGateway(repository, { repositories: [linked] })
    expect(await gateway.repositories()).toMatchObject([{ path: repository.path, head }])
    await repository.git('worktree', 'remove', linked)
  })

  test('one repository named twice is served once', async () => {
    const { gateway } = await openGateway([repository, repository])
    expect(await gateway.repositories()).toHaveLength(1)
  })

  test('a bare repository', async () => {
    const bare = await makeRepository({ 'a.txt': 'a\n' }, { bare: true })
    const { open, gateway } = await openGateway(bare)
    const worktree = await open('x')
    expect(worktree.opened.base_dirty).toBeUndefined()
    await worktree.replace('a.txt', 'a', 'b')
    await worktree.apply([create('n/m.txt', 'm\n')])
    await expectClean(worktree)
    expect(await gateway.repositories()).toMatchObject([{ path: bare.path }])
  })

  test('a sha256 repository', async () => {
    const other = await makeRepository(
      { 'a.txt': 'a\n', 'd/b.txt': 'b\n' },
      { objectFormat: 'sha256' },
    )
    const { open, gateway } = await openGateway(other)
    const worktree = await open('x')
    const receipt = await worktree.replace('a.txt', 'a', 'b')
    expect(receipt.commit).toMatch(/^[0-9a-f]{64}$/)
    await expectClean(worktree)
    await worktree.apply([create('n/m.txt', 'm\n')])
    await expectClean(worktree)
    expect(await gateway.repositories()).toMatchObject([{ object_format: 'sha256' }])
  })

  test('a sha256 repository loses a file', async () => {
    const other = await makeRepository(
      { 'a.txt': 'a\n', 'd/b.txt': 'b\n' },
      { objectFormat: 'sha256' },
    )
    const worktree = await (await openGateway(other)).open('x')
    const rev = await worktree.rev('d/b.txt')
    const { warnings } = await worktree.apply([
      { op: 'delete_file', path: 'd/b.txt', expected_rev: rev },
    ])
    expect(warnings).toEqual([])
    await expectClean(worktree)
  })

  test('a directory with a name that is hard to quote', async () => {
    const path = await mkdtemp(join(tmpdir(), 'a "b" \'c\' $d #e;f ü\\g -'))
    const other = testRepository(path)
    await other.git('init', '--quiet')
    await other.write('a.txt', 'a\n')
    await other.commit('first')
    const worktree = await (await openGateway(other)).open('x')
    await worktree.replace('a.txt', 'a', 'b')
    await worktree.apply([create('n.txt', 'n\n')])
    await expectClean(worktree)
  })

  test('a submodule', async () => {
    const outer = await makeRepository({ 'o.txt': 'o\n' })
    await outer.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      repository.path,
      'sub',
    )
    const inner = testRepository(join(outer.path, 'sub'))
    const worktree = await (await openGateway(inner)).open('x')
    await worktree.replace('a.txt', 'a', 'b')
    await worktree.apply([create('n.txt', 'n\n')])
    await expectClean(worktree)
    expect(await inner.git('log', '-1', '--format=%an', 'agent/x')).toBe('x')
  })

  test('two repositories of one name', async () => {
    const place = await mkdtemp(join(tmpdir(), 'twins-'))
    const twins: TestRepository[] = []
    for (const parent of ['left', 'right']) {
      const path = join(place, parent, 'twin')
      await mkdir(path, { recursive: true })
      const twin = testRepository(path)
      await twin.git('init', '--quiet')
      await twin.write('a.txt', `${parent}\n`)
      await twin.commit('first')
      twins.push(twin)
    }
    const { gateway } = await openGateway(twins)
    expect((await gateway.repositories()).map(({ name }) => name)).toEqual(['twin', 'twin-2'])
    expect(await refusal(gateway.openWorktree({ agent: 'x' }))).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      repositories: ['twin', 'twin-2'],
    })
    expect(await refusal(gateway.openWorktree({ agent: 'x', repo: 'triplet' }))).toMatchObject({
      code: 'NOT_FOUND',
    })
    const ids: string[] = []
    for (const repo of ['twin', 'twin-2']) {
      const { id, path } = await gateway.openWorktree({ agent: 'x', repo })
      ids.push(`${id} ${await readFile(join(path, 'a.txt'), 'utf8')}`)
    }
    expect(ids).toEqual(['twin~x left\n', 'twin-2~x right\n'])
    expect(await refusal(gateway.worktree('x'))).toMatchObject({ code: 'NOT_FOUND' })
    expect((await gateway.worktree('twin-2~x')).id).toBe('twin-2~x')
  })
})
