import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { faultAsRefusal } from '#src/gateway/landing/faults.js'
import { create, openGateway, refusal } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'
import { buildHostile, gitInside, makeHostile, processesAt } from './hostile.js'

const world = makeHostile()
const { hostile, repository } = world
const outside = world.outside()
const { open, gateway } = await openGateway(repository, {
  branchPrefix: 'editlatch',
  secondReader: false,
})
const worktree = await open('alice')
const git = await gitInside(world, worktree.path)

const coded = (promise: Promise<unknown>): Promise<Record<string, unknown>> =>
  refusal(promise.catch(error => Promise.reject(faultAsRefusal(error))))

describe('EXEC-4: a missing object is never fetched', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['as a commit to start from', () => open('lazy', { base: hostile.missing }), 'NOT_FOUND'],
    [
      'as a commit of the log',
      () => worktree.worktree.log({ before: hostile.missing }),
      'NOT_FOUND',
    ],
    ['as a batch', () => worktree.worktree.batch(hostile.missing), 'NOT_FOUND'],
    [
      'as what a diff starts from',
      () => worktree.worktree.unreported({ since: hostile.missing }),
      'NOT_FOUND',
    ],
    [
      'as a head that vouches',
      () => worktree.apply([create('n', 'n')], { expected_head: hostile.missing }),
      'NOT_FOUND',
    ],
    [
      'as a revision',
      () =>
        worktree.apply([
          { op: 'append_lines', path: 'docs/crlf.txt', expected_rev: hostile.missing, text: 'x' },
        ]),
      'CONTENT_REV_CONFLICT',
    ],
  ])('%s', async (_, ask, code) => {
    expect(await coded(ask())).toMatchObject({ code })
    expect(world.canaries()).toEqual([])
  })

  test('as a blob that a tree names', async () => {
    const other = makeHostile()
    const oid = await other.repository.git('rev-parse', `${other.hostile.base}:docs/nonl.txt`)
    const file = join(other.hostile.path, '.git/objects', oid.slice(0, 2), oid.slice(2))
    execFileSync('rm', ['-f', file])
    other.canaries()
    const served = await openGateway(other.repository, {
      branchPrefix: 'editlatch',
      secondReader: false,
    })
    expect(await coded(served.open('alice'))).toMatchObject({ code: 'OBJECT_MISSING' })
    expect(await coded(served.open('alice'))).toMatchObject({ code: 'OBJECT_MISSING' })
    expect(other.canaries()).toEqual([])
  })
})

describe('DATA-1: objects of somebody else are not reachable', () => {
  test('a repository that borrows them is refused', async () => {
    const borrowing = buildHostile()
    const opening = openGateway(borrowing.repository, { secondReader: false })
    expect(await refusal(opening)).toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' })
  })

  test('nor while it is served', async () => {
    const borrowing = makeHostile()
    const served = await openGateway(borrowing.repository, {
      branchPrefix: 'editlatch',
      secondReader: false,
    })
    const agent = await served.open('alice')
    writeFileSync(borrowing.hostile.alternates, join(hostile.outside, 'victim/.git/objects'))
    const asked: readonly (() => Promise<unknown>)[] = [
      () => agent.rev('docs/crlf.txt'),
      () => agent.apply([create('n', 'n')]),
      () => agent.worktree.state(),
      () => agent.worktree.unreported({}),
      () => agent.worktree.snapshot(),
      () => agent.worktree.log({}),
      () => agent.worktree.files({}),
      () => served.open('bob'),
    ]
    for (const ask of asked) {
      expect(await coded(ask())).toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' })
    }
  })

  test('the id of such a blob is no revision and tells nothing', async () => {
    const edit: EditInput = {
      op: 'append_lines',
      path: 'docs/crlf.txt',
      expected_rev: hostile.victimBlob,
      text: 'x',
    }
    const told = await refusal(worktree.apply([edit]))
    expect([told.code, JSON.stringify(told).includes('victim private')]).toEqual([
      'CONTENT_REV_CONFLICT',
      false,
    ])
  })
})

test('DATA-2: history is told as it is, whatever a replace ref says', async () => {
  const lied = await open('lied', { base: hostile.lied })
  expect(await lied.text('docs/nonl.txt')).toBe('no newline')
  const told = await git('cat-file', 'commit', hostile.lied)
  const tree = /^tree ([0-9a-f]{40})$/m.exec(told)?.[1] ?? ''
  const { commit, parent } = await lied.apply([create('n', 'n\n')])
  expect(parent).toBe(hostile.lied)
  expect((await git('rev-parse', `${commit}~1^{tree}`)).trim()).toBe(tree)
  expect(await lied.worktree.log({})).toMatchObject({ batches: [{ commit, parent }], more: false })
})

test('UI-3: an attribute does not hide what was changed', async () => {
  const plain = await makeRepository({
    '.gitattributes': 'hidden.ts -diff\n*.x binary\n',
    'hidden.ts': 'shown = 1\n',
    'a.x': 'shown = 1\n',
  })
  const other = await (await openGateway(plain)).open('alice')
  for (const path of ['hidden.ts', 'a.x']) {
    const edited = await other.replace(path, '1', '2')
    const told = [
      edited.files[0]?.patch,
      (await other.worktree.batch(edited.commit ?? '')).receipt.files[0]?.patch,
      (await other.worktree.unreported({ full: true, path })).files[0]?.patch,
    ]
    expect(told.map(patch => patch?.includes('\n+shown = 2\n'))).toEqual([true, true, true])
  }
})

describe('branches that were made to do harm', () => {
  test.each(hostile.badTrees)(
    '%s is checked out within its worktree, or not at all',
    async base => {
      const name = base.replace('badtree', 'bad')
      const opened = open(name, { base })
      const code = await opened.then(
        () => 'done',
        async error => (await refusal(Promise.reject(faultAsRefusal(error)))).code,
      )
      expect(['done', 'UNSUPPORTED_REPOSITORY']).toContain(code)
      if (code === 'done') return
      // Nothing is left of it.
      const refs = await git('for-each-ref', '--format=%(refname)')
      expect(refs).not.toContain(name)
      expect(await coded(gateway.worktree(name))).toMatchObject({ code: 'NOT_FOUND' })
    },
  )

  test('DOS-4: ten thousand million files are not checked out', async () => {
    expect(await coded(open('bomb', { base: 'treebomb' }))).toMatchObject({ code: 'TOO_LARGE' })
    expect(await git('for-each-ref', '--format=%(refname)')).not.toContain('editlatch/bomb')
    expect(existsSync(join(worktree.path, '../bomb'))).toBe(false)
  })

  test('DOS-4: a file that packs a thousand to one is not read into an answer', async () => {
    const zeros = await open('zeros', { base: 'zbomb' })
    expect(await coded(zeros.rev('zeros'))).toMatchObject({ code: 'TOO_LARGE' })
    const told = await zeros.worktree.unreported({ full: true })
    expect(told.files).toEqual([])
    await zeros.apply([create('n', 'n\n')])
  })

  test('a submodule stays a gitlink, and its url is never asked', async () => {
    const sub = await open('sub', { base: 'submod' })
    for (const path of ['sub', 'sub/x']) {
      expect(await coded(sub.rev(path))).toMatchObject({ code: 'NOT_REGULAR' })
      expect(await coded(sub.apply([create(path, 'x')]))).toMatchObject({
        code: expect.stringMatching(/^(?:NOT_REGULAR|PATH_EXISTS)$/),
      })
    }
    await sub.apply([create('n', 'n\n')])
  })

  test.each(['forged', 'signed'])('%s is history like any other', async base => {
    const { worktree: other } = await open(base, { base })
    expect((await other.log({})).batches).toEqual([])
  })

  test('nothing of all this has run or reached anything', () => {
    expect([world.canaries(), world.outside()]).toEqual([[], outside])
    const mine = processesAt(world.directory).filter(
      line => !/cat-file|update-ref|diff-tree|check-attr/.test(line),
    )
    expect(mine).toEqual([])
  })
})
