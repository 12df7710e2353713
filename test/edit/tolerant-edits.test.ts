import { expect, test } from 'vitest'
import { defaultMatching } from '#src/core/matching.js'
import { changed, type RunOptions, refusal, run } from './sandbox.js'

const replace = (find: string, replacement: string, more = {}) => ({
  op: 'replace_text',
  find,
  replace: replacement,
  ...more,
})

test.each<[string, string, string, string, string, string]>([
  [
    'spaces become tabs, however deep',
    'a.ts',
    'class A {\n\tfoo() {\n\t\ta();\n\t}\n}\n',
    '    foo() {\n        a();\n    }\n',
    '    foo() {\n        b();\n        if (x) {\n            c();\n        }\n    }\n',
    'class A {\n\tfoo() {\n\t\tb();\n\t\tif (x) {\n\t\t\tc();\n\t\t}\n\t}\n}\n',
  ],
  [
    'tabs become spaces',
    'a.ts',
    'class A {\n  foo() {\n    a();\n  }\n}\n',
    '\tfoo() {\n\t\ta();\n\t}\n',
    '\tfoo() {\n\t\ta();\n\t\tif (x) {\n\t\t\tc();\n\t\t}\n\t}\n',
    'class A {\n  foo() {\n    a();\n    if (x) {\n      c();\n    }\n  }\n}\n',
  ],
  [
    'two spaces become four',
    'a.ts',
    'class A {\n    foo() {\n        a();\n    }\n}\n',
    '  foo() {\n    a();\n  }\n',
    '  foo() {\n    b();\n    if (x) {\n      c();\n    }\n  }\n',
    'class A {\n    foo() {\n        b();\n        if (x) {\n            c();\n        }\n    }\n}\n',
  ],
  [
    'eight spaces become two',
    'a.ts',
    'a {\n  b();\n}\n',
    '        b();\n',
    '        b();\n        if (c) {\n                d();\n        }\n',
    'a {\n  b();\n  if (c) {\n    d();\n  }\n}\n',
  ],
  [
    'a shift keeps the relative depth',
    'a.py',
    'class A:\n    def f(self):\n        return 1\n',
    'def f(self):\n    return 1',
    'def f(self):\n    for x in y:\n        go(x)\n    return 2',
    'class A:\n    def f(self):\n        for x in y:\n            go(x)\n        return 2\n',
  ],
  [
    'a shift to the left',
    'a.py',
    'def f():\n    return 1\n',
    '    def f():\n        return 1\n',
    '    @cached\n    def f():\n        return 2\n',
    '@cached\ndef f():\n    return 2\n',
  ],
  [
    'a line that is shallower than all that was sent',
    'a.ts',
    'a {\n\tb {\n\t\tc();\n\t}\n}\n',
    '        c();\n',
    '        c();\n    }\n    d {\n',
    'a {\n\tb {\n\t\tc();\n\t}\n\td {\n\t}\n}\n',
  ],
  [
    'alignment behind tabs stays',
    'a.c',
    'int a() {\n\treturn f(x,\n\t         y);\n}\n',
    '    return f(x,\n             y);\n',
    '    return g(x,\n             y);\n',
    'int a() {\n\treturn g(x,\n\t         y);\n}\n',
  ],
  [
    'lines that stay keep every byte',
    'a.ts',
    '\ta()  \n  b()\t\n\tc()\n',
    'a()\nb()\nc()\n',
    'a()\nb()\nd()\n',
    '\ta()  \n  b()\t\n\td()\n',
  ],
  [
    'a changed line keeps the white space at its end',
    'a.ts',
    'x = 1  \ny = 2\n',
    'x = 1\ny = 2\n',
    'x = 3\ny = 2\n',
    'x = 3  \ny = 2\n',
  ],
  [
    'unless the edit is about it',
    'a.ts',
    'x = 1  \ny = 2 \n',
    'x = 1\ny = 2\t\n',
    'x = 3\ny = 4\n',
    'x = 3  \ny = 4\n',
  ],
  [
    'new text that already stands as the file does',
    'a.ts',
    'class A {\n    f() {\n        a();\n    }\n}\n',
    'f() {\n    a();\n}',
    '    f() {\n        b();\n    }',
    'class A {\n    f() {\n        b();\n    }\n}\n',
  ],
  ['blank lines stay blank', 'a.ts', '\ta()\n', '  a()\n', '  a()\n\n  b()\n', '\ta()\n\n\tb()\n'],
  ['a final break too many', 'a.ts', 'a\n\tb', '  b\n', '  c\n', 'a\n\tc'],
  ['a final break too few', 'a.ts', 'a\n\tb\n', '  b', '  c', 'a\n\tc\n'],
  ['a final break only in the old text', 'a.ts', '\ta\nb\n', '  a\n', '  c', '\tc\nb\n'],
  ['a final break only in the new text', 'a.ts', '\ta\nb\n', '  a', '  c\n', '\tc\nb\n'],
  ['lines put in at an open end', 'a.ts', 'a\n\tb', '  b', '  b\n  c', 'a\n\tb\n\tc'],
  ['lines taken away', 'a.ts', 'a\n\tb \nc\n', '  b\n', '', 'a\nc\n'],
  ['a line emptied', 'a.ts', 'a\n\tb \nc\n', '  b', '', 'a\n\nc\n'],
  [
    'CRLF is kept',
    'a.ts',
    'a\r\n\tb \r\nc\r\n',
    '  b\nc',
    '  b\n  x\nc',
    'a\r\n\tb \r\n\tx\r\nc\r\n',
  ],
  [
    'mixed endings are kept',
    'a.ts',
    'a\n\tb \r\nc\nd\r\n',
    'a\n  b\nc\nd',
    'a\n  x\nc\nd',
    'a\n\tx \r\nc\nd\r\n',
  ],
  [
    'a rule of a makefile',
    'Makefile',
    'A  =  1\nall:\n\techo\n',
    'A = 1\n',
    'A = 2\n',
    'A = 2\nall:\n\techo\n',
  ],
  ['words of Markdown', 'a.md', 'one \ntwo\n', 'one\ntwo\n', 'one\nthree\n', 'one \nthree\n'],
  [
    'a misremembered line that stays',
    'a.py',
    'def f():\n    a = load(1)\n    b = 2\n    return a\n',
    'def f():\n    a = load(2)\n    b = 2\n    return a\n',
    'def f():\n    a = load(2)\n    b = 3\n    return a\n',
    'def f():\n    a = load(1)\n    b = 3\n    return a\n',
  ],
  [
    'a misremembered block that goes',
    'a.py',
    'def f():\n    a = 1\n    b = 2\n    return a + b\n',
    'def f():\n    a = 1\n    b = 3\n    return a + b',
    'def f():\n    return 0',
    'def f():\n    return 0\n',
  ],
])('%s', async (_, path, before, find, replacement, after) => {
  const files = await changed({ [path]: before }, [{ path, ...replace(find, replacement) }])
  expect(files[path]).toBe(after)
})

test('a receipt says how the text was found', async () => {
  const before = 'a\n{\n\tone(argument)\n\ttwo(argument)\n}\n'
  const find = '{\n    one(argument)\n    too(argument)\n}'
  const { ops } = await run({ f: before }, [
    { path: 'f', ...replace(find, find.replace('one(argument)', 'one(argument)\n    more()')) },
    { path: 'f', ...replace('a \n{', 'b\n{') },
  ])
  expect(ops).toEqual([
    {
      index: 0,
      op: 'replace_text',
      path: 'f',
      level: 'block_anchor',
      similarity: 0.96,
      reindented: true,
      lines: [{ start: 4, end: 3 }],
      new_lines: [{ start: 4, end: 4 }],
    },
    {
      index: 1,
      op: 'replace_text',
      path: 'f',
      level: 'line_trimmed',
      lines: [{ start: 1, end: 1 }],
      new_lines: [{ start: 1, end: 1 }],
    },
  ])
})

const where = { lines: [{ start_line: 1, end_line: 1 }] }

test.each<[string, RunOptions, object]>([
  [
    'the request rules it out',
    { said: { max_level: 'exact' } },
    { level: 'line_trimmed', ...where },
  ],
  [
    'the repository does',
    {
      matching: { ...defaultMatching, maxLevel: 'trailing_whitespace' },
      said: { max_level: 'block_anchor' },
    },
    { level: 'line_trimmed', ...where },
  ],
])('a level is not used where %s', async (_, options, would_match) => {
  const edit = { path: 'f', ...replace('  a()', '  b()') }
  expect(await refusal(() => run({ f: '\ta()\n' }, [edit], options))).toMatchObject({
    code: 'ZERO_MATCHES',
    would_match,
  })
})

test('the least similarity of a request counts where it is stricter', async () => {
  const edit = { path: 'f', ...replace('{\n  one(1)\n  two(1)\n}', '{\n}') }
  const files = { f: '{\n  one(1)\n  two(2)\n}\n' }
  const said = (min_similarity: number): RunOptions => ({ said: { min_similarity } })
  expect((await run(files, [edit], said(0.1))).ops[0]?.similarity).toBe(0.92)
  expect((await refusal(() => run(files, [edit], said(0.95)))).code).toBe('ZERO_MATCHES')
})

test('look-alikes are folded only where the repository says so', async () => {
  const edit = { path: 'f', ...replace('say "hi"', 'say "bye"') }
  const files = { f: 'say “hi”  \nkeep — me  \n' }
  expect(await refusal(() => run(files, [edit]))).toMatchObject({
    code: 'ZERO_MATCHES',
    hint: 'confusables',
    would_match: { level: 'unicode_normalised' },
  })
  const matching = { ...defaultMatching, unicode: true }
  expect(await changed(files, [edit], { matching })).toEqual({
    f: 'say "bye"  \nkeep — me  \n',
  })
})
