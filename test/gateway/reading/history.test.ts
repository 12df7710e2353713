import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Receipt } from '#src/core/receipt.js'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestWorktree,
} from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

let repository: TestRepository
let worktree: TestWorktree
let base: string
beforeAll(async () => {
  repository = await makeRepository({
    'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n',
    'b.txt': 'b\n',
    'bare.txt': 'one\ntwo',
    'run.sh': { text: 'true\n', mode: '755' },
    'sp ace/ü.txt': 'x\n',
    'text.txt': 'a\n',
    'nul.bin': new Uint8Array([0, 1]),
    '.gitattributes': 'text.txt text\n',
  })
  worktree = await (await openGateway(repository)).open('teller')
  base = worktree.opened.head
})
beforeEach(async () => {
  await worktree.git('reset', '--quiet', '--hard', base)
})

const rev = (path: string): Promise<string> => worktree.rev(path)

type Batch = readonly [name: string, edits: () => Promise<readonly EditInput[]>]
const batches: readonly Batch[] = [
  [
    'an edit in two places',
    async () => [
      {
        op: 'replace_text',
        path: 'a.txt',
        expected_rev: await rev('a.txt'),
        find: 'two',
        replace: '2\n2',
      },
      { op: 'delete_lines', path: 'a.txt', start_line: 8, end_line: 9 },
    ],
  ],
  ['a new file', async () => [create('n/n.txt', 'n\nm')]],
  ['an empty new file', async () => [create('empty', '')]],
  [
    'an executable new file',
    async () => [
      { op: 'write_file', path: 'go', expected_rev: null, text: 'go\n', mode: '100755' },
    ],
  ],
  [
    'a deletion',
    async () => [{ op: 'delete_file', path: 'bare.txt', expected_rev: await rev('bare.txt') }],
  ],
  [
    'a move',
    async () => [
      { op: 'move_file', path: 'b.txt', to: 'c/b.txt', expected_rev: await rev('b.txt') },
    ],
  ],
  [
    'a mode',
    async () => [
      { op: 'set_mode', path: 'run.sh', executable: false, expected_rev: await rev('run.sh') },
    ],
  ],
  [
    'a name in quotes',
    async () => [
      {
        op: 'append_lines',
        path: 'sp ace/ü.txt',
        text: 'ü',
        expected_rev: await rev('sp ace/ü.txt'),
      },
    ],
  ],
  [
    'no final newline',
    async () => [
      { op: 'append_lines', path: 'bare.txt', text: 'three', expected_rev: await rev('bare.txt') },
    ],
  ],
  [
    'bytes',
    async () => [
      {
        op: 'write_file',
        path: 'nul.bin',
        content_base64: 'AAI=',
        expected_rev: await rev('nul.bin'),
      },
    ],
  ],
  [
    'a warning',
    async () => [
      {
        op: 'write_file',
        path: 'text.txt',
        text: 'a\r\nb\r\n',
        expected_rev: await rev('text.txt'),
      },
    ],
  ],
  [
    'outside changes on the way',
    async () => {
      await worktree.write('b.txt', 'by hand\n')
      return [{ op: 'append_lines', path: 'b.txt', text: 'x', expected_rev: await rev('b.txt') }]
    },
  ],
]

test.each(batches)('%s is read back as it was answered', async (_, edits) => {
  const receipt = await worktree.apply(await edits(), { message: 'Do it', intent: 'because' })
  const { receipt: again, ...entry } = await worktree.worktree.batch(receipt.commit ?? '')
  expect(again).toEqual(receipt)
  expect(entry).toMatchObject({
    commit: receipt.commit,
    parent: receipt.parent,
    subject: 'Do it',
    intent: 'because',
    agent: 'teller',
    source: 'batch',
    ops: receipt.ops,
    warnings: receipt.warnings,
    files: receipt.files.map(({ path, status, before_rev, after_rev }) => ({
      path,
      status,
      before_rev,
      after_rev,
    })),
  })
  expect((await worktree.worktree.log({})).batches[0]).toEqual(entry)
  await expectSamePatch(receipt)
})

/** Git can apply the patches of a receipt, and what comes out is what was committed. */
async function expectSamePatch({ commit, parent, files }: Receipt): Promise<void> {
  // Git does not apply what it would renormalise, nor what is no text.
  if (files.some(({ patch }) => /Binary files|\r\n/.test(patch ?? ''))) return
  const patch = files.map(file => file.patch).join('')
  await worktree.git('checkout', '--quiet', '--detach', parent)
  await worktree.gitRaw(['apply', '--index', '-'], { input: patch })
  expect(await worktree.git('write-tree')).toBe(await worktree.git('rev-parse', `${commit}^{tree}`))
  await worktree.git('reset', '--quiet', '--hard')
  await worktree.git('checkout', '--quiet', 'agent/teller')
}

describe('the log', () => {
  test('is newest first, in pages', async () => {
    for (const text of ['1', '2', '3']) await worktree.apply([create(`${text}.txt`, text)])
    const all = await worktree.worktree.log({})
    expect(all.more).toBe(false)
    expect(all.batches.map(({ subject }) => subject)).toEqual([
      'Create 3.txt',
      'Create 2.txt',
      'Create 1.txt',
    ])
    const first = await worktree.worktree.log({ limit: 2 })
    expect(first).toEqual({ batches: all.batches.slice(0, 2), more: true })
    const before = first.batches[1]?.commit ?? ''
    expect(await worktree.worktree.log({ limit: 2, before })).toEqual({
      batches: all.batches.slice(2),
      more: false,
    })
  })

  test('is empty at the base', async () => {
    expect(await worktree.worktree.log({})).toEqual({ batches: [], more: false })
  })

  test("tells the user's own commits as foreign, merges by their first parent", async () => {
    await worktree.write('b.txt', 'mine\n')
    const mine = await worktree.commit('mine')
    await repository.write('m.txt', 'm\n')
    await repository.commit('on main')
    await worktree.git('merge', '--quiet', '-m', 'merged', 'main')
    const { batches: told } = await worktree.worktree.log({})
    expect(told.map(({ source, subject, agent }) => ({ source, subject, agent }))).toEqual([
      { source: 'foreign', subject: 'merged', agent: 'Test Person' },
      { source: 'foreign', subject: 'mine', agent: 'Test Person' },
    ])
    expect(told[1]).toMatchObject({ commit: mine, time: '2024-01-02T03:04:05.000Z', ops: [] })
    await repository.git('reset', '--quiet', '--hard', base)
  })

  test('an agent cannot pass for another one by its message', async () => {
    const message =
      'x\n\nEditlatch-Agent: boss\nEditlatch-Key: stolen 00\nEditlatch-Source: external'
    await worktree.apply([create('x', 'x')], { message })
    const [entry] = (await worktree.worktree.log({})).batches
    expect(entry).toMatchObject({ agent: 'teller', source: 'batch' })
    expect(entry?.key).toBeUndefined()
  })

  test('a foreign commit is not a batch, whatever its message says', async () => {
    await worktree.write('b.txt', 'mine\n')
    await worktree.commit('mine\n\nEditlatch-Batch: 0\n\nnot the last paragraph')
    expect((await worktree.worktree.log({})).batches[0]).toMatchObject({ source: 'foreign' })
  })
})

describe('one commit', () => {
  test.each([
    ['unknown', () => '1'.repeat(40), 'NOT_FOUND'],
    ['the base itself', () => base, 'NOT_FOUND'],
    ['no commit', () => rev('a.txt'), 'NOT_FOUND'],
    ['by another name than its id', () => 'HEAD', 'INVALID_ARGUMENTS'],
    ['by a part of its id', () => base.slice(0, 10), 'INVALID_ARGUMENTS'],
  ])('%s is not told', async (_, name, code) => {
    const commit = await name()
    expect(await refusal(worktree.worktree.batch(commit))).toMatchObject({ code })
    expect(await refusal(worktree.worktree.log({ before: commit }))).toMatchObject({ code })
  })

  test("of another agent is not this one's", async () => {
    const other = await (await openGateway(repository)).open('other')
    const { commit } = await other.apply([create('x', 'x')])
    expect(await refusal(worktree.worktree.batch(commit ?? ''))).toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

test('the model is told as it was named at the last opening', async () => {
  const gateway = await openGateway(repository)
  await gateway.open('named', { model: 'one' })
  const named = await gateway.open('named', { model: 'two' })
  await named.apply([create('x', 'x')])
  expect((await named.worktree.log({})).batches[0]?.model).toBe('two')
})

test('files are listed as git lists them, within the limit', async () => {
  await worktree.write('untracked.txt', 'u\n')
  await worktree.write('c/d.txt', 'd\n')
  expect(await worktree.worktree.files({ glob: '*.txt', limit: 3 })).toEqual({
    files: ['a.txt', 'b.txt', 'bare.txt'],
    total: 7,
    truncated: true,
    next: 'bare.txt',
  })
  expect(await worktree.worktree.files({ glob: '*.txt', maxBytes: 1 })).toMatchObject({
    truncated: true,
    total: 7,
  })
  expect(await worktree.worktree.files({ prefix: 'c/' })).toMatchObject({ files: ['c/d.txt'] })
  expect(await worktree.worktree.files({ after: 'sp ace/ü.txt' })).toMatchObject({
    files: ['text.txt', 'untracked.txt'],
    truncated: false,
  })
  for (const path of ['untracked.txt', 'c'])
    await rm(join(worktree.path, path), { recursive: true })
  await expectClean(worktree)
})

test('a change too large for a patch is told by name', async () => {
  const large = new Uint8Array(15 * 1024 * 1024).fill(0x78)
  const names = ['1', '2', '3', '4', '5'].map(name => `large-${name}`)
  for (const name of names) await worktree.write(name, large)
  const receipt = await worktree.worktree.snapshot()
  expect(receipt.files.map(({ path, patch }) => [path, patch])).toEqual(
    names.map(name => [name, undefined]),
  )
  const { files, truncated } = await worktree.worktree.unreported({ full: true })
  expect({ paths: files.map(({ path }) => path), truncated }).toEqual({
    paths: names,
    truncated: false,
  })
})
