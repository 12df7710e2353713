import { expect, test } from 'vitest'
import { fixedLimits } from '#src/core/limits.js'
import { type EditJson, run } from './sandbox.js'

const line = '0123456789\n'
const files = { a: `a\n${line.repeat(10)}`, b: `b\n${line.repeat(10)}` }
const chars = files.a.length

const search = (path: string): EditJson => ({
  op: 'replace_text',
  path,
  find: path,
  replace: path,
})
const insert = (path: string): EditJson => ({ op: 'insert_lines', path, line: 2, text: 'x' })
const miss = (path: string): EditJson => ({ op: 'replace_text', path, find: 'none', replace: 'x' })
const copies = (edit: EditJson, count: number): readonly EditJson[] => Array(count).fill(edit)

test.each<[string, readonly EditJson[], number]>([
  ['opening a file and searching it are one look each', copies(search('a'), 2), 2 * chars],
  ['each further search is one more', copies(search('a'), 5), 5 * chars],
  ['line numbers cost no search', [...copies(insert('a'), 9), insert('b')], chars],
  ['each file is opened once', [insert('a'), insert('b'), insert('b')], 2 * chars],
  ['a search in vain is one, too', [miss('a'), insert('b')], 2 * chars],
])('%s', async (_, edits, enough) => {
  const codeAt = (searchedChars: number): Promise<string> =>
    run(files, edits, { limits: { searchedChars } }).then(
      () => 'done',
      ({ code }) => code,
    )
  const isMiss = edits.some(({ find }) => find === 'none')
  expect(await codeAt(enough)).toBe(isMiss ? 'ZERO_MATCHES' : 'done')
  expect(await codeAt(enough - 1)).toBe('TOO_LARGE')
})

test('too much is told with the limit, as one refusal of the whole batch', async () => {
  const refused = run(files, copies(search('a'), 9), { limits: { searchedChars: 10 } })
  await expect(refused).rejects.toMatchObject({
    status: 413,
    data: { what: 'text to look through', limit: 10 },
    nextAction: 'split',
  })
})

test('others have their turn between two ops once much was looked through', async () => {
  const large = { a: `a\n${line.repeat(fixedLimits.turnChars / 10)}`, b: 'b\n' }
  let turns = 0
  const pause = async (): Promise<void> => {
    turns += 1
  }
  await run(large, copies(search('a'), 4), { pause })
  expect(turns).toBe(3)
  await run(large, copies(search('b'), 4), { pause })
  expect(turns).toBe(3)
})
