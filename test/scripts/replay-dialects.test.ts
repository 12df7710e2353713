import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { dialects } from '../../scripts/replay/dialects/registry.mjs'
import { listHistory, readCommit, readSections } from '../../scripts/replay/read-commit.mjs'
import { sayChanges } from '../../scripts/replay/say-commit.mjs'
import { buildHistory, type Files } from './build-history.js'

const scratch = mkdtempSync(join(tmpdir(), 'replay-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function repositoryOf(trees: readonly Files[]): string {
  const repository = mkdtempSync(join(scratch, 'repository-'))
  buildHistory(repository, trees, 'sha1')
  return repository
}

const names = dialects.map(({ name }) => name)

/** What is printed of each dialect and drift, by the label of the row. */
function replay(trees: readonly Files[], flags: readonly string[]): readonly Map<string, string>[] {
  const args = ['scripts/replay.mjs', repositoryOf(trees), ...flags]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  return stdout
    .split(/^(?=dialect )/m)
    .slice(1)
    .map(table => new Map(table.split('\n').map(row => [row.slice(0, 27).trim(), row.slice(29)])))
}

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

const blocks = (middle: string): string =>
  ['one', 'two', 'three'].map(name => `${name} {\n  a\n  ${middle}\n  z\n}\n`).join('')

/** Every text here tries to be taken for something else. */
const trees: readonly Files[] = [
  {
    alike: blocks('b'),
    crlf: 'a\r\nb\r\nc\r\n',
    mixed: 'a\nb\nc\r\nd\r\n',
    marks: '<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n```\n*** End of File\n@@\n',
    open: 'a\nb',
    marked: '\ufeffa\nb\nb\n',
    empty: '',
    tail: 'a\na\na\nb\n',
    old: lines(1, 30),
    gone: 'x\n',
    stray: Buffer.from('a\nb\xe9\nc\nd\n', 'latin1'),
    bytes: Buffer.from([0, 1, 2]),
    link: { link: 'alike' },
  },
  {
    alike: blocks('b').replace('two {\n  a\n  b', 'two {\n  a\n  B'),
    crlf: 'a\r\nB\r\nC\r\nc\r\n',
    mixed: 'a\nB\nB\nc\r\nd\r\n',
    marks: '<<<<<<< SEARCH\n========\n>>>>>>> REPLACE\n````\n*** End of File\n-- \n@@\n',
    open: 'a\nB',
    marked: '\ufeffa\nb\nB\n',
    empty: 'x\n',
    tail: 'a\na\nX\nb\nz\n',
    new: lines(1, 30).replace('line 7\n', ''),
    'gone/x': 'x\n',
    stray: Buffer.from('a\nb\xe9\nc\nD\n', 'latin1'),
    bytes: Buffer.from([0, 1, 3]),
    link: { link: 'crlf' },
  },
  {
    alike: blocks('b'),
    crlf: 'c\r\n',
    mixed: 'x\na\nB\nc\r\nd\r\n',
    marks: '=======\n```edit:alike rev:1\n',
    open: 'a\nB\n',
    marked: '\ufeff',
    empty: '',
    tail: 'a\na\na\nb\n',
    new: { executable: lines(1, 30) },
    gone: '',
    stray: Buffer.from('x\na\nb\xe9\nc\nD\n', 'latin1'),
    'a b': 'x\r\ny',
  },
]

test('a tricky history comes out as it was, said in every dialect', () => {
  const tables = replay(trees, ['--dialect', names.join()])
  expect(tables.map(table => [table.get('dialect'), table.get('mismatches')])).toEqual(
    names.map(name => [name, '0 (none)']),
  )
  for (const table of tables) {
    expect(Number(table.get('ops said in the dialect'))).toBeGreaterThan(10)
  }
}, 120_000)

/** One commit of a file: before, after, and the parts that each dialect says it with. */
async function partsOf(name: string, before: string, after: string): Promise<unknown> {
  const repository = repositoryOf([{ f: before }, { f: after }])
  const [from, to] = listHistory(repository, 'HEAD', 1)
  const ids = [from?.id ?? '', to?.id ?? ''] as const
  const content = readCommit(repository, ...ids)
  const dialect = dialects.find(one => one.name === name)
  const sections = readSections(repository, ...ids, content.changes)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)
  const said = await sayChanges(dialect, content.changes, content, {
    anchors: async () => ['1:a', '2:b', '3:c', '4:d', '5:e'],
    section: change => sections.get(change),
    turn: 0,
  })
  const [one] = said.map(({ said: parts }) => parts)
  if (typeof one !== 'object') return one
  const rev = content.changes[0]?.before?.oid ?? ''
  return JSON.parse(JSON.stringify(one.parts).replaceAll(rev, 'REV'))
}

const at = { path: 'f', expected_rev: 'REV' }
const fence = (block: string): readonly string[] => [`\`\`\`edit:f rev:REV\n${block}\n\`\`\`\n`]

test.each<[string, string, string, string, unknown]>([
  [
    'a line that stands once',
    'search_replace',
    'a\nb\n',
    'a\nc\n',
    [{ ...at, old_string: 'b', new_string: 'c' }],
  ],
  [
    'a line that stands twice',
    'search_replace',
    'b\na\nb\n',
    'b\na\nc\n',
    [{ ...at, old_string: 'a\nb', new_string: 'a\nc' }],
  ],
  [
    'a part of another line',
    'search_replace',
    'xb\nb\n',
    'xb\nc\n',
    [{ ...at, old_string: 'xb\nb', new_string: 'xb\nc' }],
  ],
  [
    'a line less',
    'search_replace',
    'a\nb\n',
    'a\n',
    [{ ...at, old_string: 'b\n', new_string: '' }],
  ],
  ['a last break', 'search_replace', 'a', 'a\n', [{ ...at, old_string: 'a', new_string: 'a\n' }]],
  [
    'whole lines',
    'markdown',
    'xb\nb\n',
    'xb\nc\n',
    fence('<<<<<<< SEARCH\nb\n=======\nc\n>>>>>>> REPLACE'),
  ],
  [
    'longer markers',
    'markdown',
    'a\n',
    '=======\n',
    fence('<<<<<<<< SEARCH\na\n========\n=======\n>>>>>>>> REPLACE'),
  ],
  ['a last break', 'markdown', 'a', 'a\n', 'final_newline'],
  [
    'a line that stands once',
    'apply_patch',
    'a\nb\nc\n',
    'a\nB\nc\n',
    ['*** Update File: f\n', '@@\n-b\n+B\n'],
  ],
  [
    'a line that stands above',
    'apply_patch',
    'a\nb\nb\n',
    'a\nb\nB\n',
    ['*** Update File: f\n', '@@\n b\n-b\n+B\n*** End of File\n'],
  ],
  ['a new line', 'apply_patch', 'a\nb\n', 'a\nx\nb\n', ['*** Update File: f\n', '@@\n a\n+x\n']],
  [
    'lines of one range',
    'hashline',
    'a\nb\nc\n',
    'a\nd\n',
    [{ ...at, edits: [{ op: 'replace', anchor: '2:b', end_anchor: '3:c', content: 'd' }] }],
  ],
  [
    'a new first line',
    'hashline',
    'a\n',
    '\na\n',
    [{ ...at, edits: [{ op: 'insert_after', anchor: '0:', content: '\n' }] }],
  ],
])('%s in %s', async (_, name, before, after, parts) => {
  expect(await partsOf(name, before, after)).toEqual(parts)
})

test('a file that lies under one which a section of its own takes away is said natively', async () => {
  const repository = repositoryOf([{ 'a/b': 'x\n' }, { a: Buffer.from([0]) }])
  const [from, to] = listHistory(repository, 'HEAD', 1)
  const content = readCommit(repository, from?.id ?? '', to?.id ?? '')
  const dialect = dialects.find(({ name }) => name === 'apply_patch')
  if (dialect === undefined) throw new Error('no dialect')
  const sources = { anchors: async () => [], section: () => undefined, turn: 0 }
  const said = await sayChanges(dialect, content.changes, content, sources)
  expect(said.map(({ said: one }) => one)).toEqual(['binary', 'in_the_way'])
})

/** `f` is edited after another line of it was; `g` beside the edit, so that nobody can merge; `h` was not there; `s` was the same. */
const drifting: readonly Files[] = [
  { f: lines(1, 9), g: lines(1, 9), s: 'a\n', h: 'a\nb\n' },
  {
    f: lines(1, 9).replace('2', 'two'),
    g: lines(1, 9).replace('4', 'four'),
    s: 'a\n',
    h: 'a\nx\n',
  },
  {
    f: lines(1, 9).replace('2', 'two').replace('8', 'eight'),
    g: lines(1, 9).replace('4', 'four').replace('5', 'five'),
    s: 'b\n',
    h: 'a\ny\n',
  },
]

test('an edit of an older revision lands right or is refused, in every dialect', () => {
  const tables = replay(drifting, ['--dialect', names.join(), '--drift', '1', '--commits', '1'])
  const rows = tables.map(table =>
    ['dialect', 'without rebase', 'with rebase', 'not tried', 'wrong'].map(row => table.get(row)),
  )
  expect(rows).toEqual(
    names.map(name => [
      name,
      '2 (conflict refused CONTENT_REV_CONFLICT 2)',
      '2 (landed right 1, conflict refused MERGE_CONFLICT 1)',
      '2 (changed lines not there then, or not once 1, the same then 1)',
      '0 (none)',
    ]),
  )
}, 120_000)

test('each drift of one run reads the anchors of its own commit', () => {
  const before = { f: lines(1, 9).replace('6', 'six'), g: '', s: '', h: '' }
  const asked = ['--dialect', 'hashline', '--drift', '1,2', '--commits', '1']
  const tables = replay([before, ...drifting], asked)
  expect(tables.map(table => [table.get('commits of drift'), table.get('wrong')])).toEqual([
    ['1', '0 (none)'],
    ['2', '0 (none)'],
  ])
}, 120_000)
