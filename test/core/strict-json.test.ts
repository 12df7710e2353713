import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { parseStrictJson } from '#src/core/strict-json.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function codeOf(input: Uint8Array): unknown {
  try {
    return parseStrictJson(input)
  } catch (error) {
    return error instanceof Refusal ? error.code : error
  }
}

test.each<[string, string, unknown]>([
  ['an object', '{"a":[1,{"b":"c"}],"d":null}', { a: [1, { b: 'c' }], d: null }],
  ['the same key in two objects', '{"a":{"k":1},"b":{"k":2}}', { a: { k: 1 }, b: { k: 2 } }],
  ['brackets and commas in a string', '{"a":"},{\\"a\\":[","b":1}', { a: '},{"a":[', b: 1 }],
  ['a string that ends in a backslash', '{"a":"\\\\","b":1}', { a: '\\', b: 1 }],
  ['a value that is written like a key', '{"a":["x","x"],"b":"a"}', { a: ['x', 'x'], b: 'a' }],
])('%s is read', (_, text, expected) => expect(codeOf(bytes(text))).toEqual(expected))

test.each<[string, string, string]>([
  ['a key twice', '{"a":1,"a":2}', 'INVALID_ARGUMENTS'],
  ['a key twice after an object', '{"a":{"x":[1,2]},"b":1,"a":2}', 'INVALID_ARGUMENTS'],
  ['a key twice in two spellings', '{"a":1,"\\u0061":2}', 'INVALID_ARGUMENTS'],
  ['__proto__', '{"__proto__":{"x":1}}', 'INVALID_ARGUMENTS'],
  ['__proto__ in another spelling', '{"a":{"__pr\\u006fto__":1}}', 'INVALID_ARGUMENTS'],
  ['NaN', '{"a":NaN}', 'INVALID_ARGUMENTS'],
  ['a byte order mark', '\ufeff{}', 'INVALID_ARGUMENTS'],
  ['an array', '[]', 'INVALID_ARGUMENTS'],
  ['null', 'null', 'INVALID_ARGUMENTS'],
  ['65 levels', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'INVALID_ARGUMENTS'],
  ['a million levels', '['.repeat(1_000_000), 'INVALID_ARGUMENTS'],
  ['something after the end', '{} x', 'INVALID_ARGUMENTS'],
  ['nothing', '', 'INVALID_ARGUMENTS'],
  ['an object cut off', '{"a":1', 'ARGUMENTS_TRUNCATED'],
  ['a string cut off', '{"a":"b', 'ARGUMENTS_TRUNCATED'],
  ['a string cut off after a backslash', '{"a":"b\\', 'ARGUMENTS_TRUNCATED'],
])('%s is refused', (_, text, code) => expect(codeOf(bytes(text))).toBe(code))

test('bytes that are not UTF-8 are refused', () =>
  expect(codeOf(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toBe('INVALID_ARGUMENTS'))

test('a string of megabytes is read', () => {
  const text = 'a"\\'.repeat(1_000_000)
  expect(parseStrictJson(bytes(JSON.stringify({ text })))).toEqual({ text })
})
