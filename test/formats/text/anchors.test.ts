import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type AnchorRules,
  anchorAt,
  anchoredCount,
  anchoredText,
  anchorRules,
  findMoved,
  fitsAnchor,
  parseAnchor,
} from '#src/formats/text/anchors.js'
import { type NormalisedText, normaliseBreaks } from '#src/formats/text/line-index.js'
import { findPastedAnchor } from '#src/formats/text/pasted-anchors.js'
import { scoreVectors } from '../../../scripts/conformance/hashline-vectors.mjs'
import { corpusPath } from '../../support/corpora.js'

const vectors = corpusPath('edit/hashline-vectors')

type Scheme = keyof typeof anchorRules

const allAnchors = (text: string, rules: AnchorRules): readonly string[] => {
  const view = normaliseBreaks(text)
  return Array.from({ length: anchoredCount(view) }, (_, index) => anchorAt(view, index + 1, rules))
}
const rows = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, index) => `row ${from + index}`)
const viewOf = (lines: readonly string[]): NormalisedText =>
  normaliseBreaks(`${lines.join('\n')}\n`)

test.each<[string, string, Partial<AnchorRules> & { scheme: Scheme }, readonly string[]]>([
  ['a line by itself', 'let x = 1;', { scheme: 'content' }, ['1:rsj']],
  ['white space around it', '  let x = 1;\t', { scheme: 'content' }, ['1:rsj']],
  ['runs of white space', 'let \t x  = 1;', { scheme: 'content' }, ['1:rsj']],
  ['one letter', 'let x = 1;', { scheme: 'content', letters: 1 }, ['1:r']],
  ['four letters', 'let x = 1;', { scheme: 'content', letters: 4 }, ['1:rsjp']],
  ['an empty file', '', { scheme: 'content' }, ['1:ddg']],
  ['an empty file in its chunk', '', { scheme: 'chunk' }, ['1:ddg:prw']],
  ['a lone break', '\n', { scheme: 'chunk' }, ['1:ddg:weu', '2:ddg:weu']],
  ['CRLF', 'a\r\nb\r\n', { scheme: 'chunk' }, ['1:obk:yzo', '2:rby:yzo', '3:ddg:yzo']],
  ['no final break', 'a\nb', { scheme: 'content' }, ['1:obk', '2:rby']],
  ['CR alone breaks lines as LF does', 'a\rb', { scheme: 'content' }, ['1:obk', '2:rby']],
  ['a no-break space inside is a character', 'a\u00a0b', { scheme: 'content' }, ['1:ycr']],
  [
    'separators of Unicode do not break',
    'a\u2028b\nc\u0085d',
    { scheme: 'content' },
    ['1:yhx', '2:fgm'],
  ],
  [
    'checkpoints',
    'a\u2028b\nc\u0085d\n',
    { scheme: 'checkpoint' },
    ['1:yhx:xix', '2:fgm:eve', '3:ddg:fbc'],
  ],
])('anchors: %s', (_, text, rules, anchors) => {
  expect(allAnchors(text, { ...anchorRules[rules.scheme], ...rules })).toEqual(anchors)
})

test('the read view puts an arrow between anchor and text', () => {
  expect(anchoredText(viewOf(['  let x = 1;']), 1, anchorRules.content)).toBe('1:rsj→  let x = 1;')
})

describe('an anchor', () => {
  test.each<[string, Scheme, unknown]>([
    ['2:abc', 'content', { line: 2, local: 'abc' }],
    ['2:abc:def', 'chunk', { line: 2, local: 'abc', context: 'def' }],
    ['2:abc:def→let x = 1', 'chunk', { line: 2, local: 'abc', context: 'def' }],
    ['2:abc:def->a\nb', 'checkpoint', { line: 2, local: 'abc', context: 'def' }],
    ['2:abc|x', 'content', { line: 2, local: 'abc' }],
    ['2:abc', 'chunk', undefined],
    ['2:abc:de', 'chunk', undefined],
    ['2:ab:def', 'chunk', undefined],
    ['2:abcd', 'content', undefined],
    ['2:abc:def', 'content', undefined],
    ['abc:def', 'chunk', undefined],
    ['2', 'chunk', undefined],
    ['0:abc:def', 'chunk', undefined],
    ['2:ABC:DEF', 'chunk', undefined],
    [' 2:abc:def', 'chunk', undefined],
    ['+2:abc:def', 'chunk', undefined],
    ['2:abc:def ', 'chunk', undefined],
    ['', 'content', undefined],
  ])('%j under %s', (said, scheme, anchor) => {
    expect(parseAnchor(said, anchorRules[scheme])).toEqual(anchor)
  })
})

const moved = (scheme: Scheme, before: NormalisedText, line: number, after: NormalisedText) => {
  const rules = anchorRules[scheme]
  const anchor = parseAnchor(anchorAt(before, line, rules), rules)
  if (anchor === undefined) throw new Error('the view shows what cannot be read')
  return { fits: fitsAnchor(after, anchor, rules), ...findMoved(after, anchor, rules) }
}

describe('a moved line', () => {
  const distances = [-15, -11, -8, -7, -3, -1, 1, 2, 3, 7, 8, 9, 14, 15]
  test.each(distances)('is found by its block when everything moves by %i', by => {
    const before = viewOf(rows(80))
    const after = by > 0 ? viewOf([...rows(by, 900), ...rows(80)]) : viewOf(rows(80 + by, -by))
    for (const scheme of ['chunk', 'checkpoint'] as const) {
      // A block of which lines were taken away is not whole any more.
      const found = moved(scheme, before, 45, after)
      expect({ scheme, ...found }).toEqual({
        scheme,
        fits: false,
        lines: [45 + by],
        proof: 'block',
      })
    }
    expect(moved('content', before, 45, after)).toEqual({
      fits: false,
      lines: [45 + by],
      proof: 'line',
    })
  })

  test('is not looked for further away', () => {
    const [before, after] = [viewOf(rows(40)), viewOf([...rows(16, 900), ...rows(40)])]
    expect(moved('chunk', before, 5, after)).toMatchObject({ fits: false, lines: [] })
  })

  test('is likely where its neighbours have changed', () => {
    const [before, after] = [viewOf(rows(20)), viewOf(['new', 'other', ...rows(19, 1)])]
    expect(moved('chunk', before, 3, after)).toEqual({ fits: false, lines: [4], proof: 'line' })
  })

  test('may be any of several', () => {
    const [before, after] = [viewOf(['x', '}', 'y', '}']), viewOf(['x', 'y', '}', 'z', '}'])]
    expect(moved('chunk', before, 2, after)).toEqual({ fits: false, lines: [3, 5], proof: 'line' })
  })

  test('is no likely one where the file has others like it further away', () => {
    const [before, after] = [viewOf(['}', 'a']), viewOf(['b', '}', ...rows(30), '}'])]
    expect(moved('chunk', before, 1, after)).toEqual({ fits: false, lines: [2, 33], proof: 'line' })
  })

  test('is one of several by its block', () => {
    const [before, after] = [
      viewOf([...rows(8), '}', 'a', 'b', 'c', 'd', 'e', 'f', 'g', ...rows(9)]),
      viewOf([...rows(8), '}', 'new', '}', 'a', 'b', 'c', 'd', 'e', 'f', 'g', ...rows(9)]),
    ]
    expect(moved('chunk', before, 9, after)).toEqual({ fits: false, lines: [11], proof: 'block' })
  })
})

test.each<[string, string, number | undefined]>([
  ['numbered', '12:abc:def→let x', 1],
  ['with one hash', '12:abc→let x', 1],
  ['with a bar', '12:abc:def|let x', 1],
  ['without a number', 'axy:edj→    # comment', 1],
  ['on half the lines', 'normal line\n22:abc:rst→let x = 1;\n', 2],
  ['blank lines do not count', '12:abc→a\n\n\n\n13:abc→b\n', 1],
  ['on few lines', 'one\ntwo\n22:abc:rst→let x = 1;\n', undefined],
  ['code with colons and an arrow', 'a::b->c()\n    self::next->run();', undefined],
  ['an arrow behind two words', 'foo:bar->x', undefined],
  ['a label', '10:30 meeting', undefined],
  ['no anchor at all', 'plain', undefined],
])('pasted anchors: %s', (_, text, line) => expect(findPastedAnchor(text)).toBe(line))

test.skipIf(!existsSync(vectors))(
  'the golden vectors come out the same, and nothing that moved is lost',
  () => {
    const { cases, pass, lost, more } = scoreVectors(vectors)
    console.log(`golden vectors: ${pass} of ${cases}; ${more.length} more moves are found`)
    expect({ cases, pass, lost }).toEqual({ cases: 393, pass: 393, lost: [] })
    expect(more.length).toBeGreaterThan(50)
  },
)
