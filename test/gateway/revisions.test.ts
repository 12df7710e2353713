import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { create, expectClean, openGateway, refusal, type TestWorktree } from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'

const never = '1'.repeat(40)
const append = (path: string, rev: string | null | undefined, text = 'more'): EditInput => ({
  op: 'append_lines',
  path,
  ...(rev !== undefined && { expected_rev: rev }),
  text,
})

let repository: TestRepository
let worktree: TestWorktree
let base: string
beforeAll(async () => {
  repository = await makeRepository({
    'a.txt': 'one\ntwo\nthree\n',
    'b.txt': 'b\n',
    'c.txt': 'c\n',
    'd/d.txt': 'd\n',
  })
  worktree = await (await openGateway(repository)).open('reader')
  base = worktree.opened.head
})
beforeEach(async () => {
  await worktree.git('reset', '--quiet', '--hard', base)
})

test('a read answers the blob id that git has', async () => {
  for (const path of ['a.txt', 'b.txt']) {
    expect(await worktree.rev(path)).toBe(await worktree.git('rev-parse', `HEAD:${path}`))
  }
  expect(await refusal(worktree.rev('none.txt'))).toMatchObject({ code: 'FILE_NOT_FOUND' })
  for (const path of ['none/none.txt', 'b.txt/none.txt', 'd']) {
    expect(await refusal(worktree.rev(path))).toMatchObject({ code: 'FILE_NOT_FOUND' })
  }
})

describe('without a revision', () => {
  test('an existing file tells its own', async () => {
    expect(await refusal(worktree.apply([append('a.txt', undefined)]))).toMatchObject({
      code: 'CONTENT_REV_REQUIRED',
      status: 428,
      path: 'a.txt',
      actual: await worktree.rev('a.txt'),
    })
  })

  test('a file that is not there is not found', async () => {
    expect(await refusal(worktree.apply([append('none.txt', undefined)]))).toMatchObject({
      code: 'FILE_NOT_FOUND',
    })
  })

  test('naming it once in a batch is enough', async () => {
    const rev = await worktree.rev('a.txt')
    await worktree.apply([append('a.txt', rev), append('a.txt', undefined, 'last')])
    expect(await worktree.text('a.txt')).toBe('one\ntwo\nthree\nmore\nlast\n')
  })
})

describe('another revision', () => {
  test('is told with the patch to what stands now', async () => {
    const expected = await worktree.rev('a.txt')
    await worktree.replace('a.txt', 'two', 'TWO')
    const actual = await worktree.rev('a.txt')
    const told = await refusal(worktree.apply([append('a.txt', expected)]))
    expect(told).toMatchObject({ code: 'CONTENT_REV_CONFLICT', status: 409, expected, actual })
    const patch = await worktree.git('diff', expected, actual)
    const hunks = patch.slice(patch.indexOf('@@'))
    expect(String(told.patch).trimEnd()).toContain(hunks)
  })

  test('the patch reaches to what was written by hand', async () => {
    const expected = await worktree.rev('a.txt')
    await worktree.write('a.txt', 'one\ntwo\nthree\nby hand\n')
    const told = await refusal(worktree.apply([append('a.txt', expected)]))
    expect(told).toMatchObject({ code: 'CONTENT_REV_CONFLICT', expected })
    expect(told.actual).toBe(await worktree.rev('a.txt'))
    expect(told.patch).toContain('+by hand\n')
  })

  test('as If-Match it is 412', async () => {
    const { code, status } = await refusal(
      worktree.apply([append('a.txt', never)], { ifMatch: true }),
    )
    expect({ code, status }).toEqual({ code: 'CONTENT_REV_CONFLICT', status: 412 })
  })

  test.each([
    ['a blob that is nowhere', async () => never],
    ['a blob of another path', () => worktree.rev('b.txt')],
    ['a commit', async () => base],
  ])('%s is a conflict without a patch', async (_, rev) => {
    const told = await refusal(worktree.apply([append('a.txt', await rev())]))
    expect(told).toMatchObject({
      code: 'CONTENT_REV_CONFLICT',
      actual: await worktree.rev('a.txt'),
    })
    expect(told.patch).toBeUndefined()
  })

  test('of a file that is not there has no actual one', async () => {
    expect(await refusal(worktree.apply([append('none.txt', never)]))).toMatchObject({
      code: 'CONTENT_REV_CONFLICT',
      actual: null,
    })
  })

  test('each of several is told with its own patch', async () => {
    const [a, b] = [await worktree.rev('a.txt'), await worktree.rev('b.txt')]
    await worktree.apply([append('a.txt', a, 'A'), append('b.txt', b, 'B')])
    const told = await refusal(
      worktree.apply([append('a.txt', a), append('b.txt', b), append('c.txt', never)]),
    )
    expect(told.patch).toContain('+A\n')
    expect(told.failures).toMatchObject([
      { path: 'a.txt', patch: expect.stringContaining('+A\n') },
      { path: 'b.txt', patch: expect.stringContaining('+B\n') },
      { path: 'c.txt', actual: await worktree.rev('c.txt') },
    ])
  })

  test('named twice in one batch, the two must agree', async () => {
    const rev = await worktree.rev('a.txt')
    expect(
      await refusal(worktree.apply([append('a.txt', rev), append('a.txt', never)])),
    ).toMatchObject({ code: 'INVALID_ARGUMENTS' })
  })
})

describe('only the branch moved', () => {
  test('by another batch', async () => {
    const rev = await worktree.rev('b.txt')
    await worktree.replace('a.txt', 'two', 'TWO')
    const head = await worktree.git('rev-parse', 'HEAD')
    expect(await worktree.apply([append('b.txt', rev)])).toMatchObject({ parent: head })
    await expectClean(worktree)
  })

  test("by the user's own commit", async () => {
    const rev = await worktree.rev('b.txt')
    await worktree.write('c.txt', 'by hand\n')
    const head = await worktree.commit('mine')
    expect(await worktree.apply([append('b.txt', rev)])).toMatchObject({ parent: head })
    expect(await worktree.git('show', 'HEAD:c.txt')).toBe('by hand')
    await expectClean(worktree)
  })
})

describe('a commit that vouches for all', () => {
  const withHead = (edits: readonly EditInput[], head: string): Promise<unknown> =>
    worktree.apply(edits, { expected_head: head })

  test('every file it has, and that others are not there', async () => {
    await withHead([append('a.txt', undefined), append('b.txt', undefined)], base)
    await withHead(
      [{ op: 'write_file', path: 'n.txt', text: 'n\n' }],
      await worktree.git('rev-parse', 'HEAD'),
    )
    await expectClean(worktree)
  })

  test('an older one, as long as the touched files did not change', async () => {
    await worktree.replace('a.txt', 'two', 'TWO')
    await withHead([append('b.txt', undefined)], base)
    const told = await refusal(withHead([append('a.txt', undefined)], base))
    expect(told).toMatchObject({
      code: 'CONTENT_REV_CONFLICT',
      expected: await worktree.git('rev-parse', `${base}:a.txt`),
      head: await worktree.git('rev-parse', 'HEAD'),
    })
    expect(told.patch).toContain('+TWO\n')
    await withHead([append('a.txt', undefined)], String(told.head))
  })

  test('not for a file that has come since', async () => {
    await worktree.apply([create('n.txt', 'n\n')])
    expect(
      await refusal(withHead([{ op: 'write_file', path: 'n.txt', text: 'x' }], base)),
    ).toMatchObject({ code: 'PATH_EXISTS' })
  })

  test.each([
    ['an unknown one', never],
    ['a blob', 'blob'],
  ])('%s is not found', async (_, head) => {
    const oid = head === 'blob' ? await worktree.rev('a.txt') : head
    expect(await refusal(withHead([append('a.txt', undefined)], oid))).toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('a file that must not exist', () => {
  test.each([
    ['null', null],
    ['"new"', 'new'],
  ])('expected_rev %s', async (_, rev) => {
    const edit: EditInput = { op: 'write_file', path: 'n.txt', expected_rev: rev, text: 'n\n' }
    await worktree.apply([edit])
    expect(await refusal(worktree.apply([edit]))).toMatchObject({
      code: 'PATH_EXISTS',
      status: 409,
      actual: await worktree.rev('n.txt'),
    })
  })
})
