import { expect, test } from 'vitest'
import { type MatchLevel, matchLevels } from '#src/core/receipt.js'
import type { BatchInput } from '#src/edit/batch.js'
import { ladders } from '#src/edit/dialects/ladders.js'
import { refusal, revOf } from '../sandbox.js'
import { sayings } from '../say-edit.js'
import { changedBy, resolveSaid } from './said.js'

/** A file, and its lines as somebody remembers them; the edit is to make `two(2)` of `two(1)`. */
interface Sample {
  readonly file: string
  readonly wanted: readonly string[]
}

const edited = (text: string): string => text.replace('two(1)', 'two(2)')

/** Of each level, what it accepts and no stricter one does. */
const samples: Readonly<Record<MatchLevel, Sample>> = {
  exact: { file: 'one()\ntwo(1)\nend()\n', wanted: ['one()', 'two(1)', 'end()'] },
  trailing_whitespace: {
    file: 'one()  \ntwo(1)\nend()\n',
    wanted: ['one()', 'two(1)', 'end()'],
  },
  line_trimmed: {
    file: '  one()\n  two(1)\n  end()\n',
    wanted: ['one()', 'two(1)', 'end()'],
  },
  whitespace_normalised: {
    file: 'one(a,  b)\ntwo(1)\nend()\n',
    wanted: ['one(a, b)', 'two(1)', 'end()'],
  },
  // Where indentation is meaning, trimming lines does not forgive it.
  indentation_flexible: {
    file: '\tone()\n\t\ttwo(1)\n\tend()\n',
    wanted: ['  one()', '    two(1)', '  end()'],
  },
  unicode_normalised: {
    file: 'one(“a”)\ntwo(1)\nend()\n',
    wanted: ['one("a")', 'two(1)', 'end()'],
  },
  block_anchor: {
    file: 'one()\ntwo(1)\nthree(first, second)\nfour()\nend()\n',
    wanted: ['one()', 'two(1)', 'three(first, sekond)', 'four()', 'end()'],
  },
}

/** Indentation is meaning in the one, and not in the other. */
const pathOf = (level: MatchLevel): string => (level === 'indentation_flexible' ? 'f.py' : 'f.ts')

type Dialect = keyof typeof sayings

/** What each dialect accepts: the levels of its ladder, and the native ops those of the repository. */
const accepted: Readonly<Record<Dialect, readonly MatchLevel[]>> = {
  ...ladders,
  // `line_trimmed` forgives white space at the ends of lines, too.
  ops: ['trailing_whitespace', ...ladders.search_replace],
  search_replace: ['trailing_whitespace', ...ladders.search_replace],
}

const cases = (Object.keys(sayings) as Dialect[]).flatMap(dialect =>
  matchLevels.map(level => [dialect, level] as const),
)

/** The batch that says the change of the second line of a sample. */
function batchOf(dialect: Dialect, level: MatchLevel): BatchInput {
  const { file, wanted } = samples[level]
  const edit = { path: pathOf(level), rev: revOf(file), start: 0, wanted }
  return sayings[dialect]({ ...edit, young: wanted.map(edited) })
}

test.each(cases)('%s and what only %s accepts', async (dialect, level) => {
  const path = pathOf(level)
  const { file } = samples[level]
  const batch = batchOf(dialect, level)
  if (!accepted[dialect].includes(level)) {
    const told = await refusal(() => resolveSaid({ [path]: file }, batch))
    expect(told).toMatchObject({ code: 'ZERO_MATCHES', path })
    return
  }
  expect(await changedBy({ [path]: file }, batch)).toEqual({ [path]: edited(file) })
  const { ops } = await resolveSaid({ [path]: file }, batch)
  const rungs: readonly MatchLevel[] = ladders[dialect === 'ops' ? 'search_replace' : dialect]
  expect(ops[0]?.level).toBe(rungs.includes(level) ? level : 'line_trimmed')
})

test.each(cases)('%s up to a stricter level than %s refuses', async (dialect, level) => {
  const at = matchLevels.indexOf(level)
  const stricter = matchLevels[at - 1]
  if (stricter === undefined || !accepted[dialect].includes(level)) return
  const path = pathOf(level)
  const batch = { ...batchOf(dialect, level), max_level: stricter }
  const told = await refusal(() => resolveSaid({ [path]: samples[level].file }, batch))
  expect(told).toMatchObject({ code: 'ZERO_MATCHES', path })
})
