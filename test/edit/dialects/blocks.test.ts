import { expect, test } from 'vitest'
import type { BatchInput } from '#src/edit/batch.js'
import { dialectNames, isTextDialect } from '#src/edit/dialects/registry.js'
import { seededRandom } from '../../support/random.js'
import { refusal, revOf } from '../sandbox.js'
import { changedBy, resolveSaid } from './said.js'

const blocks = (patch: string): BatchInput => ({ dialect: 'search_replace_blocks', patch })
const markdown = (patch: string): BatchInput => ({ dialect: 'markdown', patch })
const block = (search: string, replace: string): string =>
  `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`
const ab = block('a\n', 'b\n')
const roo = (hint: string): string => ab.replace('SEARCH\n', `SEARCH\n${hint}`)

test.each([
  ['a path above', `f\n${ab}`, 'x\na\n', 'x\nb\n'],
  ['a path in bold', `**f**\n${ab}`, 'a\n', 'b\n'],
  ['a path in backticks', `\`f\`\n${ab}`, 'a\n', 'b\n'],
  ['a path as heading', `### f\n${ab}`, 'a\n', 'b\n'],
  ['a path in quotes', `"f"\n${ab}`, 'a\n', 'b\n'],
  ['a path above a fence', `f\n\`\`\`ts\n${ab}\`\`\`\n`, 'a\n', 'b\n'],
  ['a path in the fence', `\`\`\`ts\nf\n${ab}\`\`\`\n`, 'a\n', 'b\n'],
  ['a path in a fence of its own', `\`\`\`\nf\n\`\`\`\n\`\`\`\n${ab}\`\`\`\n`, 'a\n', 'b\n'],
  [
    'blocks for one file',
    `f\n${ab}${block('b\n', 'c\n')}\n...\n\n${block('c\n', 'd\n')}`,
    'a\n',
    'd\n',
  ],
  ['CRLF in both', `f\n${ab}`.replaceAll('\n', '\r\n'), 'a\r\nx\r\n', 'b\r\nx\r\n'],
  [
    'white space behind markers',
    `f\n${ab.replace(/$/gm, '  ').replace(/^([ab]) +$/gm, '$1')}`,
    'a\n',
    'b\n',
  ],
  ['a last line that stops', `f\n${ab}`, 'x\na', 'x\nb'],
  ['a line that goes', `f\n${block('a\n', '')}`, 'x\na\ny\n', 'x\ny\n'],
  [
    'the dashes of Cline',
    `f\n${ab.replace('<<<<<<<', '-------').replace('>>>>>>>', '+++++++')}`,
    'a\n',
    'b\n',
  ],
  ['a sign behind SEARCH', `f\n${ab.replace('SEARCH', 'SEARCH>')}`, 'a\n', 'b\n'],
  ['the line that is meant', `f\n${roo(':start_line:2\n-------\n')}`, 'a\na\n', 'a\nb\n'],
  ['two line numbers', `f\n${roo(':start_line:2\n:end_line:2\n-------\n')}`, 'a\na\n', 'a\nb\n'],
  [
    'a line number that is wrong where there is one place',
    `f\n${roo(':start_line:9\n')}`,
    'a\n',
    'b\n',
  ],
  [
    'a rule that is text',
    `f\n${block('-------\na\n', '-------\nb\n')}`,
    '-------\na\n',
    '-------\nb\n',
  ],
  [
    'escaped markers',
    `f\n${block('\\=======\n', '\\>>>>>>> REPLACE\n')}`,
    '=======\n',
    '>>>>>>> REPLACE\n',
  ],
  [
    'longer markers',
    `f\n${block('x\n', 'y\n')
      .replace('x', '=======')
      .replace(/^([<=>])\1{6}(?=$| )/gm, '$&$1$1')}`.replace('=========\n', '=======\n'),
    '=======\n',
    'y\n',
  ],
  [
    'text that only holds such a line',
    `f\n${block('// ======= x\n', 'y\n')}`,
    '// ======= x\n',
    'y\n',
  ],
  ['an empty SEARCH for an empty file', `f\n${block('', 'b\n')}`, '', 'b\n'],
  ['a block in reasoning', `<think>\nf\n${block('a\n', 'c\n')}</think>\nf\n${ab}`, 'a\n', 'b\n'],
])('%s is read', async (_, patch, before, after) => {
  expect(await changedBy({ f: before }, blocks(patch))).toEqual({ f: after })
})

test('an empty SEARCH creates a file, which the next block may change', async () => {
  const patch = `d/new.ts\n${block('', 'a\n')}${ab}`
  expect(await changedBy({}, blocks(patch))).toEqual({ 'd/new.ts': 'b\n' })
})

const unreadable = (line: number): object => ({ code: 'DIALECT_UNPARSABLE', line })

test.each([
  ['no path', ab, unreadable(1)],
  ['prose for a path', `Here it is:\n${ab}`, unreadable(1)],
  ['a word that introduces', `Changes:\n${ab}`, unreadable(1)],
  ['code for a path', `\`\`\`\nx\nf\n\`\`\`\n\`\`\`\n${ab}\`\`\`\n`, unreadable(6)],
  ['two separators', `f\n${block('a\n', '=======\nb\n')}`, unreadable(5)],
  ['no separator', `f\n${ab.replace('=======\n', '')}`, unreadable(5)],
  ['no end', `f\n${ab.slice(0, -3)}`, unreadable(2)],
  ['a block in a block', `f\n${block('a\n', ab)}`, unreadable(5)],
  ['a separator alone', `f\n=======\n`, unreadable(2)],
  ['markers that are too short', `f\n${ab.replace('<<<<<<<', '<<<')}`, unreadable(2)],
  ['a line number in REPLACE', `f\n${block('a\n', ':start_line:1\n')}`, unreadable(5)],
  ['no change', `f\n${block('a\n', 'a\n')}`, unreadable(2)],
  ['open reasoning', `<think>\nf\n${ab}`, unreadable(1)],
  ['reasoning that only ends', `f\n${ab}</think>\n`, unreadable(7)],
  ['nothing', 'Nothing to do.\n', unreadable(1)],
  ['a path outside', `../f\n${ab}`, { code: 'BAD_PATH', patch_line: 2 }],
  ['a part of a line', `f\n${block('y\n', 'b\n')}`, { code: 'ZERO_MATCHES', patch_line: 2 }],
  ['two places', `f\n${block('s\n', 'b\n')}`, { code: 'AMBIGUOUS_MATCH', patch_line: 2 }],
  [
    'a line number between',
    `f\n${block(':start_line:3\ns\n', 'b\n')}`,
    { code: 'AMBIGUOUS_MATCH' },
  ],
  ['an empty SEARCH for a file', `f\n${block('', 'b\n')}`, { code: 'PATH_EXISTS', patch_line: 2 }],
])('%s is refused', async (_, patch, expected) => {
  expect(await refusal(() => resolveSaid({ f: 'xy\ns\nz\ns\n' }, blocks(patch)))).toMatchObject(
    expected,
  )
})

const rev = revOf('x\na\n')
const fence = `\`\`\`edit:f rev:${rev}\n${ab}\`\`\`\n`

test('the fences of a message are one batch', async () => {
  const { ops } = await resolveSaid(
    { f: 'x\na\n' },
    markdown(`${fence}${fence.replace(ab, block('b\n', 'c\n'))}`),
  )
  expect(ops).toEqual(
    [
      {
        index: 0,
        op: 'replace_block',
        path: 'f',
        level: 'exact',
        lines: [{ start: 2, end: 2 }],
        new_lines: [],
      },
      {
        index: 1,
        op: 'replace_block',
        path: 'f',
        level: 'exact',
        lines: [{ start: 2, end: 2 }],
        new_lines: [{ start: 2, end: 2 }],
      },
    ].map(op => expect.objectContaining({ ...op, new_lines: expect.anything() })),
  )
})

test.each([
  [
    'a missing rev',
    fence.replace(/ rev:\S+/, ''),
    { code: 'DIALECT_UNPARSABLE', line: 1, reason: 'rev_required' },
  ],
  [
    'several problems',
    fence.slice(0, -4).replace('\na\n', '\n'),
    {
      code: 'DIALECT_UNPARSABLE',
      problems: [{ reason: 'empty_search' }, { reason: 'fence_unclosed' }],
    },
  ],
  [
    'another rev',
    fence.replace(rev, revOf('other')),
    { code: 'CONTENT_REV_CONFLICT', patch_line: 2 },
  ],
  ['no rev at all', fence.replace(rev, 'r45'), { code: 'INVALID_ARGUMENTS', patch_line: 2 }],
  ['a path outside', fence.replace(':f', ':../f'), { code: 'BAD_PATH', patch_line: 2 }],
  ['a message without edits', 'Done.\n', { code: 'DIALECT_UNPARSABLE', line: 1 }],
])('%s in a message is refused', async (_, patch, expected) => {
  expect(await refusal(() => resolveSaid({ f: 'x\na\n' }, markdown(patch)))).toMatchObject(expected)
})

const said = (search: string, replace: string): readonly BatchInput[] => [
  { edits: { op: 'replace_text', path: 'f', find: search, replace } },
  { dialect: 'search_replace', edits: { path: 'f', old_string: search, new_string: replace } },
  { dialect: 'opencode', edits: { filePath: 'f', oldString: search, newString: replace } },
  { dialect: 'patches', edits: { path: 'f', patches: [{ search, replace }] } },
  blocks(`f\n${block(search, replace)}`),
]

test('the same edit gives the same bytes in every dialect', async () => {
  const random = seededRandom(11)
  let compared = 0
  for (let round = 0; round < 60; round += 1) {
    const ending = random.pick(['\n', '\r\n'])
    const lines = Array.from({ length: 12 }, (_, index) =>
      `${index} ${random.text(8)}`.replace(/\s/g, ' '),
    )
    const from = random.int(0, 10)
    const old = lines.slice(from, from + 2)
    const next = [`new ${random.text(5).replace(/\s/g, ' ')}`]
    const before = `${random.pick(['', '\ufeff'])}${lines.join(ending)}${ending}`
    const after = before.replace(`${old.join(ending)}${ending}`, () => `${next[0]}${ending}`)
    const [search, replace] = [`${old.join('\n')}\n`, `${next[0]}\n`]
    const fenced = `\`\`\`edit:f rev:${revOf(before)}\n${block(search, replace)}\`\`\`\n`
    const whole = { dialect: 'whole_file', edits: { path: 'f', content: after } } as const
    for (const batch of [...said(search, replace), markdown(fenced), whole]) {
      expect(await changedBy({ f: before }, batch)).toEqual({ f: after })
      compared += 1
    }
  }
  console.log(`${compared} edits`)
})

test('garbage is refused, and nothing else is thrown', async () => {
  const random = seededRandom(5)
  const scraps = [
    ...`f\n${ab}${fence}`.split('\n'),
    '<think>',
    '</think>',
    ':start_line:1',
    '-------',
    '\\=======',
    '""',
    '{',
    '[]',
  ]
  const names = dialectNames.filter(isTextDialect)
  let refused = 0
  for (let round = 0; round < 3_000; round += 1) {
    const patch = Array.from({ length: random.int(0, 25) }, () =>
      random.pick([random.pick(scraps), random.text(6)]),
    ).join('\n')
    const dialect = random.pick(names)
    const done = await changedBy({ f: 'x\na\n' }, { dialect, patch }).catch(error => error)
    if (!(done instanceof Error)) continue
    expect(done.name).toBe('Refusal')
    refused += 1
  }
  const values = [null, 1, 'x', [], {}, { path: 1 }, { path: 'f', patches: [{}] }, [[]], '"']
  // hashline is refused already because of the view.
  for (const dialect of dialectNames.filter(name => !isTextDialect(name) && name !== 'hashline')) {
    for (const edits of values) {
      expect((await refusal(() => resolveSaid({}, { dialect, edits }))).code).toBe(
        'INVALID_ARGUMENTS',
      )
      refused += 1
    }
  }
  console.log(`${refused} refused`)
})

test('a long text takes little time', async () => {
  const hard = [
    '`'.repeat(100_000),
    `${'~'.repeat(100_000)}\u2028`,
    `${' '.repeat(100_000)}x`,
    '*'.repeat(100_000),
  ]
  for (const text of hard) {
    const { code } = await refusal(() =>
      resolveSaid({ f: 'a\n' }, blocks(`${text}\n${ab}`.repeat(3))),
    )
    expect(code).toMatch(/DIALECT_UNPARSABLE|BAD_PATH|FILE_NOT_FOUND/)
  }
})
