import { expect, test } from 'vitest'
import { checkBalance } from '#src/formats/code/balance.js'
import { outlineOf } from './outlines.js'

/** A right text of each language, and the same with one line broken. */
const texts: readonly (readonly [string, string, string, number])[] = [
  ['a.ts', 'const a = 1\nfunction f() {\n}\n', 'const a = 1\nfunction f( {\n}\n', 3],
  ['a.js', 'const a = [1]\n', 'const a = [1\n', 1],
  ['a.tsx', 'const a = <b>x</b>\n', 'const a = <b>x</i>\n', 1],
  ['a.vue', '<script>\nconst a = 1\n</script>\n', '<script>\nconst = 1\n</script>\n', 2],
  ['a.py', 'def f():\n    return 1\n', 'def f(:\n    return 1\n', 1],
  ['a.go', 'package a\nfunc f() {}\n', 'package a\nfunc f( {}\n', 2],
  ['a.rs', 'fn f() {}\n', 'fn f( {}\n', 1],
  ['A.java', 'class A {}\n', 'class {}\n', 1],
  ['a.c', 'int f(void) { return 1; }\n', 'int f(void { return 1; }\n', 1],
  ['a.cpp', 'int f() { return 1; }\n', 'int f( { return 1; }\n', 1],
  ['a.cs', 'class A { }\n', 'class A { int ( }\n', 1],
  ['a.rb', 'def f\nend\n', 'def f(\nend\n', 1],
  ['a.php', '<?php\nfunction f() {}\n', '<?php\nfunction f( {}\n', 2],
  ['a.kt', 'fun f() {}\n', 'fun f( {}\n', 1],
  ['a.sh', 'f() { :; }\n', 'f() { :; \n', 1],
  ['a.json', '{\n"a": 1\n}\n', '{\n"a": 1,\n}\n', 3],
  ['tsconfig.json', '{\n"a": 1, // x\n}\n', '{\n"a" 1\n}\n', 2],
  ['a.swift', 'func f() {\n}\n', 'func f( {\n}\n', 1],
  ['a.css', 'a {\n}\n', 'a {\n', 1],
  ['a.sql', 'create table a (b int);\n', 'create table a (b int;\n', 1],
]

test.each(texts)('%s is right, and is not once it is broken', async (path, right, broken, line) => {
  const before = (await outlineOf(path, right)).errors
  const after = (await outlineOf(path, broken)).errors
  expect([before?.count, before?.lines, before?.fatal]).toEqual([0, [], false])
  expect(after?.count).toBeGreaterThan(0)
  expect(after?.lines[0]).toBe(line)
})

test.each([
  ['a.ts', true],
  ['a.py', true],
  ['a.c', false],
  ['a.cpp', false],
  ['a.rs', false],
  ['a.swift', false],
])('errors in %s are certain: %s', async (path, certain) => {
  expect((await outlineOf(path, ')')).errors).toMatchObject({ certain })
})

test('nobody checks Markdown', async () => {
  expect((await outlineOf('a.md', '# (')).errors).toBeUndefined()
})

test('an error that the parser survives is counted, one that it does not is fatal', async () => {
  const survived = await outlineOf('a.ts', 'let a = 1\nlet a = 2\nlet b\nlet b\n')
  const fatal = await outlineOf('a.ts', 'let a = 1\nlet = = 2\n')
  expect(survived.errors).toEqual({ count: 2, lines: [2, 4], certain: true, fatal: false })
  expect(fatal.errors).toMatchObject({ lines: [2], fatal: true })
})

test.each([
  ['slashes', 'f(a[1], { b: 2 })', []],
  ['slashes', '// (\n/* { */ "[" \'(\' `\n{` """\n(\n"""', []],
  ['slashes', 'a(\nb)\n)', [3]],
  ['slashes', '{\n(\n}', [2]],
  ['slashes', '(\n[\n{', [1, 2, 3]],
  ['hash', "# (\nx = '''\n(\n''' + \"(\"", []],
  ['hash', '{\n"\\""\n', [1]],
  ['dashes', '-- (\n--[[ ( ]] x = [[ ( ]]', []],
  ['dashes', 'f(\n', [1]],
  ['slashes', "var text = '''\nit's (\n''';\nf(", [4]],
  ['hash', 'for (0..$#{$list}) { # (\n}', []],
  ['dashes', '--[==[ ( ]] ( ]==] x = [=[ ( ]] ( ]=]', []],
] as const)('delimiters by %s in %j: %j', (lexis, text, lines) => {
  expect(checkBalance(text, lexis)).toEqual({
    count: lines.length,
    lines,
    certain: false,
    fatal: false,
  })
})

test('more errors are counted than told', () => {
  expect(checkBalance('(\n'.repeat(9), 'slashes')).toMatchObject({ count: 9, lines: [1, 2, 3] })
})
