import { PassThrough } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { StrictLines } from '#src/faces/mcp/strict-lines.js'

interface Outcome {
  readonly passed: string
  readonly answered: string
  readonly refused: readonly string[]
}

/** What becomes of a text that comes in pieces of some size. */
async function outcome(
  input: string | Buffer,
  pieceBytes: number,
  lineBytes = 1_000,
): Promise<Outcome> {
  const answer = new PassThrough()
  const refused: string[] = []
  const onRefused = (problem: string): void => {
    refused.push(problem)
  }
  const lines = new StrictLines({ answer, lineBytes, onRefused })
  const passed = buffer(lines)
  const bytes = typeof input === 'string' ? Buffer.from(input) : input
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    lines.write(bytes.subarray(at, at + pieceBytes))
  }
  lines.end()
  const told = (await passed).toString('utf8')
  answer.end()
  return { passed: told, answered: await text(answer), refused }
}

const twice = 'a key stands twice in one object'
const refusal = (id: string, message: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"${message}"}}\n`
const ask = (id: string, more = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"m","params":{${more}}}\n`
const noMessage = 'this is no message of the protocol'
const noBatch = 'messages come one a line and not in lists'

test.each<[string, string]>([
  ['messages', ask('1') + ask('"two"', '"a":{"b":[{}]}')],
  ['other line ends', ask('1').replace('\n', '\r\n\r\n')],
  ['what is no JSON', 'x\n{"id":1\n"a"\n'],
  ['what has no end of line', `${ask('1')}{"a":1,"a":2}`],
  ['letters of more bytes', ask('1', '"é":"𝛼"')],
  ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}\n'],
])('through go %s, in pieces of any size', async (_, input) => {
  for (const size of [1, 3, 1_000]) {
    expect(await outcome(input, size)).toEqual({ passed: input, answered: '', refused: [] })
  }
})

test.each<[string, string, string, string, string?]>([
  ['a key twice', ask('7', '"a":1,"a":2'), twice, refusal('7', twice)],
  [
    'a key twice deep inside',
    ask('"x"', '"a":[{"b":1,"\\u0062":2}]'),
    twice,
    refusal('"x"', twice),
  ],
  ['a notification', '{"method":"m","a":1,"a":2}\n', twice, ''],
  ['one without an id', '{"id":null,"a":1,"a":2}\n', twice, ''],
  [
    'another field',
    '{"jsonrpc":"2.0","id":7,"method":"m","x":1}\n',
    noMessage,
    refusal('7', noMessage),
  ],
  ['another version', '{"id":7,"method":"m"}\n', noMessage, refusal('7', noMessage)],
  [
    'a list',
    '{"jsonrpc":"2.0","id":7,"method":"m","params":[]}\n',
    noMessage,
    refusal('7', noMessage),
  ],
  [
    'a part of a number',
    '{"jsonrpc":"2.0","id":1.5,"method":"m"}\n',
    noMessage,
    refusal('1.5', noMessage),
  ],
  [
    'an answer, which ends our own question',
    '{"jsonrpc":"2.0","id":7,"result":{"a":1,"a":2}}\n',
    twice,
    '',
    refusal('7', twice),
  ],
  [
    'several in a list',
    `[${ask('1').trim()},${ask('"b"').trim()},{"id":3,"result":{}},{"method":"m"},4]\n`,
    noBatch,
    refusal('1', noBatch) + refusal('"b"', noBatch),
    refusal('3', noBatch),
  ],
])('refused is %s, in pieces of any size', async (_, line, problem, answered, passed = '') => {
  for (const size of [1, 3, 1_000]) {
    const told = await outcome(line + ask('9'), size)
    expect(told).toEqual({ passed: passed + ask('9'), answered, refused: [problem] })
  }
})

test('bytes that are no UTF-8 are refused, and answered', async () => {
  const line = Buffer.from(ask('7', '"a":"x"'))
  line[line.indexOf('x')] = 0xff
  const problem = 'the body is not UTF-8'
  expect(await outcome(line, 5)).toMatchObject({ passed: '', answered: refusal('7', problem) })
})

const long = JSON.stringify({ text: `"id":3,{"id":4},${'x'.repeat(5_000)}`, more: { id: 5 } })
const tooLong = 'a message is longer than 2000 bytes'

test.each<[string, string, string, string?]>([
  ['with its id first', `{"jsonrpc":"2.0","id":7,"method":"m","params":${long}}`, '7'],
  ['with its id second', `{"method":"m", "id" : "s" , "params":${long}}`, '"s"'],
  ['with its id last', `{"method":"m","params":${long},"jsonrpc":"2.0","id":7}`, '7'],
  ['with its id before its method', `{"params":${long},"id":-7,"method":"m"} `, '-7'],
  ['with its id hidden', `{"method":"m","params":${long},"id":7,"more":${long}}`, 'null'],
  ['with a name that ends alike', `{"method":"m","params":${long},"\\"id":7}`, 'null'],
  ['which is an answer', `{"result":${long},"jsonrpc":"2.0","id":7}`, '', '7'],
  ['which is an answer, its id first', `{"jsonrpc":"2.0","id":7,"result":${long}}`, '', '7'],
])('refused is one that is too long, %s', async (_, line, asked, answers = '') => {
  for (const size of [1, 700, 100_000]) {
    const told = await outcome(`${ask('8')}${line}\n${ask('9')}`, size, 2_000)
    const answered = asked === '' ? '' : refusal(asked, tooLong)
    const passed = ask('8') + (answers === '' ? '' : refusal(answers, tooLong)) + ask('9')
    expect(told).toEqual({ passed, answered, refused: [tooLong] })
  }
})

test('one that is just short enough passes, and one that never ends is refused at the end', async () => {
  const line = ask('7')
  expect(await outcome(line, 3, line.length)).toMatchObject({ passed: line, answered: '' })
  expect(await outcome(line, 3, line.length - 1)).toMatchObject({
    passed: '',
    refused: [expect.stringMatching('longer')],
  })
  expect(await outcome('x'.repeat(3_000), 7, 2_000)).toMatchObject({ passed: '' })
})
