import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { OutlinesInTime } from '#src/gateway/reading/outlines-in-time.js'
import { type SearchQuery, searchLines } from '#src/gateway/reading/search-worktree.js'
import type { SearchAnswer } from '#src/report/search-view.js'
import { openGateway, refusal } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

const repository = await makeRepository({
  '.gitattributes': '*.bat text eol=crlf\n',
  'a.ts': 'export function tax(): number {\n  return tax1\n}\n',
  'run.bat': 'echo tax2\necho\n',
  'latin1.txt': Buffer.from('caf\xe9 tax3\n', 'latin1'),
  'data.bin': 'tax4\0',
  '-e': 'tax5\n',
  'utf16.txt': Buffer.from('\ufefftax6\n', 'utf16le'),
  'slow.txt': `${'a'.repeat(3_000)}!\n`,
})
const served = await openGateway(repository)
const alice = await served.open('alice')
const away = await served.open('bob', { files: 'none' })

// A search does not wait long for the parsers to start.
const file = parseRepoPath('a.ts')
await alice.worktree.outline(file, await alice.worktree.read(file))

async function ask(
  { worktree }: typeof alice,
  pattern: string,
  more: Partial<SearchQuery> = {},
): Promise<SearchAnswer> {
  const budget = { context: 0, limit: 100, maxBytes: 10_000 }
  const query = { pattern, mode: 'regex', path: '', ignoreCase: false, ...budget, ...more } as const
  const outlines = new OutlinesInTime(worktree.checkout.served.symbols)
  const ways = { limits: defaultLimits, ripgrep: undefined, outlines }
  return (await searchLines(worktree.checkout, query, ways)).answer
}

const lines = ({ files }: SearchAnswer): readonly string[] =>
  files.flatMap(({ path, hits }) => hits.map(({ line, text }) => `${path}:${line}:${text}`))

test('patterns are found by git, and the answer says so', async () => {
  for (const one of [alice, away]) {
    const answer = await ask(one, 'tax\\d')
    expect(answer).toMatchObject({ engine: 'git grep -P', skipped: { binary: 1, encoded: 1 } })
    expect(lines(answer)).toEqual([
      '-e:1:tax5',
      'a.ts:2:  return tax1',
      'latin1.txt:1:caf\ufffd tax3',
      'run.bat:1:echo tax2',
    ])
    expect(answer.files[1]?.hits[0]?.symbol).toMatchObject({ name_path: 'tax', end_line: 3 })
  }
  expect(lines(await ask(alice, 'TAX5', { ignoreCase: true }))).toEqual(['-e:1:tax5'])
})

test('what is on the disk counts', async () => {
  const { path } = await served.open('carol').then(one => {
    writeFileSync(join(one.path, 'a.ts'), 'tax6\n')
    return one
  })
  const carol = await served.open('carol')
  expect([path, lines(await ask(carol, 'tax[16]'))]).toEqual([carol.path, ['a.ts:1:tax6']])
})

test.each(['a(', '[', '(?<n'])('a bad pattern is refused: %s', async pattern =>
  expect(await refusal(ask(alice, pattern))).toMatchObject({
    code: 'INVALID_ARGUMENTS',
    problems: [{ field: 'pattern', problem: expect.any(String) }],
  }),
)

test('DOS-3: a pattern that would take forever is answered or refused', async () => {
  const told: string[] = []
  for (const pattern of ['(a+)+$', '(a|a)*b$', '(x+x+)+y', '([a-zA-Z]+)*[0-9]$']) {
    const answer = await ask(alice, pattern).then(
      found => `${found.shown_hits} hits`,
      error => String(error.code),
    )
    told.push(answer)
  }
  console.info('patterns by git:', told)
  expect(told.filter(one => one !== 'PATTERN_TIMEOUT' && !one.endsWith(' hits'))).toEqual([])
})
