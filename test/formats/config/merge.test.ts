import { describe, expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { mergeJsonc, readJsonc } from '#src/formats/config/jsonc.js'
import { sameValue } from '#src/formats/config/merged.js'
import { mergeToml, readToml } from '#src/formats/config/toml.js'

const refusedWith = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error instanceof Refusal ? error.data.problem : error
  }
}

describe('JSON with comments', () => {
  const entry = { at: ['s', 'x'], value: { a: 1 } }
  const merged = (text: string): string => mergeJsonc(text, [entry], true).text

  test.each<[string, string, string]>([
    ['an empty text', '', '{\n  "s": {\n    "x": {\n      "a": 1\n    }\n  }\n}\n'],
    [
      'comments on lines that a CR ends',
      '{"s": {"y": 1\r// one\r/* two */}\r}',
      '{"s": {"y": 1,\n  "x": {\n    "a": 1\n  }\r// one\r/* two */}\r}',
    ],
    [
      'a comment of lines that a CR ends',
      '{"s": {"y": 1, /* one\r two */}}',
      '{"s": {"y": 1,\n  "x": {\n    "a": 1\n  }, /* one\r two */}}',
    ],
    ['an empty object', '{"s": {}}', '{"s": {\n  "x": {\n    "a": 1\n  }\n}}'],
    [
      'a comment alone',
      '{\n  // none\n}',
      '{\n  // none\n  "s": {\n    "x": {\n      "a": 1\n    }\n  }\n}',
    ],
    [
      'a comment behind a comma',
      '{\n  "s": {\n    "o": 1, // o\n    // end\n  }\n}',
      '{\n  "s": {\n    "o": 1, // o\n    "x": {\n      "a": 1\n    },\n    // end\n  }\n}',
    ],
    [
      'a comma behind a comment',
      '{\n\t"s": {\n\t\t"o": 1 /* o */ ,\n\t},\n}',
      '{\n\t"s": {\n\t\t"o": 1 /* o */ ,\n\t\t"x": {\n\t\t\t"a": 1\n\t\t},\n\t},\n}',
    ],
    [
      'a comma in a comment',
      '{\n  "s": {\n    "o": 1 // a, b\n  }\n}',
      '{\n  "s": {\n    "o": 1, // a, b\n    "x": {\n      "a": 1\n    }\n  }\n}',
    ],
    [
      'lines of its own',
      '{\r\n  "s": {"o": 1}\r\n}',
      '{\r\n  "s": {"o": 1,\r\n    "x": {\r\n      "a": 1\r\n    }\r\n  }\r\n}',
    ],
    [
      'another value',
      '{"s": {"x": [1, /* two */ 2], "y": 0}}',
      '{"s": {"x": {\n  "a": 1\n}, "y": 0}}',
    ],
    [
      'signs in texts',
      '{"t": "}, // {", "s": {"o": "\\"}"}}',
      '{"t": "}, // {", "s": {"o": "\\"}",\n  "x": {\n    "a": 1\n  }\n}}',
    ],
  ])('%s', (_, before, after) => {
    expect(merged(before)).toBe(after)
    expect(mergeJsonc(after, [entry], false)).toEqual({ text: after, outcome: 'unchanged' })
  })

  test.each([
    ['no object', '[]', 'the file is no JSON object'],
    ['another object', '{}{}', 'line 1 is not JSON'],
    ['a list in its place', '{"s": []}', 'this is no object'],
    ['null in its place', '{"s": null}', 'this is no object'],
    ['a key twice', '{"s": {}, "s": {}}', 'a key stands twice'],
    ['an open comment', '{"s": {}} /*', 'line 1 is not JSON'],
    ['single quotes', "{\n's': {}}", 'line 2 is not JSON'],
  ])('%s is refused', (_, text, problem) => {
    expect(refusedWith(() => merged(text))).toBe(problem)
  })

  test('keys of every object are keys like others', () => {
    expect(readJsonc('{"__proto__": {"a": 1}, "constructor": 2}')).toEqual(
      Object.fromEntries([
        ['__proto__', { a: 1 }],
        ['constructor', 2],
      ]),
    )
    expect(merged('{"toString": 1}')).toContain('"x"')
  })
})

describe('TOML', () => {
  const entry = { at: ['s', 'x'], value: { a: '1', b: ['c"', 'd\\'] } }
  const table = '[s.x]\na = "1"\nb = ["c\\"", "d\\\\"]\n'

  test.each<[string, string, string]>([
    ['an empty text', '', table],
    ['no end of line', 'a = 1', `a = 1\n\n${table}`],
    ['a table before', '[s.y]\na = 1 # one\n', `[s.y]\na = 1 # one\n\n${table}`],
    [
      'its own, with tables in it and remarks behind',
      'k = 1\n\n[s.x] # old\na = "2"\n[s."x".env]\nA = "1"\n\n# about z\n[z]\nb = 1\n',
      `k = 1\n\n\n# about z\n[z]\nb = 1\n\n${table}`,
    ],
    ['a name that begins alike', '[s.xy]\na = "1"\n', `[s.xy]\na = "1"\n\n${table}`],
    ['a table in a text', 't = """\n[s.x]\n"""\n', `t = """\n[s.x]\n"""\n\n${table}`],
  ])('%s', (_, before, after) => {
    expect(mergeToml(before, [entry], true).text).toBe(after)
    expect(mergeToml(after, [entry], false)).toEqual({ text: after, outcome: 'unchanged' })
  })

  test.each([
    ['what is not TOML', 'a = 1\nb\n', 'line 2 is not TOML'],
    [
      'a table in one line',
      's = { y = { a = "1" } }\n',
      'the file says this in a way that cannot be extended',
    ],
    [
      'its own in one line',
      '[s]\nx = { a = "2" }\n',
      'the file says this in a way that cannot be extended',
    ],
    [
      'its own around a text that looks like a table',
      '[s.x]\na = """\n[z]\n"""\n',
      'the file says this in a way that cannot be extended',
    ],
  ])('%s is refused', (_, text, problem) => {
    expect(refusedWith(() => mergeToml(text, [entry], true))).toBe(problem)
  })

  test('a date is only itself', () => {
    const [one, other] = ['d = 2024-01-02T03:04:05Z\n', 'd = 2024-01-02T03:04:06Z\n'].map(readToml)
    expect([sameValue(one, one), sameValue(one, other)]).toEqual([true, false])
    expect(mergeToml('d = 2024-01-02\n', [entry], false).outcome).toBe('added')
  })
})
