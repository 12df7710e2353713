import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { applyTextEdits } from '#src/core/text-edit.js'
import { PieceText } from '#src/formats/text/piece-text.js'
import { openText } from '#src/formats/text/text-file.js'
import { type Random, seededRandom } from '../../support/random.js'

function open(text: string | readonly number[]): PieceText {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : Uint8Array.from(text)
  const file = openText(bytes)
  if (file === undefined) throw new Error('not text')
  return PieceText.of(file)
}

function result(text: PieceText): string {
  const bytes = applyTextEdits(text.file.bytes, text.edits())
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Replaces the first place of a text, as a text op does. */
function replace(text: PieceText, find: string, put: string, owner = 0): PieceText {
  const from = text.text.indexOf(find)
  return text.splice([{ from, to: from + find.length, text: put }], owner)
}

/** Replaces lines of the original; `end` one less than `start` inserts. */
function lines(text: PieceText, start: number, end: number, put: string, owner = 0): PieceText {
  const { startOf } = text.file.lines
  return text.replaceOriginal({ from: startOf(start), to: startOf(end + 1) }, put, owner)
}

test.each([
  ['LF', 'a\nb\n', 'b', 'x\ny', 'a\nx\ny\n'],
  ['CRLF', 'a\r\nb\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\r\n'],
  ['CR', 'a\rb\r', 'a\nb', 'x\ny\nz', 'x\ry\rz\r'],
  ['the ending of its line, mixed', 'a\r\nb\nc\n', 'a', 'x\ny', 'x\r\ny\r\nb\nc\n'],
  ['the endings it replaces, in order', 'a\r\nb\nc\r\n', 'a\nb\n', 'x\ny\n', 'x\r\ny\nc\r\n'],
  ['then the last of them', 'a\nb\r\nc\n', 'a\nb\n', 'x\ny\nz\n', 'x\ny\r\nz\r\nc\n'],
  ['else that of the line before', 'a\r\nb\nc', 'c', 'x\ny', 'a\r\nb\nx\ny'],
  [
    'their own where both texts begin alike',
    'a\nb\nc\r\n',
    'a\nb\nc',
    'a\nx\ny\nc',
    'a\nx\ny\nc\r\n',
  ],
  ['their own where both end alike', 'a\nb\r\nc\n', 'a\nb\n', 'x\ny\nb\n', 'x\ny\nb\r\nc\n'],
  ['none from the line below', 'a\nb\r\n', 'b', 'x\nb', 'a\nx\nb\r\n'],
  ['their own with a line less', 'a\nb\r\nc\nd\n', 'a\nb\nc\n', 'a\nc\n', 'a\nc\nd\n'],
  ['LF where there is no break', 'a', 'a', 'x\ny', 'x\ny'],
  ['the mark stays', '\ufeffa\n', 'a', 'x', '\ufeffx\n'],
  ['a lone CR stays', 'a\rb\r\nc\r\n', 'c', 'x\ny', 'a\rb\r\nx\r\ny\r\n'],
])('text put in takes %s', (_, before, find, put, after) => {
  expect(result(replace(open(before), find, put))).toBe(after)
})

test.each([
  ['the neighbour before', 'a\r\nb\nc\n', 2, 'x\n', 'a\r\nx\r\nb\nc\n'],
  ['the neighbour after', 'a\r\nb\nc\n', 1, 'x\n', 'x\r\na\r\nb\nc\n'],
])('inserted lines take the ending of %s', (_, before, line, put, after) => {
  expect(result(lines(open(before), line, line - 1, put))).toBe(after)
})

test('bytes that are no text survive outside and are refused inside', () => {
  const text = open([0x61, 0x0a, 0xe4, 0x0a, 0x62, 0x0a])
  const edited = lines(replace(text, 'b', 'x'), 1, 1, 'y\n')
  expect([...applyTextEdits(edited.file.bytes, edited.edits())]).toEqual([
    0x79, 0x0a, 0xe4, 0x0a, 0x78, 0x0a,
  ])
  expect(codeOf(() => lines(text, 2, 2, 'x\n'))).toBe('UNSUPPORTED_ENCODING')
})

test.each([
  ['two inserts at one line keep their order', 'x\ny\n1\n2\n', [1, 0, 'x\n'], [1, 0, 'y\n']],
  ['an insert goes before a replaced line', 'y\nx\n2\n', [1, 1, 'x\n'], [1, 0, 'y\n']],
  ['and after it', '1\nx\ny\n', [2, 2, 'x\n'], [3, 2, 'y\n']],
  ['inserts around a deleted line', 'x\ny\n2\n', [1, 1, ''], [2, 1, 'y\n'], [1, 0, 'x\n']],
  [
    'a second insert before a deleted line',
    'x\nz\ny\n2\n',
    [1, 1, ''],
    [2, 1, 'y\n'],
    [1, 0, 'x\n'],
    [1, 0, 'z\n'],
  ],
  ['line numbers are those of the original', 'x\nx\n1\ny\n', [1, 0, 'x\nx\n'], [2, 2, 'y\n']],
] as [string, string, ...[number, number, string][]][])('%s', (_, after, ...ops) => {
  const edited = ops.reduce(
    (text, [start, end, put], owner) => lines(text, start, end, put, owner),
    open('1\n2\n'),
  )
  expect(edited.text).toBe(after)
  expect(result(edited)).toBe(after)
})

test.each([
  ['a replaced line', (text: PieceText) => lines(text, 2, 2, 'x\n')],
  ['a line with a replaced word', (text: PieceText) => replace(text, 'b', 'x')],
  ['a range around a line that was put in', (text: PieceText) => lines(text, 2, 1, 'x\n')],
  ['a range around a deleted line', (text: PieceText) => lines(text, 2, 2, '')],
  ['a line whose break is gone', (text: PieceText) => replace(text, 'b\n', 'b')],
])('%s is touched', (_, edit) => {
  expect(codeOf(() => lines(edit(open('a\nb\nc\n')), 1, 2, 'y\n'))).toBe('OVERLAPPING_EDITS')
})

test.each([
  ['before a line that was joined to the one above', 3, 2],
  ['the line that was joined', 3, 3],
])('%s there is no place left', (_, start, end) => {
  const joined = replace(open('a\nb\nc\n'), 'b\n', 'b')
  expect(codeOf(() => lines(joined, start, end, 'y\n'))).toBe('OVERLAPPING_EDITS')
})

test('where everything after a cut line is gone there is no place for lines either', () => {
  const cut = replace(replace(open('a\nb\n'), 'b\n', ''), '\n', '')
  expect(codeOf(() => lines(cut, 2, 1, 'y\n'))).toBe('OVERLAPPING_EDITS')
})

test.each([
  ['inside text put in', 'bc', 'X', 'aXd\n2\n', 1],
  ['across its end', 'd\n2', 'X', 'abcX\n', 1],
  ['across its beginning, from a replaced one', 'abc', 'X', 'Xd\n2\n', 1],
])('a text is replaced %s', (_, find, put, after, count) => {
  const edited = replace(lines(open('1\n2\n'), 1, 1, 'abcd\n'), find, put, 1)
  expect(result(edited)).toBe(after)
  expect(edited.edits().length).toBe(count)
})

test('edits without effect are none', () => {
  expect(replace(replace(open('a\n'), 'a', 'b'), 'b', 'a').edits()).toEqual([])
})

test('each op knows the lines it found and the lines it left', () => {
  const first = replace(open('1\n2\n3\n4\n'), '2\n', 'x\ny\n', 0)
  const second = lines(first, 4, 4, '', 1)
  const third = lines(second, 1, 0, 'z\n', 2)
  expect(third.text).toBe('z\n1\nx\ny\n3\n')
  expect([first, second, third].map(text => text.touchedLines)).toEqual([
    [{ start: 2, end: 2 }],
    [{ start: 4, end: 4 }],
    [{ start: 1, end: 0 }],
  ])
  expect([...third.linesByOwner()].toSorted(([a], [b]) => a - b)).toEqual([
    [0, [{ start: 3, end: 4 }]],
    [1, [{ start: 6, end: 5 }]],
    [2, [{ start: 1, end: 1 }]],
  ])
})

test('an op whose text was replaced again still says where it worked', () => {
  const edited = replace(replace(open('1\n2\n3\n'), '2', 'x', 0), 'x', 'y', 1)
  expect(edited.touchedLines).toEqual([{ start: 2, end: 2 }])
  expect(edited.linesByOwner().get(0)).toEqual([{ start: 2, end: 2 }])
})

test('lines are called as in the original', () => {
  const edited = lines(open('1\n2\n3\n'), 1, 0, 'a\nb\n')
  expect([0, 2, 4, 6, 8].map(offset => edited.lineAt(offset))).toEqual([1, 1, 1, 2, 3])
})

/** What stands in the text, character by character; the number says which of the original it is. */
type Marked = readonly { readonly text: string; readonly origin?: number }[]

test('pieces say what editing a list of characters says', () => {
  const random = seededRandom(7)
  for (let round = 0; round < 1_500; round += 1) {
    const original = randomLines(random, 6)
    let text = open(original)
    let model: Marked = [...original].map((character, origin) => ({ text: character, origin }))
    for (let owner = 0; owner < 6; owner += 1) {
      const put = randomLines(random, 2)
      const useLines = text.file.lines.count > 0 && random.int(0, 2) === 0
      const step = useLines ? lineStep(random, text, model, put) : textStep(random, text, put)
      if (step === undefined) continue
      const edited = attempt(() => step.edit(owner))
      expect(edited === undefined).toBe(step.range === undefined)
      if (edited === undefined || step.range === undefined) continue
      text = edited
      model = model.toSpliced(
        step.range.from,
        step.range.to - step.range.from,
        ...[...step.put].map(character => ({ text: character })),
      )
      expect(text.text).toBe(model.map(item => item.text).join(''))
    }
    expect(result(text)).toBe(text.text)
    requireDisjoint(text)
  }
})

test('with any endings, what was not touched keeps its bytes and the view agrees', () => {
  const random = seededRandom(8)
  for (let round = 0; round < 500; round += 1) {
    const before = open(mixedText(random, 30))
    let text = before
    for (let owner = 0; owner < 4; owner += 1) {
      const step = textStep(random, text, mixedText(random, 4).replaceAll('\r\n', '\n'))
      text = attempt(() => step?.edit(owner)) ?? text
    }
    requireDisjoint(text)
    const after = openText(new TextEncoder().encode(result(text)))
    if (text.file.lines.dominantEnding !== undefined) expect(after?.text).toBe(text.text)
  }
})

interface Step {
  readonly put: string
  /** Where the model changes; undefined where the op must be refused. */
  readonly range?: { readonly from: number; readonly to: number }
  edit(owner: number): PieceText
}

function textStep(random: Random, text: PieceText, put: string): Step | undefined {
  if (text.text === '') return undefined
  const from = random.int(0, text.text.length)
  const to = random.int(from, text.text.length) + 1
  return { put, range: { from, to }, edit: owner => text.splice([{ from, to, text: put }], owner) }
}

function lineStep(
  random: Random,
  text: PieceText,
  model: Marked,
  lineText: string,
): Step | undefined {
  const { count, startOf } = text.file.lines
  const start = random.int(1, count + 1)
  const end = random.int(start - 1, count + 1)
  const stretch = { from: startOf(start), to: startOf(end + 1) }
  if (stretch.from === text.file.text.length) return undefined
  const first = model.findIndex(({ origin }) => origin === stretch.from)
  // Where an insert finds its line gone, either answer is right; the tables above say which.
  if (first < 0 && stretch.from === stretch.to) return undefined
  const put = `${lineText}\n`
  const range = { from: first, to: first + stretch.to - stretch.from }
  const edit = (owner: number): PieceText => text.replaceOriginal(stretch, put, owner)
  return isWhole(model, range, stretch.from) ? { put, range, edit } : { put, edit }
}

/** True where the original still stands there unbroken, between the borders of lines. */
function isWhole(model: Marked, range: { from: number; to: number }, origin: number): boolean {
  if (range.from < 0) return false
  const kept = model.slice(range.from, range.to)
  const isUnbroken =
    kept.length === range.to - range.from &&
    kept.every((item, index) => item.origin === origin + index)
  const endsLine = (at: number): boolean => at === 0 || model[at - 1]?.text === '\n'
  return isUnbroken && endsLine(range.from) && (endsLine(range.to) || range.to === model.length)
}

function requireDisjoint(text: PieceText): void {
  let at = 0
  for (const { from, to } of text.edits()) {
    expect(from >= at && to >= from).toBe(true)
    at = to
  }
}

function randomLines(random: Random, count: number): string {
  return Array.from({ length: random.int(0, count + 1) }, () =>
    random.pick(['a', 'b', 'ab', '\n', 'a\n', 'b\n', 'ba\n']),
  ).join('')
}

/** No character of two halves: a search never ends inside one. */
function mixedText(random: Random, length: number): string {
  return random.text(length).replaceAll('👍', '日')
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function codeOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
