import { expect, test } from 'vitest'
import type { CommandContext } from '#src/commands/command.js'
import { symbols } from '#src/commands/symbols.js'
import { shortOid } from '#src/core/oid.js'
import { openGateway, refusal } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const cart = `import { tax } from './tax.js'

/** What is bought. */
export class Cart {
  #items: string[] = []

  add(item: string): void {
    this.#items.push(item)
  }

  total(): number {
    return tax(this.#items.length)
  }
}

export function total(): number {
  return 0
}
`

const repository = await makeRepository({
  'src/cart.ts': cart,
  'src/tax.py': 'class Tax:\n    def total(self):\n        return 1\n',
  'docs/notes.md': '# Total\n\nThe total.\n',
  'lib/min.js': `var total=1;${'x()+'.repeat(600)}1\n`,
  'plain.unknown': 'total\n',
  'data.bin': 'a\0b',
})
const served = await openGateway(repository)
const alice = await served.open('alice')
const away = await served.open('bob', { files: 'none' })

const context: CommandContext = {
  caller: { kind: 'server' },
  signal: new AbortController().signal,
}

async function ask(command: typeof symbols, input: object): Promise<unknown> {
  const answer = await command.run(served.gateway, { worktree: alice.id, ...input }, context)
  return answer.kind === 'value' ? answer.value : answer
}

async function text(input: object): Promise<readonly string[]> {
  return symbols.render(await ask(symbols, input)).split('\n')
}

test.each([
  [
    'one level below the top where nothing is said',
    {},
    [
      '4-14 class Cart',
      '  5 property #items',
      '  7-9 method add',
      '  11-13 method total',
      '16-18 function total',
    ],
  ],
  ['depth 0 shows the top', { depth: 0 }, ['4-14 class Cart', '16-18 function total']],
  [
    'a kind shows with its owners',
    { kinds: 'method' },
    ['4-14 class Cart', '  7-9 method add', '  11-13 method total'],
  ],
  ['a kind of the top', { kinds: 'function' }, ['16-18 function total']],
])('an outline: %s', async (_, input, lines) => {
  const [head, ...rest] = await text({ path: 'src/cart.ts', ...input })
  expect(head).toBe(`src/cart.ts ${shortOid(await alice.rev('src/cart.ts'))} typescript, by babel`)
  expect(rest).toEqual(lines)
})

test.each([
  [
    'a name in any case, the same name first',
    { query: 'total' },
    [
      'src/cart.ts',
      '11-13 method Cart/total',
      '16-18 function total',
      'src/tax.py',
      '2-3 method Tax/total',
      'docs/notes.md',
      '1-3 heading Total',
    ],
  ],
  ['a name path', { query: 'Cart/total' }, ['src/cart.ts', '11-13 method Cart/total']],
  ['a part of it', { query: 'car/tot' }, ['src/cart.ts', '11-13 method Cart/total']],
  [
    'paths that begin so',
    { query: 'total', path: 'src/t' },
    ['src/tax.py', '2-3 method Tax/total'],
  ],
  ['a glob', { query: 'total', path: '*.md' }, ['docs/notes.md', '1-3 heading Total']],
  ['a kind', { query: 'total', kinds: 'function' }, ['src/cart.ts', '16-18 function total']],
  ['a name that only comments hold', { query: 'bought' }, []],
  ['characters that a pattern would take for its own', { query: '.*' }, []],
  ['what looks like an option', { query: '--help' }, []],
])('a query: %s', async (_, input, lines) => {
  const asked = async (worktree: string): Promise<readonly string[]> =>
    (await text({ ...input, worktree })).map(line => line.replace(/ [0-9a-f]{12}$/, ''))
  expect((await asked(alice.id)).filter(Boolean)).toEqual(lines)
  expect((await asked(away.id)).filter(Boolean)).toEqual(lines)
})

test.each([
  [
    'a whole name',
    { query: '^total$' },
    ['11-13 method Cart/total', '16-18 function total', '2-3 method Tax/total'],
  ],
  ['a name path', { query: '^C.*/t' }, ['11-13 method Cart/total']],
  [
    'the beginning of a name',
    { query: '^T[ao]' },
    ['1-3 class Tax', '2-3 method Tax/total', '1-3 heading Total'],
  ],
  [
    'either of two',
    { query: '^add$|#items', kinds: 'method,property' },
    ['5 property Cart/#items', '7-9 method Cart/add'],
  ],
  ['paths that begin so', { query: 'tot', path: 'src/t' }, ['2-3 method Tax/total']],
  ['a class that holds marks', { query: '^[$^a]dd$' }, ['7-9 method Cart/add']],
  [
    'either of two name paths',
    { query: '^add$|Tax/t' },
    ['7-9 method Cart/add', '2-3 method Tax/total'],
  ],
  ['nothing', { query: '^(a+)+$' }, []],
])('a pattern of names: %s', async (_, input, lines) => {
  for (const worktree of [alice.id, away.id]) {
    const told = await text({ ...input, regex: true, worktree })
    expect(told.filter(line => /^\d/.test(line)).toSorted()).toEqual(lines.toSorted())
  }
})

test('DOS-3: no pattern of names takes long', async () => {
  const { worktree, apply } = await served.open('slow')
  const name = `${'a'.repeat(3_000)}1`
  const lines = `export const ${name} = () => {\n}\n`
  await apply([{ op: 'write_file', path: 'slow.ts', expected_rev: null, text: lines }])
  for (const query of ['(a+)+$', '(a|a)*b$', '(x+x+)+y', '([a-zA-Z]+)*[2-9]$']) {
    const found = await ask(symbols, { worktree: worktree.id, path: 'slow', query, regex: true })
    expect(found).toMatchObject({ total: 0 })
  }
})

test('what was just written is found at its new revision, and what is gone is not', async () => {
  const { worktree, apply, rev } = await served.open('carol')
  const edits = [
    { op: 'write_file', path: 'new.go', expected_rev: null, text: 'package a\nfunc Fresh() {}\n' },
  ] as const
  await apply(edits)
  const found = await ask(symbols, { worktree: worktree.id, query: 'fresh' })
  const match = { path: 'new.go', rev: await rev('new.go'), name_path: 'Fresh', kind: 'function' }
  expect(found).toEqual({
    query: 'fresh',
    matches: [{ ...match, start_line: 2, end_line: 2 }],
    total: 1,
    truncated: false,
  })
  await apply([{ op: 'delete_file', path: 'new.go', expected_rev: match.rev }])
  expect(await ask(symbols, { worktree: worktree.id, query: 'fresh' })).toMatchObject({ total: 0 })
})

test('more than an answer names is cut, and says how to go on', async () => {
  const { worktree, apply } = await served.open('dave')
  const lines = Array.from({ length: 600 }, (_, at) => `export const many${at} = ${at}`)
  await apply([{ op: 'write_file', path: 'm.ts', expected_rev: null, text: lines.join('\n') }])
  for (const input of [{ path: 'm.ts' }, { query: 'many' }]) {
    const answer = await ask(symbols, { worktree: worktree.id, ...input })
    expect(answer).toMatchObject({ truncated: true, go_on: expect.any(String) })
    const { symbols: all, matches = all } = answer as Record<string, readonly unknown[]>
    expect(matches?.length).toBe(500)
  }
})

test.each([
  ['neither path nor query', {}, { code: 'INVALID_ARGUMENTS' }],
  ['an unknown kind', { path: 'src/cart.ts', kinds: 'thing' }, { code: 'INVALID_ARGUMENTS' }],
  ['a bad pattern', { query: 'a(', regex: true }, { code: 'INVALID_ARGUMENTS' }],
  ['look-around', { query: '(?=a)b', regex: true }, { code: 'INVALID_ARGUMENTS' }],
  ['no such file', { path: 'none.ts' }, { code: 'FILE_NOT_FOUND' }],
  ['a binary file', { path: 'data.bin' }, { code: 'UNSUPPORTED_OP', reason: 'the file is binary' }],
  [
    'an unknown language',
    { path: 'plain.unknown' },
    { code: 'UNSUPPORTED_OP', reason: expect.stringContaining('language'), use: expect.anything() },
  ],
  ['a bundle', { path: 'lib/min.js' }, { code: 'UNSUPPORTED_OP' }],
])('refused: %s', async (_, input, told) =>
  expect(await refusal(ask(symbols, input))).toMatchObject(told),
)
