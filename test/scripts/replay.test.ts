import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { planBatch } from '../../scripts/replay/plan-batch.mjs'
import { listHistory, readCommit } from '../../scripts/replay/read-commit.mjs'
import { buildHistory, type Files, type ObjectFormat } from './build-history.js'
import { trickyTrees } from './tricky-trees.js'

const scratch = mkdtempSync(join(tmpdir(), 'replay-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function repositoryOf(trees: readonly Files[], format: ObjectFormat = 'sha1'): string {
  const repository = mkdtempSync(join(scratch, 'repository-'))
  buildHistory(repository, trees, format)
  return repository
}

function replay(repository: string): { readonly status: number | null; readonly told: string } {
  const args = ['scripts/replay.mjs', repository]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, told: stdout + stderr }
}

const formats: readonly (readonly [ObjectFormat, number])[] = [
  ['sha1', 40],
  ['sha256', 64],
]

test.each(formats)(
  'a tricky %s history comes out as it was',
  (format, digits) => {
    const trees = Object.values(trickyTrees('1'.repeat(digits))).flat()
    const { status, told } = replay(repositoryOf(trees, format))
    expect(status, told).toBe(0)
    expect(told).toContain(`${trees.length - 1} of ${trees.length - 1} commits, status is clean`)
  },
  120_000,
)

test('nothing to replay is a failure', () => {
  expect(replay(repositoryOf([{ a: 'a\n' }])).status).toBe(1)
})

const insert = { op: 'insert_lines', path: 'a' }
const remove = { op: 'delete_lines', path: 'a' }
const replace = { op: 'replace_lines', path: 'a' }
const write = { op: 'write_file', path: 'a' }

test.each<[string, string, string, object]>([
  ['a changed line', 'a\nb\n', 'a\nc\n', { ...replace, start_line: 2, end_line: 2, text: 'c\n' }],
  ['a new line', 'a\nb\n', 'a\nx\nb\n', { ...insert, line: 2, text: 'x\n' }],
  ['a line less', 'a\nb\nc\n', 'a\nc\n', { ...remove, start_line: 2, end_line: 2 }],
  ['a new last line', 'a\n', 'a\nb\n', { ...insert, line: 2, text: 'b\n' }],
  ['more without a break', 'a', 'a\nb', { ...replace, start_line: 1, end_line: 1, text: 'a\nb' }],
  ['CRLF', 'a\r\n', 'b\r\n', { ...replace, start_line: 1, end_line: 1, text: 'b\r\n' }],
  ['a mark', '\ufeffa\n', '\ufeffb\n', { ...replace, start_line: 1, end_line: 1, text: 'b\n' }],
  ['a mark that comes', 'a\n', '\ufeffa\n', { ...write, text: '\ufeffa\n' }],
  ['a last break that goes', 'a\nb\n', 'a\nb', { ...write, text: 'a\nb' }],
  ['breaks that change', 'a\nb\n', 'a\r\nb\r\n', { ...write, text: 'a\r\nb\r\n' }],
  ['breaks by CR alone', 'a\rb\r', 'a\rc\r', { ...write, text: 'a\rc\r' }],
  ['NUL', 'a\n', 'a\0\n', { ...write, content_base64: 'YQAK' }],
])('%s is said in the fewest words that fit', (_, before, after, edit) => {
  const repository = repositoryOf([{ a: before }, { a: after }])
  const [from, to] = listHistory(repository, 'HEAD', 1)
  const content = readCommit(repository, from?.id ?? '', to?.id ?? '')
  const rev = content.changes[0]?.before?.oid
  expect(planBatch(content.changes, content).edits).toEqual([{ ...edit, expected_rev: rev }])
})
