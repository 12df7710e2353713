import { describe, expect, test } from 'vitest'
import type { CommandContext } from '#src/commands/command.js'
import { map } from '#src/commands/map.js'
import type { MapAnswer } from '#src/report/map-view.js'
import { openGateway, refusal } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const repository = await makeRepository({
  'src/old.ts': 'export const old = 1\n',
  'src/cart.ts': `import { tax } from './tax.js'
const own = 1
export class Cart {
  size = 0
  add(): void {}
  total(): number {
    return tax(own)
  }
}
function helper(): void {}
`,
  'src/tax.ts': 'export function tax(n: number): number {\n  return n\n}\n',
  'src/cart.test.ts': "import { Cart } from './cart.js'\ntest('x', () => new Cart())\n",
  'lib/a.py': 'from lib.b import b\n',
  'lib/b.py': 'def b():\n    pass\n',
  'native/x.c': '#include "x.h"\nint x(void) { return 1; }\n',
  'native/x.h': 'int x(void);\n',
  'docs/guide.md': '# Guide\n',
  'package-lock.json': '{}\n',
  'logo.png': Buffer.from([0x89, 0x50, 0, 1]),
})
for (let turn = 0; turn < 3; turn += 1) {
  await repository.write('src/cart.test.ts', `// ${turn}\n`)
  if (turn < 2)
    await repository.write('src/tax.ts', `export function tax() {\n  return ${turn}\n}\n`)
  if (turn < 1) await repository.write('docs/guide.md', `# Guide ${turn}\n`)
  await repository.commit(`turn ${turn}`)
}
const served = await openGateway(repository)
const alice = await served.open('alice')
const away = await served.open('bob', { files: 'none' })

const context: CommandContext = {
  caller: { kind: 'server' },
  signal: new AbortController().signal,
}

async function ask(input: object = {}): Promise<MapAnswer> {
  const answer = await map.run(served.gateway, { worktree: alice.id, ...input }, context)
  if (answer.kind !== 'value') throw new Error(answer.kind)
  return answer.value as MapAnswer
}

async function ranked(input: object = {}): Promise<readonly string[]> {
  return (await ask(input)).files.map(({ path }) => path)
}

const byChurn = [
  ...['src/tax.ts', 'lib/a.py', 'lib/b.py', 'native/x.c', 'native/x.h', 'src/cart.ts'],
  ...['src/old.ts', 'docs/guide.md', 'package-lock.json', 'src/cart.test.ts', 'logo.png'],
]

test.each(['with', 'without'])('a tree with what files declare, %s files', async how => {
  const worktree = how === 'with' ? alice.id : away.id
  expect(map.render(await ask({ worktree })).split('\n')).toEqual([
    '11 of 11 files, the most worked on first; +n: files not named',
    'package-lock.json logo.png',
    'src/',
    ' tax.ts: tax',
    ' cart.ts: Cart add total helper',
    ' old.ts: old',
    ' cart.test.ts',
    'lib/',
    ' b.py: b',
    ' a.py',
    'native/',
    ' x.c: x',
    ' x.h: x',
    'docs/',
    ' guide.md',
  ])
})

test('what was worked on comes first, documents, tests and the rest last', async () =>
  expect(await ranked()).toEqual(byChurn))

test('what most import comes first where that is asked for', async () => {
  for (const worktree of [alice.id, away.id]) {
    const first = (await ranked({ sort: 'central', worktree })).slice(0, 3)
    expect(first).toEqual(['src/tax.ts', 'lib/b.py', 'native/x.h'])
  }
})

describe('a part of it', () => {
  test.each<[string, object, readonly string[]]>([
    ['a directory', { path: 'lib' }, ['lib/a.py', 'lib/b.py']],
    ['the top', { depth: 0 }, ['package-lock.json', 'logo.png']],
  ])('%s', async (_, input, paths) => expect(await ranked(input)).toEqual(paths))

  test('fewer names, or none', async () => {
    const names = async (symbols: number): Promise<readonly string[] | undefined> =>
      (await ask({ symbols })).files.find(({ path }) => path === 'src/cart.ts')?.symbols
    expect([await names(0), await names(1), await names(2)]).toEqual([
      [],
      ['Cart'],
      ['Cart', 'helper'],
    ])
  })
})

test('work of the agent counts from its commit on, and new files from the moment they are there', async () => {
  const { worktree, replace, write } = await served.open('carol')
  const first = async (): Promise<string | undefined> =>
    (await ranked({ worktree: worktree.id }))[0]
  expect(await first()).toBe('src/tax.ts')
  const text = (turn: number): string => `export const old = ${turn}\n`
  for (const turn of [2, 3, 4]) {
    await replace('src/old.ts', text(turn - 1), text(turn))
    await first()
  }
  expect(await first()).toBe('src/old.ts')
  await write('untracked.ts', 'export const fresh = 1\n')
  const { files, total_files: total } = await ask({ worktree: worktree.id })
  expect(files).toContainEqual({ path: 'untracked.ts', symbols: ['fresh'] })
  expect(total).toBe(12)
})

test.each([
  ['a directory without files', { path: 'none' }, 'NOT_FOUND'],
  ['a file', { path: 'src/tax.ts' }, 'NOT_FOUND'],
  ['a path that leads out', { path: '../x' }, 'BAD_PATH'],
  ['more than may be asked for', { max_bytes: 30_721 }, 'INVALID_ARGUMENTS'],
  ['an unknown order', { sort: 'size' }, 'INVALID_ARGUMENTS'],
])('refused: %s', async (_, input, code) =>
  expect(await refusal(ask(input))).toMatchObject({ code }),
)
