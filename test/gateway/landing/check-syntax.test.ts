import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parseRepoPath } from '#src/core/repo-path.js'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { packOutline } from '#src/formats/code/pack-outline.js'
import { checkSyntax } from '#src/gateway/landing/check-syntax.js'
import { SymbolIndex } from '#src/gateway/repository/symbol-index.js'
import { hashObject } from '#src/io/git/hash-object.js'
import {
  type BatchOptions,
  create,
  expectClean,
  openGateway,
  refusal,
} from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

const files = {
  'good.ts': 'export const a = 1\nexport const b = 2\n',
  'bad.ts': 'export const a = 1\nexport const b = = 2\nexport const c = 3\n',
  'macro.c': 'int a(void) { return 1; }\n',
  'bad.py': 'x = 1\ny = = 2\nz = 3\n',
  'good.py': 'def a():\n    return 1\n',
  'notes.txt': 'one\n',
  'data.json': '{"a": 1}\n',
}

const repository = await makeRepository(files)
const served = await openGateway(repository, { syntaxMs: 20_000 })
let agents = 0

async function fresh(): ReturnType<typeof served.open> {
  agents += 1
  return served.open(`agent-${agents}`)
}

const text = (path: string, find: string, replace: string): EditInput => ({
  op: 'replace_text',
  path,
  find,
  replace,
})

async function batch(edits: readonly EditInput[], options: BatchOptions = {}) {
  const agent = await fresh()
  const head = (await agent.git('rev-parse', 'HEAD')).trim()
  return { agent, applied: agent.apply(edits, { expected_head: head, ...options }) }
}

const warning = (path: string, line: number): object => ({
  code: 'introduces_syntax_error',
  path,
  line,
})

const cases: readonly [string, readonly EditInput[], Record<string, string>, readonly object[]][] =
  [
    ['a sound edit', [text('good.ts', '= 1', '= 3')], { 'good.ts': 'ok' }, []],
    [
      'an edit that breaks',
      [text('good.ts', 'b = 2', 'b = (2')],
      { 'good.ts': 'introduces_syntax_error' },
      [warning('good.ts', 2)],
    ],
    [
      'an edit beside an error',
      [text('bad.ts', 'a = 1', 'a = 4')],
      { 'bad.ts': 'broken_before' },
      [],
    ],
    ['an edit that mends', [text('bad.ts', '= =', '=')], { 'bad.ts': 'ok' }, []],
    [
      'a file that is new and broken',
      [create('new.py', 'def a(:\n    return 1\n')],
      { 'new.py': 'introduces_syntax_error' },
      [warning('new.py', 1)],
    ],
    [
      'C, where it may be a macro',
      [text('macro.c', 'return 1;', 'return 1')],
      { 'macro.c': 'introduces_syntax_error' },
      [{ ...warning('macro.c', 1), uncertain: true }],
    ],
    [
      'a sound file that is moved',
      [{ op: 'move_file', path: 'good.py', to: 'moved.py' }],
      { 'moved.py': 'ok' },
      [],
    ],
    ['a file of no language', [text('notes.txt', 'one', '((')], {}, []],
    ['a file that is deleted', [{ op: 'delete_file', path: 'good.ts' }], {}, []],
    [
      'several files',
      [text('good.ts', '= 1', '= 3'), text('good.py', 'a()', 'a(')],
      { 'good.ts': 'ok', 'good.py': 'introduces_syntax_error' },
      [warning('good.py', 1)],
    ],
  ]

test.each(cases)('%s is told, and the warning is kept', async (_, edits, verdicts, warnings) => {
  const { agent, applied } = await batch(edits)
  const { files: changed, commit, warnings: told } = await applied
  const found = changed.flatMap(({ path, syntax }) => (syntax ? [[path, syntax]] : []))
  expect([Object.fromEntries(found), told]).toEqual([verdicts, warnings])
  expect((await agent.worktree.batch(commit ?? '')).receipt.warnings).toEqual(warnings)
})

test.each(cases)('%s where it must be valid', async (_, edits, verdicts, warnings) => {
  const { agent, applied } = await batch(edits, { require_valid: true })
  const [first] = warnings
  if (first === undefined) {
    const told = (await applied).files.flatMap(({ syntax }) => syntax ?? [])
    expect(told).toEqual(Object.values(verdicts))
    return
  }
  const { code: _code, ...place } = first as { readonly code: string }
  const told = { code: 'INTRODUCES_SYNTAX_ERROR', status: 422, text: expect.any(String), errors: 1 }
  expect(await refusal(applied)).toEqual({ ...told, ...place })
  expect(await agent.git('rev-list', '--count', 'HEAD')).toBe('1')
  await expectClean(agent)
})

test('a dry run tells it, too', async () => {
  const { applied } = await batch([text('good.ts', 'b = 2', 'b = (2')], { dryRun: true })
  expect(await applied).toMatchObject({
    commit: null,
    files: [{ syntax: 'introduces_syntax_error' }],
    warnings: [warning('good.ts', 2)],
  })
})

test('the line is that of the new error, not of one that only moved', async () => {
  const { applied } = await batch([
    text('bad.py', 'x = 1', 'w = 0\nx = 1'),
    text('bad.py', 'z = 3', 'z = = 3'),
  ])
  expect((await applied).warnings).toEqual([warning('bad.py', 4)])
})

test('more files than a batch has checked are left unchecked', async () => {
  const edits = Array.from({ length: 51 }, (_, at) => create(`many/${at}.ts`, 'const a = (\n'))
  const { applied } = await batch(edits, { require_valid: true })
  const { files: changed, warnings } = await applied
  expect(new Set(changed.map(({ syntax }) => syntax))).toEqual(new Set(['unchecked']))
  expect([changed.length, warnings]).toEqual([51, []])
})

test('an operator can switch it off; then nobody can ask for it', async () => {
  const off = await openGateway(repository, { syntaxMs: 0 })
  const agent = await off.open('off')
  const edits = [{ ...text('good.ts', '= 1', '= ('), expected_rev: await agent.rev('good.ts') }]
  expect(await refusal(agent.apply(edits, { require_valid: true }))).toMatchObject({
    code: 'UNSUPPORTED_OP',
    field: 'require_valid',
  })
  const receipt = await agent.apply(edits)
  expect([receipt.files[0]?.syntax, receipt.warnings]).toEqual([undefined, []])
})

test('while the parsers only start a batch waits for them, later for as long as it may', async () => {
  const errors = { count: 0, lines: [], certain: true, fatal: false }
  const sound = packOutline({ language: 'typescript', parser: 'babel', errors, symbols: [] })
  const slow = new SymbolIndex({
    outline: async sources => {
      await sleep(200)
      return sources.map(() => sound)
    },
  })
  const path = parseRepoPath('a.ts')
  const verdictOf = async (body: string): Promise<unknown> => {
    const bytes = Buffer.from(body)
    const afterOid = hashObject('sha1', 'blob', bytes)
    const change = { path, after: { oid: afterOid, mode: '100644', bytes }, afterOid } as const
    const { verdicts } = await checkSyntax(slow, [change], { waitMs: 20, isRequired: false })
    return verdicts.get(path)
  }
  expect([await verdictOf('a()\n'), await verdictOf('b()\n')]).toEqual(['ok', 'unchecked'])
})
