import { describe, expect, test } from 'vitest'
import type { CommandContext } from '#src/commands/command.js'
import { read } from '#src/commands/read.js'
import { openedFile, readFiles } from '#src/commands/read-files.js'
import type { Blob } from '#src/core/blob.js'
import { defaultLimits } from '#src/core/limits.js'
import { parseRepoPath, type RepoPath } from '#src/core/repo-path.js'
import type { Worktree } from '#src/gateway/worktree.js'
import { openGateway, refusal } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const functions = Array.from({ length: 60 }, (_, at) => `function f${at}() {\n  return ${at}\n}\n`)
const long = functions.join('')
const cart = `export class Cart {
  add(item) {
    check(item)
    count(item)
    this.items.push(item)
  }

  remove(item) {
    check(item)
    count(item)
    this.items.delete(item)
  }
}
`
const repository = await makeRepository({
  'src/long.ts': long,
  'src/short.ts': 'export const one = 1\n',
  'row:1-2': 'colons\n',
  'src/cart.ts': cart,
  'notes.txt': 'row\n'.repeat(200),
  'data.bin': 'a\0b',
})
const served = await openGateway(repository)
const alice = await served.open('alice')
const context: CommandContext = {
  caller: { kind: 'server' },
  signal: new AbortController().signal,
}

async function ask(input: object): Promise<Record<string, unknown>> {
  const answer = await read.run(served.gateway, { worktree: alice.id, ...input }, context)
  return { ...(answer.kind === 'value' ? (answer.value as object) : answer) }
}

describe('one file', () => {
  test('a long one begins, with the outline of the rest', async () => {
    const told = await ask({ path: 'src/long.ts' })
    expect(told).toMatchObject({ start_line: 1, end_line: 60, total_lines: 180, next_line: 61 })
    const outline = told.outline as readonly Record<string, unknown>[]
    expect(outline).toHaveLength(40)
    expect(outline[0]).toMatchObject({ name: 'f20', start_line: 61, end_line: 63 })
  })

  test('one of no known language begins without an outline', async () => {
    const told = await ask({ path: 'notes.txt' })
    expect(told).toMatchObject({ end_line: 60, truncated: true })
    expect(told).not.toHaveProperty('outline')
  })

  test.each([
    ['all lines', { lines: '1-' }, { text: long, truncated: false }],
    ['no more than a budget', { lines: '1-', max_bytes: 200 }, { truncated: true, end_line: 19 }],
  ])('%s', async (_, asked, expected) => {
    const told = await ask({ path: 'src/long.ts', ...asked })
    expect(told).toMatchObject(expected)
    expect(told).not.toHaveProperty('outline')
  })

  test('raw bytes are always whole', async () => {
    const { bytes } = await ask({ path: 'src/long.ts', raw: true })
    expect(Buffer.from(bytes as Uint8Array).toString()).toBe(long)
  })

  test('one that is held is only told to be unchanged', async () => {
    const rev = await alice.rev('src/short.ts')
    const held = { path: 'src/short.ts', rev, not_modified: true }
    expect(await ask({ path: 'src/short.ts', if_rev: rev })).toEqual(held)
    expect(await ask({ path: 'src/short.ts', if_rev: `x, ${rev}` })).toEqual(held)
    expect(await ask({ path: 'src/short.ts', if_rev: 'x' })).toHaveProperty('text')
  })

  test('where there is none the nearest paths are named', async () => {
    expect(await refusal(ask({ path: 'lib/short.ts' }))).toMatchObject({
      code: 'FILE_NOT_FOUND',
      path: 'lib/short.ts',
      suggestions: ['src/short.ts'],
    })
    expect(await refusal(ask({ path: 'qqqq' }))).toEqual({
      code: 'FILE_NOT_FOUND',
      status: 404,
      path: 'qqqq',
    })
  })
})

describe('several files', () => {
  test('are answered in order, each with its part, what is wrong in its place', async () => {
    const paths = [
      'src/short.ts',
      'src/long.ts:4-5',
      'src/long.ts::f2',
      'gone.ts',
      'src/long.ts::nope',
      'data.bin',
    ]
    const told = await ask({ paths })
    expect(told).toMatchObject({
      truncated: false,
      files: [
        {
          path: 'src/short.ts',
          rev: await alice.rev('src/short.ts'),
          text: 'export const one = 1\n',
        },
        { path: 'src/long.ts', text: 'function f1() {\n  return 1\n' },
        { path: 'src/long.ts', start_line: 7, end_line: 9 },
        { path: 'gone.ts', refused: { code: 'FILE_NOT_FOUND' } },
        { path: 'src/long.ts::nope', refused: { code: 'NOT_FOUND' } },
        { path: 'data.bin', kind: 'binary' },
      ],
    })
    expect(told.files).toHaveLength(paths.length)
  })

  test('by lines, the declarations around them, others in them folded', async () => {
    const told = await ask({
      paths: ['src/cart.ts@11', 'src/cart.ts@1', 'notes.txt@100', 'src/cart.ts'],
    })
    const rows = (told.files as { text: string; start_line: number; end_line: number }[]).map(
      ({ start_line: start, end_line: end, text }) => [start, end, text.split('\n', 1)[0]],
    )
    expect(rows).toEqual([
      [8, 12, '  remove(item) {'],
      [1, 2, 'export class Cart {'],
      [6, 8, '  }'],
      [12, 13, '  }'],
      [80, 120, 'row'],
      [1, 13, 'export class Cart {'],
    ])
    expect(read.render(told as never)).toContain(
      'lines 1-2\nexport class Cart {\n  add(item) {\nlines 6-8\n',
    )
  })

  test('by lines, what is wrong in its place', async () => {
    const rev = await alice.rev('src/cart.ts')
    const paths = ['src/cart.ts@99', 'gone.ts@1', 'data.bin@1', 'src/cart.ts@3,99-100']
    expect(await ask({ paths })).toMatchObject({
      files: [
        { path: 'src/cart.ts:99-99', refused: { code: 'OUT_OF_RANGE', total_lines: 13 } },
        { path: 'gone.ts@1-1', refused: { code: 'FILE_NOT_FOUND' } },
        { path: 'data.bin', kind: 'binary' },
        { start_line: 2, end_line: 6 },
        { path: 'src/cart.ts:99-100', refused: { code: 'OUT_OF_RANGE' } },
      ],
    })
    const held = { path: 'src/cart.ts', rev, not_modified: true }
    expect(await ask({ paths: ['src/cart.ts@3'], if_rev: rev })).toMatchObject({ files: [held] })
    const asked = { paths: ['src/long.ts:1-', 'src/cart.ts@3'], max_bytes: 203 }
    expect(await ask(asked)).toMatchObject({ truncated: true, left_out: ['src/cart.ts@3-3'] })
  })

  test('share one budget, and what it leaves out is named', async () => {
    const paths = ['src/short.ts', 'src/long.ts:1-', 'src/short.ts', 'notes.txt:1-3']
    expect(await ask({ paths, max_bytes: 200 })).toMatchObject({
      truncated: true,
      files: [{ truncated: false }, { truncated: true, end_line: 18, next_line: 19 }, {}],
    })
    const more = { paths: ['src/long.ts:1-', ...paths], max_bytes: 203 }
    const { files, left_out: left } = await ask(more)
    expect([(files as unknown[]).length, left]).toEqual([1, paths])
  })

  test('one is read and decoded once, however many of its parts are shown', async () => {
    const worktree = await served.gateway.worktree(alice.id)
    let reads = 0
    const read = (path: RepoPath): Promise<Blob> => {
      reads += 1
      return worktree.read(path)
    }
    const outline = worktree.outline.bind(worktree)
    const counted = { checkout: worktree.checkout, outline, read } as unknown as Worktree
    const reading = { worktree: counted, view: 'plain' as const, limits: defaultLimits }
    const { files } = await readFiles(['src/long.ts:1,9-10,99,4', 'src/long.ts@8,90'], reading)
    expect([files.length, reads]).toEqual([6, 1])
    const path = parseRepoPath('src/long.ts')
    const opened = openedFile(path, await worktree.read(path))
    expect(opened.text()).toBe(opened.text())
  })

  test('those that are held are not shown', async () => {
    const rev = await alice.rev('src/short.ts')
    const told = await ask({ paths: ['src/short.ts', 'src/long.ts:1'], if_rev: rev })
    expect(told.files).toEqual([
      { path: 'src/short.ts', rev, not_modified: true },
      expect.objectContaining({ text: 'function f0() {\n' }),
    ])
  })

  test('a name that looks like lines of another is read by path', async () => {
    expect(await ask({ path: 'row:1-2' })).toMatchObject({ text: 'colons\n' })
  })
})

test.each<[string, object, string?]>([
  ['a path that no file can have', { paths: ['notes.txt', '../x'] }, 'BAD_PATH'],
  ['lines from nowhere', { paths: ['notes.txt:0-3'] }, 'INVALID_ARGUMENTS'],
  ['around lines from nowhere', { paths: ['notes.txt@0'] }, 'INVALID_ARGUMENTS'],
  ['around lines that go back', { paths: ['notes.txt@9-3'] }, 'INVALID_ARGUMENTS'],
  ['neither path nor paths', {}],
  ['both', { path: 'notes.txt', paths: ['notes.txt'] }],
  ['lines of several', { paths: ['notes.txt'], lines: '1-2' }],
  ['the bytes of several', { paths: ['notes.txt'], raw: true }],
  ['no paths', { paths: [] }],
  ['too many ranges', { paths: [`notes.txt:${'1,'.repeat(200)}1`] }],
  ['too many ranges to look around', { paths: [`notes.txt@${'1,'.repeat(200)}1`] }],
  ['too many paths', { paths: Array.from({ length: 51 }, () => 'notes.txt') }],
])('refused: %s', async (_, input, code = 'INVALID_ARGUMENTS') =>
  expect(await refusal(ask(input))).toMatchObject({ code }),
)
