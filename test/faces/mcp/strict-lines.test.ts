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
async function outcome(input: string, pieceBytes: number, lineBytes = 1_000): Promise<Outcome> {
  const answer = new PassThrough()
  const refused: string[] = []
  const onRefused = (problem: string): void => {
    refused.push(problem)
  }
  const lines = new StrictLines({ answer, lineBytes, onRefused })
  const passed = buffer(lines)
  const bytes = Buffer.from(input)
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    lines.write(bytes.subarray(at, at + pieceBytes))
  }
  lines.end()
  const told = (await passed).toString('utf8')
  answer.end()
  return { passed: told, answered: await text(answer), refused }
}

const twice = 'a key stands twice in one object'
const answerTo = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"${twice}"}}\n`

test.each<[string, string, string, string]>([
  ['messages', '{"id":1}\n{"id":2,"a":{"b":[{}]}}\n', '{"id":1}\n{"id":2,"a":{"b":[{}]}}\n', ''],
  ['other line ends', '{"id":1}\r\n\r\n', '{"id":1}\r\n\r\n', ''],
  ['what is no JSON', 'x\n{"id":1\n', 'x\n{"id":1\n', ''],
  ['what is no object', '[1]\n"a"\n', '[1]\n"a"\n', ''],
  ['what has no end of line', '{"id":1}\n{"a":1,"a":2}', '{"id":1}\n{"a":1,"a":2}', ''],
  ['letters of more bytes', '{"é":"𝛼"}\n', '{"é":"𝛼"}\n', ''],
  ['a key twice', '{"id":7,"a":1,"a":2}\n{"id":8}\n', '{"id":8}\n', answerTo('7')],
  ['a key twice deep inside', '{"id":"x","a":[{"b":1,"\\u0062":2}]}\n', '', answerTo('"x"')],
  ['a notification', '{"a":1,"a":2}\n{"id":null,"a":1,"a":2}\n', '', ''],
])('%s, in pieces of any size', async (_, input, passed, answered) => {
  for (const size of [1, 3, 1_000]) {
    const told = await outcome(input, size)
    expect([told.passed, told.answered]).toEqual([passed, answered])
    const lost = input.length !== passed.length
    expect(told.refused).toEqual(lost ? expect.arrayContaining([twice]) : [])
  }
})

test('a line that is too long goes through as it comes', async () => {
  const line = `{"a":1,"a":"${'x'.repeat(2_000)}"}\n`
  expect(await outcome(line, 100, 500)).toMatchObject({ passed: line, answered: '' })
})
