import { expect, test } from 'vitest'
import { findSuspicion, type NewText, type Suspicion } from '#src/formats/text/suspect-text.js'

const given = (text: string, more: Partial<NewText> = {}): NewText => ({
  path: 'a.ts',
  text,
  file: 'one()\ntwo()\nthree()\n',
  ...more,
})

test.each<[string, NewText, Suspicion]>([
  [
    'a comment for code left out',
    given('f() {\n  // ... existing code ...\n}\n'),
    { kind: 'placeholder', line: 2, text: '  // ... existing code ...' },
  ],
  [
    'lines with the numbers of a read view',
    given('2\ttwo()\n3\tfour()\n'),
    { kind: 'line_numbers', line: 1, text: '2\ttwo()', suggestion: 'two()\nfour()' },
  ],
  [
    'a line with its own number',
    given('2\tfour()', { at: 2 }),
    { kind: 'line_numbers', line: 1, text: '2\tfour()', suggestion: 'four()' },
  ],
  [
    'lines with anchors',
    given('\n2:abc|two()\n3:xyz:q|four()\n'),
    { kind: 'anchors', line: 2, text: '2:abc|two()', suggestion: 'two()\nfour()' },
  ],
  [
    'breaks that are escaped',
    given('if (a) {\\n    b(\\"c\\")\\n}'),
    {
      kind: 'escapes',
      line: 1,
      text: 'if (a) {\\n    b(\\"c\\")\\n}',
      suggestion: 'if (a) {\n    b("c")\n}',
    },
  ],
])('%s is told', (_, text, suspicion) => {
  expect(findSuspicion(text)).toEqual(suspicion)
})

test.each([
  '// ... rest of the code remains the same',
  '# ... existing code ...',
  '<!-- ... existing content ... -->',
  '/* ... other methods ... */',
  '  // … unchanged …',
  '// rest of code unchanged',
  '// existing code...',
  '{/* ... rest of the component */}',
  '-- remaining code stays the same',
  '// ... (rest of the implementation)',
  '// Rest of your code...',
  '// ... same as before',
])('%j stands for code left out', line => {
  expect(findSuspicion(given(`a()\n${line}\nb()`))?.kind).toBe('placeholder')
})

test.each<[string, NewText]>([
  [
    'a comment that the file has',
    given('// ... existing code ...', { file: '// ... existing code ...\n' }),
  ],
  ['writing about code', given('// ... existing code ...', { path: 'README.md' })],
  ['a comment about the rest', given('// The rest of the code relies on this order.')],
  ['a comment about others', given('// other methods are tested in b.ts')],
  ['dots in a comment', given('// and so on ...')],
  ['a spread', given('f({ ...rest, code })')],
  ['a comment that goes on', given('# existing files are kept')],
  ['a to-do', given('// ... TODO')],
  ['numbers that the file has too', given('2 | two', { file: '1 | one\n2 | three\n' })],
  ['a table of numbers', given('1\t2\n3\t4\n')],
  ['a list that is counted', given('1: first\n2: second\n')],
  ['a map by number', given('4: four,\n5: five,', { at: 4 })],
  ['a row with another number', given('7\tseven', { at: 3 })],
  ['numbers that jump', given('1\tone()\n3\tthree()', { at: 1 })],
  ['a time', given('12:30|lunch')],
  ['a break in a string', given('print("a\\nb");')],
  ['breaks in strings', given('f("a {\\n  b", \'c;\\n}\')')],
  ['a break in a pattern', given('text.split(/;\\n  /)')],
  ['a path', given('C:\\new\\temp')],
  ['a formula', given('$(a)\\nabla f$')],
  ['escaped breaks among real ones', given('a {\\n  b\nc')],
  ['escaped breaks as in the file', given('x {\\n  y', { file: 'a {\\n  b\n' })],
])('%s is not suspect', (_, text) => {
  expect(findSuspicion(text)).toBeUndefined()
})

test('a long line is looked at in linear time', () => {
  const text = `{\\n  ${`"'`.repeat(50_000)}`
  expect(findSuspicion(given(text, { file: `${text}\n`.repeat(3) }))).toBeUndefined()
})
