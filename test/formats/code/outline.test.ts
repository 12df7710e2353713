import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { outlineByLines } from '#src/formats/code/read-outline.js'
import { outlineOf, render } from './outlines.js'

interface Case {
  readonly title: string
  readonly path: string
  readonly parser: string
  readonly text: string
  readonly symbols: readonly string[]
}

const golden = 'test/formats/code/golden'

/** Blocks of `=== title | path | parser`, a text, `--- symbols` and what it declares as `render` writes it. */
function readCases(file: string): readonly Case[] {
  const blocks = readFileSync(`${golden}/${file}`, 'utf8').split(/^=== /m).slice(1)
  return blocks.map(block => {
    const [head = '', rest = ''] = splitAt(block, '\n')
    const [title = '', path = '', parser = ''] = head.split(' | ')
    const [text = '', symbols = ''] = splitAt(rest, '--- symbols\n')
    return { title, path, parser, text, symbols: symbols.split('\n').filter(line => line !== '') }
  })
}

function splitAt(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

/** The least number of symbols that a table must tell of a language, so that none is forgotten. */
const least: Readonly<Record<string, number>> = {
  'a.py': 8,
  'a.go': 8,
  'a.rs': 8,
  'A.java': 8,
  'a.c': 8,
  'a.cpp': 8,
  'a.cs': 8,
  'a.rb': 8,
  'a.php': 8,
  'a.kt': 8,
  'a.sh': 8,
}

describe.each(['script.txt', 'languages.txt', 'documents.txt'])('%s', file => {
  test.each(readCases(file).map(one => [one.title, one] as const))('%s', async (_, one) => {
    const outline = await outlineOf(one.path, one.text)
    expect(render(outline.symbols)).toEqual(one.symbols)
    expect(outline.parser).toBe(one.parser)
    expect(outline.errors?.count ?? 0).toBe(0)
  })
})

test('every language is shown by enough symbols, scripts by enough cases', () => {
  const cases = readCases('languages.txt')
  const told = Object.keys(least).map(path => [
    path,
    cases.filter(one => one.path === path).reduce((sum, { symbols }) => sum + symbols.length, 0),
  ])
  console.log(`symbols told of each language: ${told.map(one => one.join(' ')).join(', ')}`)
  expect(told.filter(([path, count]) => Number(count) < (least[String(path)] ?? 0))).toEqual([])
  expect(readCases('script.txt').length).toBeGreaterThanOrEqual(30)
})

test.each([
  ['a.ts', 'x\n'.repeat(524_289), 'too_large'],
  ['a.ts', `const a = '${'x'.repeat(2_000)}'\n`, 'minified'],
  ['a.bin', 'x', 'unknown_language'],
])('%s is not read: %#', async (path, text, note) => {
  const outline = await outlineOf(path, text)
  expect([outline.parser, outline.note, outline.symbols]).toEqual(['none', note, []])
})

test('a large file of short lines is read', async () => {
  const text = `function last() {}\n${'// a line\n'.repeat(90_000)}`
  expect(render((await outlineOf('a.ts', text)).symbols)).toEqual(['function last 1'])
})

test('a text that is nested too deeply for a stack is read by lines', async () => {
  const outline = await outlineOf('a.ts', `function f() {\n}\n${'(\n'.repeat(20_000)}`)
  expect([outline.parser, outline.note]).toEqual(['regex', 'too_complex'])
  expect(render(outline.symbols)).toEqual(['function f 1-2'])
})

test.each([
  [
    'a.ts',
    'export class A {\n  run() {\n  }\n}\nconst f = async () => {\n}\n',
    ['class A 1-4', '  method run 2-3', 'arrow f 5-6'],
  ],
  [
    'a.py',
    'class A:\n    def run(self):\n        pass\n\nx = 1\n',
    ['class A 1-3', '  method run 2-3'],
  ],
  ['a.go', 'func (s *S) Run() {\n}\ntype S struct {\n}\n', ['method Run 1-2', 'struct S 3-4']],
  [
    'a.rs',
    'pub fn f() {\n}\nimpl A {\n    fn g() {\n    }\n}\n',
    ['function f 1-2', 'impl A 3-6', '  method g 4-5'],
  ],
  [
    'a.java',
    'public class A {\n  public void run() {\n  }\n}\n',
    ['class A 1-4', '  method run 2-3'],
  ],
  ['a.c', 'int\nmain(void)\n{\n}\nstatic int f(int a) {\n}\n', ['function f 5-6']],
  ['a.rb', 'class A\n  def run\n  end\nend\n', ['class A 1-4', '  method run 2-3']],
  ['a.php', 'class A {\n  public function run() {\n  }\n}\n', ['class A 1-4', '  method run 2-3']],
  ['a.kt', 'class A {\n  fun run() {\n  }\n}\n', ['class A 1-4', '  method run 2-3']],
  ['a.cs', 'class A\n{\n  public int Run()\n  {\n  }\n}\n', ['class A 1-6', '  method Run 3-5']],
  ['a.sh', 'run() {\n  :\n}\n', ['function run 1-3']],
])('what is too much for a parser is read by lines: %s', (path, text, symbols) => {
  const outline = outlineByLines({ path, text }, 'too_complex')
  expect([outline.parser, outline.note]).toEqual(['regex', 'too_complex'])
  expect(render(outline.symbols)).toEqual(symbols)
})
