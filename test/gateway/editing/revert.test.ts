import { chmod, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Receipt } from '#src/core/receipt.js'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import type { BatchAnswer } from '#src/gateway/telling/answers.js'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestWorktree,
} from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

const numbers = Array.from({ length: 20 }, (_, n) => `(${n + 1})\n`).join('')

let repository: TestRepository
let worktree: TestWorktree
let base: string
beforeAll(async () => {
  repository = await makeRepository({
    'a.txt': numbers,
    'b.txt': 'b\n',
    'crlf.txt': numbers.replaceAll('\n', '\r\n'),
    'nul.bin': new Uint8Array([0, 1, 2]),
  })
  worktree = await (await openGateway(repository)).open('undoer')
  base = worktree.opened.head
})
beforeEach(async () => {
  await worktree.git('reset', '--quiet', '--hard', base)
})

const revert = (receipt: Receipt, options = {}): Promise<Receipt> =>
  worktree.worktree.revert(receipt.commit ?? '', options)

const remove = async (path: string): Promise<EditInput> => ({
  op: 'delete_file',
  path,
  expected_rev: await worktree.rev(path),
})

const lastBatch = async (): Promise<BatchAnswer> =>
  worktree.worktree.batch(await worktree.git('rev-parse', 'HEAD'))

const treeOf = (commit: string): Promise<string> => worktree.git('rev-parse', `${commit}^{tree}`)

test('the receipt tells only the lines that were undone', async () => {
  const rev = await worktree.rev('a.txt')
  const edits: readonly EditInput[] = [3, 17].map(line => ({
    op: 'replace_lines',
    path: 'a.txt',
    start_line: line,
    end_line: line,
    text: 'x',
    expected_rev: rev,
  }))
  const undone = await revert(await worktree.apply(edits))
  expect(undone.files[0]?.ranges).toEqual([3, 17].map(line => ({ start: line, end: line })))
  expect(undone.files[0]?.patch?.match(/^[-+]\S+$/gm)).toEqual(['-x', '+(3)', '-x', '+(17)'])
})

describe('what one commit did is undone', () => {
  const undoing: readonly (readonly [string, () => Promise<readonly EditInput[]>])[] = [
    [
      'an edit',
      async () => [
        {
          op: 'delete_lines',
          path: 'a.txt',
          start_line: 2,
          end_line: 3,
          expected_rev: await worktree.rev('a.txt'),
        },
      ],
    ],
    ['a creation', async () => [create('n/n.txt', 'n\n')]],
    ['a deletion', async () => [await remove('b.txt')]],
    [
      'a move',
      async () => [
        {
          op: 'move_file',
          path: 'b.txt',
          to: 'c/d.txt',
          expected_rev: await worktree.rev('b.txt'),
        },
      ],
    ],
    [
      'a mode',
      async () => [
        {
          op: 'set_mode',
          path: 'b.txt',
          executable: true,
          expected_rev: await worktree.rev('b.txt'),
        },
      ],
    ],
    [
      'bytes',
      async () => [
        {
          op: 'write_file',
          path: 'nul.bin',
          content_base64: 'AA==',
          expected_rev: await worktree.rev('nul.bin'),
        },
      ],
    ],
    [
      'a file that became a directory',
      async () => [await remove('b.txt'), create('b.txt/inner', 'i\n')],
    ],
    [
      'two files that changed places',
      async () => [
        { op: 'move_file', path: 'a.txt', to: 'b.txt', expected_rev: await worktree.rev('a.txt') },
        { op: 'move_file', path: 'b.txt', to: 'a.txt', expected_rev: await worktree.rev('b.txt') },
      ],
    ],
  ]

  test.each(undoing)('%s', async (_, edits) => {
    const first = await worktree.apply(await edits(), { message: 'Do it' })
    const undone = await revert(first)
    expect(await treeOf('HEAD')).toBe(await treeOf(base))
    expect(undone.parent).toBe(first.commit)
    expect(await worktree.git('log', '-1', '--format=%s')).toBe('Revert "Do it"')
    const { receipt } = await lastBatch()
    expect(receipt).toEqual(undone)
    await expectClean(worktree)
    await revert(undone)
    expect(await treeOf('HEAD')).toBe(await treeOf(first.commit ?? ''))
    await expectClean(worktree)
  })

  test('an outside commit', async () => {
    await worktree.write('b.txt', 'by hand\n')
    await chmod(join(worktree.path, 'b.txt'), 0o755)
    const outside = await worktree.worktree.snapshot()
    await revert(outside)
    expect(await treeOf('HEAD')).toBe(await treeOf(base))
    await expectClean(worktree)
  })

  test("a commit of the user's own", async () => {
    await worktree.write('b.txt', 'mine\n')
    const mine = await worktree.commit('mine')
    await worktree.worktree.revert(mine, { message: 'Not that' })
    expect(await treeOf('HEAD')).toBe(await treeOf(base))
    expect(await worktree.git('log', '-1', '--format=%s')).toBe('Not that')
  })

  test('only as a trial', async () => {
    const first = await worktree.apply([create('n.txt', 'n\n')])
    expect(await revert(first, { dryRun: true })).toMatchObject({
      commit: null,
      dry_run: true,
      files: [{ path: 'n.txt', status: 'deleted' }],
    })
    expect(await worktree.git('rev-parse', 'HEAD')).toBe(first.commit)
  })
})

describe('with later work in the same file', () => {
  test.each([['a.txt'], ['crlf.txt']])('elsewhere in %s it is merged', async path => {
    const before = await worktree.text(path)
    const first = await worktree.replace(path, '(3)', 'three')
    await worktree.replace(path, '(17)', 'seventeen')
    const undone = await revert(first)
    expect(await worktree.text(path)).toBe(before.replace('(17)', 'seventeen'))
    expect(undone.files).toMatchObject([{ path, ranges: [{ start: 3, end: 3 }] }])
    expect(undone.files[0]?.patch).toContain('-three')
    expect((await lastBatch()).receipt).toEqual(undone)
    await expectClean(worktree)
  })

  test('work that is not committed yet is kept, in a commit of its own', async () => {
    const first = await worktree.replace('a.txt', '(3)', 'three')
    await worktree.write('a.txt', (await worktree.text('a.txt')).replace('(17)', 'by hand'))
    const { warnings } = await revert(first)
    expect(warnings).toEqual([{ code: 'external_changes_committed' }])
    expect(await worktree.text('a.txt')).toBe(numbers.replace('(17)', 'by hand'))
    await expectClean(worktree)
  })

  test('other files are not looked at', async () => {
    const first = await worktree.apply([create('n.txt', 'n\n')])
    await worktree.replace('a.txt', '(3)', 'three')
    await revert(first)
    expect(await worktree.text('a.txt')).toContain('three')
  })
})

describe('refused where later work stands on it', () => {
  const refused: readonly (readonly [
    name: string,
    first: () => Promise<readonly EditInput[]>,
    later: () => Promise<unknown>,
    paths: readonly string[],
  ])[] = [
    [
      'the same lines',
      async () => [
        {
          op: 'replace_lines',
          path: 'a.txt',
          start_line: 3,
          end_line: 3,
          text: 'three',
          expected_rev: await worktree.rev('a.txt'),
        },
        create('n.txt', 'n\n'),
      ],
      () => worktree.replace('a.txt', 'three', 'THREE'),
      ['a.txt'],
    ],
    [
      'a created file that was edited',
      async () => [create('n.txt', 'n\n')],
      () => worktree.replace('n.txt', 'n', 'm'),
      ['n.txt'],
    ],
    [
      'a created file that is gone',
      async () => [create('n.txt', 'n\n')],
      async () => worktree.apply([await remove('n.txt')]),
      ['n.txt'],
    ],
    [
      'a deleted path that is taken again',
      async () => [await remove('b.txt')],
      () => worktree.apply([create('b.txt', 'b2\n')]),
      ['b.txt'],
    ],
    [
      'a deleted path that is a directory now',
      async () => [await remove('b.txt')],
      () => worktree.apply([create('b.txt/in', 'i\n')]),
      ['b.txt'],
    ],
    [
      'a moved file whose old place is taken',
      async () => [
        { op: 'move_file', path: 'b.txt', to: 'c.txt', expected_rev: await worktree.rev('b.txt') },
      ],
      () => worktree.apply([create('b.txt', 'new\n')]),
      ['c.txt'],
    ],
    [
      'bytes that changed again',
      async () => [
        {
          op: 'write_file',
          path: 'nul.bin',
          content_base64: 'AA==',
          expected_rev: await worktree.rev('nul.bin'),
        },
      ],
      async () =>
        worktree.apply([
          {
            op: 'write_file',
            path: 'nul.bin',
            content_base64: 'AAA=',
            expected_rev: await worktree.rev('nul.bin'),
          },
        ]),
      ['nul.bin'],
    ],
    [
      'several at once, all of them told',
      async () => [create('n.txt', 'n\n'), await remove('b.txt')],
      async () =>
        worktree.apply([
          create('b.txt', 'b2\n'),
          {
            op: 'append_lines',
            path: 'n.txt',
            text: 'm',
            expected_rev: await worktree.rev('n.txt'),
          },
        ]),
      ['b.txt', 'n.txt'],
    ],
  ]

  test.each(refused)('%s', async (_, first, later, paths) => {
    const receipt = await worktree.apply(await first())
    await later()
    const head = await worktree.git('rev-parse', 'HEAD')
    expect(await refusal(revert(receipt))).toMatchObject({
      code: 'DEPENDENT_CHANGES',
      status: 409,
      paths,
    })
    expect(await worktree.git('rev-parse', 'HEAD')).toBe(head)
    await expectClean(worktree)
  })
})

describe('no batch', () => {
  test.each([
    ['of this branch', () => base, 'NOT_FOUND'],
    ['at all', () => '2'.repeat(40), 'NOT_FOUND'],
    ['by its full id', () => 'agent/undoer', 'INVALID_ARGUMENTS'],
  ])('%s is not undone', async (_, name, code) => {
    expect(await refusal(worktree.worktree.revert(name()))).toMatchObject({ code })
  })

  test('that changed a link is undone here', async () => {
    await symlink('a.txt', join(worktree.path, 'link'))
    const mine = await worktree.commit('a link')
    expect(await refusal(worktree.worktree.revert(mine))).toMatchObject({ code: 'NOT_REGULAR' })
  })

  test('that changed a protected file is undone here', async () => {
    await worktree.write('.env', 'SECRET=1\n')
    const mine = await worktree.commit('a secret')
    expect(await refusal(worktree.worktree.revert(mine))).toMatchObject({ code: 'PROTECTED_PATH' })
  })
})
