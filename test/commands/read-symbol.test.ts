import { expect, test } from 'vitest'
import type { CommandContext } from '#src/commands/command.js'
import { read } from '#src/commands/read.js'
import { openGateway, refusal } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const shop = [
  'export class Shop {',
  '  @log()',
  '  open(): void {}',
  '  close(): void {}',
  '}',
  'export class Bar {',
  '  open(): void {}',
  '}',
  'export const last = 1',
]

const repository = await makeRepository({
  'shop.ts': shop.join('\r\n'),
  'notes.txt': 'one\n',
  'data.bin': 'a\0b',
})
const served = await openGateway(repository)
const alice = await served.open('alice')

const context: CommandContext = {
  caller: { kind: 'server' },
  signal: new AbortController().signal,
}

async function ask(input: object): Promise<unknown> {
  const answer = await read.run(served.gateway, { worktree: alice.id, ...input }, context)
  return answer.kind === 'value' ? answer.value : answer
}

test.each([
  ['a class', { symbol: 'Shop' }, [1, 5]],
  ['a method with its decorator', { symbol: 'Shop/open' }, [2, 3]],
  ['the only method of a name', { symbol: 'close' }, [4, 4]],
  ['a method by its line', { symbol: 'open@L7' }, [7, 7]],
  ['lines around it', { symbol: 'Shop/close', context_lines: 1 }, [3, 5]],
  ['no more lines than there are', { symbol: 'last', context_lines: 3 }, [6, 9]],
])('%s', async (_, input, [start = 0, end = 0]) => {
  expect(await ask({ path: 'shop.ts', ...input })).toEqual({
    path: 'shop.ts',
    rev: await alice.rev('shop.ts'),
    mode: '100644',
    encoding: 'utf-8',
    eol: 'crlf',
    bytes: shop.join('\r\n').length,
    total_lines: 9,
    start_line: start,
    end_line: end,
    final_newline: false,
    text: shop.slice(start - 1, end).join('\r\n') + (end === 9 ? '' : '\r\n'),
    truncated: false,
  })
})

const place = (name_path: string, start_line: number, end_line: number): object => ({
  name_path,
  kind: 'method',
  start_line,
  end_line,
})

test.each([
  [
    'a name that stands there twice',
    { path: 'shop.ts', symbol: 'open' },
    {
      code: 'AMBIGUOUS_MATCH',
      count: 2,
      matches: [place('Shop/open', 2, 3), place('Bar/open', 7, 7)],
    },
  ],
  [
    'a name that is not there, with the nearest',
    { path: 'shop.ts', symbol: 'Shop/closed' },
    { code: 'NOT_FOUND', symbol: 'Shop/closed', nearest: [place('Shop/close', 4, 4)] },
  ],
  ['a file of no language', { path: 'notes.txt', symbol: 'one' }, { code: 'UNSUPPORTED_OP' }],
  ['a binary file', { path: 'data.bin', symbol: 'a' }, { code: 'UNSUPPORTED_OP' }],
  [
    'both lines and a symbol',
    { path: 'shop.ts', symbol: 'Bar', lines: '1-2' },
    { code: 'INVALID_ARGUMENTS' },
  ],
  [
    'context lines of nothing',
    { path: 'shop.ts', context_lines: 2 },
    { code: 'INVALID_ARGUMENTS' },
  ],
])('refused: %s', async (_, input, told) => expect(await refusal(ask(input))).toMatchObject(told))
