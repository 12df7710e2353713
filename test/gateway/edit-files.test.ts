import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { create, expectClean, openGateway, refusal, type TestWorktree } from '../support/gateway.js'
import { type Content, makeRepository } from '../support/repository.js'

const kit: Readonly<Record<string, Content>> = {
  'a.txt': 'one\ntwo\nthree\n',
  'b.txt': 'b\n',
  'bare.txt': 'one\ntwo',
  'bom.txt': '\ufeffone\ntwo\n',
  'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
  'd/only.txt': 'only\n',
  'e/f/g/deep.txt': 'deep\n',
  'e/x.txt': 'x\n',
  'latin1.txt': new Uint8Array([0xe9, 0x0a, 0x61, 0x0a]),
  'nul.bin': new Uint8Array([0, 1, 2, 255]),
  'run.sh': { text: '#!/bin/sh\n', mode: '755' },
}

let worktree: TestWorktree
let base: string
beforeAll(async () => {
  const { open } = await openGateway(await makeRepository(kit))
  worktree = await open('editor')
  base = worktree.opened.head
})
// The user's own reset and clean: the gateway has to go on from wherever the branch stands.
beforeEach(async () => {
  await worktree.git('reset', '--quiet', '--hard', base)
  await worktree.git('clean', '--quiet', '--force', '-dx')
})

/** Files of the worktree as text of one byte a character; an executable one begins with `x:`. */
function files(): Record<string, string> {
  const { path: root } = worktree
  const found: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isDirectory() && readdirSync(file).length === 0) found[file] = 'an empty directory'
    if (!entry.isFile() || entry.name === '.git') continue
    const mark = (statSync(file).mode & 0o111) === 0 ? '' : 'x:'
    found[file.slice(root.length + 1)] = mark + readFileSync(file, 'latin1')
  }
  return found
}

/** Edits that name the revision of each file that there is, and nothing of one that there is not. */
async function withRevs(edits: readonly EditInput[]): Promise<readonly EditInput[]> {
  const revs = new Map<string, string | null>()
  for (const { path } of edits) {
    if (!revs.has(path)) revs.set(path, await worktree.rev(path).catch(() => null))
  }
  return edits.map(edit => ({ expected_rev: revs.get(edit.path) ?? null, ...edit }))
}

const gone = undefined
type Case = readonly [
  name: string,
  edits: readonly EditInput[],
  differs: Readonly<Record<string, string | undefined>>,
]

const textOps: readonly Case[] = [
  [
    'replace_text',
    [{ op: 'replace_text', path: 'a.txt', find: 'two', replace: 'TWO' }],
    { 'a.txt': 'one\nTWO\nthree\n' },
  ],
  [
    'delete_text',
    [{ op: 'delete_text', path: 'a.txt', find: 'two\n' }],
    { 'a.txt': 'one\nthree\n' },
  ],
  [
    'insert_lines',
    [{ op: 'insert_lines', path: 'a.txt', line: 2, text: 'new' }],
    { 'a.txt': 'one\nnew\ntwo\nthree\n' },
  ],
  [
    'replace_lines',
    [{ op: 'replace_lines', path: 'a.txt', start_line: 1, end_line: 2, text: 'x' }],
    { 'a.txt': 'x\nthree\n' },
  ],
  [
    'delete_lines',
    [{ op: 'delete_lines', path: 'a.txt', start_line: 1, end_line: 3 }],
    { 'a.txt': '' },
  ],
  [
    'append_lines',
    [{ op: 'append_lines', path: 'a.txt', text: 'four' }],
    { 'a.txt': 'one\ntwo\nthree\nfour\n' },
  ],
  [
    'replace_lines_containing',
    [{ op: 'replace_lines_containing', path: 'a.txt', contains: 'wo', text: 'x' }],
    { 'a.txt': 'one\nx\nthree\n' },
  ],
  [
    'delete_lines_containing',
    [{ op: 'delete_lines_containing', path: 'a.txt', contains: 'wo' }],
    { 'a.txt': 'one\nthree\n' },
  ],
  [
    'CRLF is kept, and given to new lines',
    [
      { op: 'replace_text', path: 'crlf.txt', find: 'two', replace: '2' },
      { op: 'append_lines', path: 'crlf.txt', text: 'four\nfive' },
    ],
    { 'crlf.txt': 'one\r\n2\r\nthree\r\nfour\r\nfive\r\n' },
  ],
  [
    'no final newline is added',
    [{ op: 'replace_text', path: 'bare.txt', find: 'two', replace: '2' }],
    { 'bare.txt': 'one\n2' },
  ],
  [
    'the byte order mark stays',
    [{ op: 'replace_text', path: 'bom.txt', find: 'one', replace: '1' }],
    { 'bom.txt': '\u00ef\u00bb\u00bf1\ntwo\n' },
  ],
  [
    'bytes that are no UTF-8 stay',
    [{ op: 'replace_text', path: 'latin1.txt', find: 'a', replace: 'b' }],
    { 'latin1.txt': '\u00e9\nb\n' },
  ],
  [
    'a mode survives an edit',
    [{ op: 'append_lines', path: 'run.sh', text: 'true' }],
    { 'run.sh': 'x:#!/bin/sh\ntrue\n' },
  ],
]

const fileOps: readonly Case[] = [
  [
    'write_file over a file',
    [{ op: 'write_file', path: 'a.txt', text: 'new' }],
    { 'a.txt': 'new' },
  ],
  [
    'write_file of bytes',
    [{ op: 'write_file', path: 'nul.bin', content_base64: 'AP8=' }],
    { 'nul.bin': '\u0000\u00ff' },
  ],
  ['a new file', [create('new.txt', 'new\r\n')], { 'new.txt': 'new\r\n' }],
  ['an empty file', [create('empty', '')], { empty: '' }],
  ['new directories, three levels', [create('n/e/w/f.txt', 'f\n')], { 'n/e/w/f.txt': 'f\n' }],
  [
    'a new executable',
    [{ op: 'write_file', path: 'go', text: 'go\n', mode: '100755' }],
    { go: 'x:go\n' },
  ],
  [
    'set_mode both ways',
    [
      { op: 'set_mode', path: 'a.txt', executable: true },
      { op: 'set_mode', path: 'run.sh', executable: false },
    ],
    { 'a.txt': 'x:one\ntwo\nthree\n', 'run.sh': '#!/bin/sh\n' },
  ],
  [
    'a deletion removes directories that it empties',
    [{ op: 'delete_file', path: 'e/f/g/deep.txt' }],
    {
      'e/f/g/deep.txt': gone,
    },
  ],
  [
    'the last file of a directory',
    [{ op: 'delete_file', path: 'd/only.txt' }],
    {
      'd/only.txt': gone,
    },
  ],
  [
    'all files of a directory at once',
    [
      { op: 'delete_file', path: 'e/f/g/deep.txt' },
      { op: 'delete_file', path: 'e/x.txt' },
    ],
    { 'e/f/g/deep.txt': gone, 'e/x.txt': gone },
  ],
  [
    'a move into a new directory',
    [{ op: 'move_file', path: 'd/only.txt', to: 'n/m/only.txt' }],
    { 'd/only.txt': gone, 'n/m/only.txt': 'only\n' },
  ],
  [
    'a move keeps the mode and takes edits along',
    [
      { op: 'append_lines', path: 'run.sh', text: 'true' },
      { op: 'move_file', path: 'run.sh', to: 'start.sh' },
    ],
    { 'run.sh': gone, 'start.sh': 'x:#!/bin/sh\ntrue\n' },
  ],
  [
    'two files change places',
    [
      { op: 'move_file', path: 'a.txt', to: 'b.txt' },
      { op: 'move_file', path: 'b.txt', to: 'a.txt' },
    ],
    { 'a.txt': 'b\n', 'b.txt': 'one\ntwo\nthree\n' },
  ],
  [
    'a move onto a file that is deleted',
    [
      { op: 'delete_file', path: 'b.txt' },
      { op: 'move_file', path: 'a.txt', to: 'b.txt' },
    ],
    { 'a.txt': gone, 'b.txt': 'one\ntwo\nthree\n' },
  ],
  [
    'a file becomes a directory',
    [{ op: 'delete_file', path: 'b.txt' }, create('b.txt/in/side', 'inside\n')],
    { 'b.txt': gone, 'b.txt/in/side': 'inside\n' },
  ],
  [
    'a directory becomes a file',
    [
      { op: 'delete_file', path: 'e/f/g/deep.txt' },
      { op: 'delete_file', path: 'e/x.txt' },
      create('e', 'a file\n'),
    ],
    { 'e/f/g/deep.txt': gone, 'e/x.txt': gone, e: 'a file\n' },
  ],
  [
    'a directory becomes a file by a move out of it',
    [{ op: 'move_file', path: 'd/only.txt', to: 'd' }],
    { 'd/only.txt': gone, d: 'only\n' },
  ],
  [
    'a file moves into the directory that takes its name',
    [{ op: 'move_file', path: 'b.txt', to: 'b.txt/inner' }],
    { 'b.txt': gone, 'b.txt/inner': 'b\n' },
  ],
  [
    'names that git quotes or takes for patterns',
    [
      create('sp ace/ü"q.txt', '1\n'),
      create('-x', '2\n'),
      create(':(top)y*', '3\n'),
      create('a*', '4\n'),
    ],
    { 'sp ace/ü"q.txt': '1\n', '-x': '2\n', ':(top)y*': '3\n', 'a*': '4\n' },
  ],
  [
    'names that sort unlike text',
    [create('e.txt', '1\n'), create('e-f', '2\n'), create('e0', '3\n'), create('e/f.txt', '4\n')],
    { 'e.txt': '1\n', 'e-f': '2\n', e0: '3\n', 'e/f.txt': '4\n' },
  ],
  [
    'many files at once',
    Array.from({ length: 60 }, (_, n) => create(`many/${n % 7}/${n}.txt`, `${n}\n`)),
    Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`many/${n % 7}/${n}.txt`, `${n}\n`])),
  ],
]

describe.each([
  ['text', textOps],
  ['whole files', fileOps],
])('%s', (_, cases) => {
  test.each(cases)('%s', async (_name, edits, differs) => {
    const before = files()
    const receipt = await worktree.apply(await withRevs(edits))
    const expected = Object.entries({ ...before, ...differs }).filter(([, text]) => text !== gone)
    expect(files()).toEqual(Object.fromEntries(expected))
    expect(receipt).toMatchObject({ parent: base, warnings: [], dry_run: false })
    expect(await worktree.git('rev-parse', 'HEAD')).toBe(receipt.commit)
    for (const { path, after_rev } of receipt.files) {
      if (after_rev !== null) expect(await worktree.rev(path)).toBe(after_rev)
    }
    await expectClean(worktree)
  })
})

test('a batch that changes nothing makes no commit', async () => {
  const receipt = await worktree.apply(
    await withRevs([{ op: 'write_file', path: 'b.txt', text: 'b\n' }]),
  )
  expect(receipt).toMatchObject({ commit: null, already_applied: true, files: [] })
  expect(await worktree.git('rev-parse', 'HEAD')).toBe(base)
})

test.each([
  ['a file in the way', [create('b.txt/x', 'x')], 'PATH_EXISTS'],
  ['a directory in the way', [create('e', 'x')], 'PATH_EXISTS'],
  ['a file that is not there', [{ op: 'delete_file', path: 'none' }], 'FILE_NOT_FOUND'],
  ['a path below a file', [{ op: 'delete_file', path: 'b.txt/none' }], 'FILE_NOT_FOUND'],
  ['the git directory', [create('x/.GIT/config', 'x')], 'PROTECTED_PATH'],
  ['a protected file', [create('sub/.env', 'x')], 'PROTECTED_PATH'],
] satisfies (readonly [string, EditInput[], string])[])(
  '%s is refused and nothing is written',
  async (_, edits, code) => {
    const before = files()
    const told = await refusal(Promise.resolve().then(() => worktree.apply(edits)))
    expect(told).toMatchObject({ code })
    expect(files()).toEqual(before)
    expect(await worktree.git('rev-parse', 'HEAD')).toBe(base)
    await expectClean(worktree)
  },
)

test('every failure of a batch is told, and none of it is done', async () => {
  const edits = await withRevs([
    { op: 'replace_text', path: 'a.txt', find: 'two', replace: 'x' },
    { op: 'replace_text', path: 'b.txt', find: 'nothing', replace: 'x' },
    { op: 'delete_lines', path: 'crlf.txt', start_line: 9, end_line: 9 },
  ])
  expect(await refusal(worktree.apply(edits))).toMatchObject({
    code: 'ZERO_MATCHES',
    failures: [
      { index: 1, path: 'b.txt', code: 'ZERO_MATCHES' },
      { index: 2, path: 'crlf.txt', code: 'OUT_OF_RANGE' },
    ],
  })
  await expectClean(worktree)
})

test('the author is the agent, the committer the person, and the reflog of HEAD says who moved it', async () => {
  const { commit } = await worktree.apply([create('n', 'n')], {
    message: 'Say n\n\nFor a reason.',
    intent: 'to see',
  })
  expect(await worktree.git('log', '-1', '--format=%an <%ae> | %cn <%ce> | %s | %b')).toMatch(
    /^editor <editor@editlatch\.invalid> \| Test Person <person@example\.com> \| Say n \| For a reason\.\n\nEditlatch-Batch: [0-9a-f]{16}\nEditlatch-Agent: editor\nEditlatch-Intent: to see\nEditlatch-Edit: n new\.\.[0-9a-f]{40} write_file - \+1-1$/,
  )
  expect(await worktree.git('reflog', '-1', '--format=%H %gs', 'HEAD')).toBe(`${commit} editlatch`)
  expect(await worktree.git('reflog', '-1', '--format=%H', 'agent/editor')).toBe(commit)
})

test('a cancelled batch is not committed', async () => {
  const signal = AbortSignal.abort()
  expect(await refusal(worktree.apply([create('n', 'n')], { signal }))).toMatchObject({
    code: 'CANCELLED',
  })
  expect(await worktree.git('rev-parse', 'HEAD')).toBe(base)
})
