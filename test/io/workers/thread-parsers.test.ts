import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterEach, expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import type { Source } from '#src/core/parsers.js'
import { packOutline, unpackOutline } from '#src/formats/code/pack-outline.js'
import { ThreadParsers } from '#src/io/workers/thread-parsers.js'
import { outlineOf } from '../../formats/code/outlines.js'

const opened: ThreadParsers[] = []

function open(parseMs?: number): ThreadParsers {
  const parsers = new ThreadParsers(parseMs)
  opened.push(parsers)
  return parsers
}

afterEach(async () => {
  for (const parsers of opened.splice(0)) await parsers.close()
})

const paths = [
  ...['src/core/limits.ts', 'scripts/setup.mjs', 'README.md', 'package.json'],
  ...['src/io/workers/thread-parsers.ts', 'src/formats/code/balance.ts'],
]
const sources: readonly Source[] = paths.map(path => ({ path, text: readFileSync(path, 'utf8') }))

/** Nested so that Babel tries every parenthesis as the head of an arrow function: twice the time for each. */
const bomb = { path: 'bomb.ts', text: `function before() {\n}\nx = ${'<T>('.repeat(60)}\n` }

test('the thread answers what the pure function answers, in the order asked', async () => {
  const many = Array.from({ length: 40 }, () => sources).flat()
  const expected = await Promise.all(
    sources.map(async ({ path, text }) => packOutline(await outlineOf(path, text))),
  )
  const parsers = open()
  const [all, none, one] = await Promise.all([
    parsers.outline(many),
    parsers.outline([]),
    parsers.outline(sources.slice(1, 2)),
  ])
  expect(all).toEqual(Array.from({ length: 40 }, () => expected).flat())
  expect(none).toEqual([])
  expect(one).toEqual(expected.slice(1, 2))
  expect(parsers.health).toEqual({ restarts: 0, lastProblem: undefined, waitingSources: 0 })
})

test('a file that takes too long is read by lines, and the others as ever', async () => {
  const parsers = open(1_500)
  const [first] = sources
  if (first === undefined) throw new Error('no sources')
  const answers = await parsers.outline([first, bomb, first, bomb, first])
  const outlines = answers.map(unpackOutline)
  const told = outlines.map(({ parser, note, symbols }) => [parser, note, symbols[0]?.name])
  const good = ['babel', undefined, 'Limits']
  const bad = ['regex', 'too_complex', 'before']
  expect(told).toEqual([good, bad, good, bad, good])
  expect(parsers.health).toMatchObject({ restarts: 2, waitingSources: 0 })
  expect(parsers.health.lastProblem).toContain('1500 ms')
})

test('the event loop stays free while a bomb is parsed', async () => {
  const parsers = open(1_500)
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
  }, 10)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  await parsers.outline([bomb])
  delay.disable()
  clearInterval(timer)
  console.log(`${ticks} ticks of 10 ms; the longest delay was ${Math.round(delay.max / 1e6)} ms`)
  // Were the loop blocked, not one would have come.
  expect(ticks).toBeGreaterThan(10)
})

test('a short question does not wait for a long one', async () => {
  const parsers = open()
  const order: string[] = []
  const many = Array.from({ length: 200 }, () => sources).flat()
  const long = parsers.outline(many).then(() => order.push('long'))
  const short = parsers.outline(sources.slice(0, 1)).then(() => order.push('short'))
  await Promise.all([long, short])
  expect(order).toEqual(['short', 'long'])
})

test('what is asked in the background waits for all else, also for what is longer', async () => {
  const parsers = open()
  const order: string[] = []
  const ask = (name: string, count: number, isBackground: boolean): Promise<number> => {
    const many = Array.from({ length: count }, () => sources).flat()
    return parsers.outline(many, { isBackground }).then(() => order.push(name))
  }
  // The first is under way when the others come.
  const first = ask('first', 1, true)
  await Promise.all([
    first,
    ask('second', 1, true),
    ask('third', 1, true),
    ask('pressing', 60, false),
  ])
  expect(order).toEqual(['first', 'pressing', 'second', 'third'])
})

test('what waits is bounded', async () => {
  const parsers = open()
  const tooMany = Array.from({ length: 10_001 }, () => ({ path: 'a.bin', text: '' }))
  await expect(parsers.outline(tooMany)).rejects.toMatchObject({ code: 'TOO_LARGE' })
  const half = tooMany.slice(0, 6_000)
  const first = parsers.outline(half)
  await expect(parsers.outline(half)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(await first).toHaveLength(6_000)
  expect(await parsers.outline(half)).toHaveLength(6_000)
})

test('who closes refuses what is still asked, and what is asked later', async () => {
  const parsers = open()
  const asked = parsers.outline([bomb])
  const refused = expect(asked).rejects.toBeInstanceOf(Refusal)
  await parsers.close()
  await refused
  await expect(parsers.outline(sources)).rejects.toMatchObject({ code: 'TIMEOUT' })
})

const hostile: readonly (readonly [string, Source])[] = [
  ['a million parentheses', { path: 'a.ts', text: '(\n'.repeat(500_000) }],
  ['a million brackets', { path: 'a.py', text: '[\n'.repeat(500_000) }],
  ['one line of 1 MB', { path: 'a.js', text: 'var a=1;'.repeat(131_072) }],
  ['an array of 300,000', { path: 'a.js', text: `x = [\n${'1,\n'.repeat(300_000)}]\n` }],
  ['JSON nested 400,000 deep', { path: 'a.json', text: '[\n'.repeat(400_000) }],
  ['generics without an end', { path: 'a.cpp', text: 'template<\n'.repeat(50_000) }],
  ['a string without an end', { path: 'a.ts', text: `x = \`${'a\n'.repeat(500_000)}` }],
  ['comments that only end', { path: 'a.ts', text: 'x */\nfunction f() {}\n'.repeat(20_000) }],
  ['tags that only begin', { path: 'a.html', text: '<a "\n'.repeat(100_000) }],
  ['braces that only open', { path: 'a.css', text: 'a{\n'.repeat(300_000) }],
]

test.each(hostile)('%s is answered', async (_, source) => {
  const parsers = open(2_000)
  const [answer] = await parsers.outline([source])
  if (answer === undefined) throw new Error('no answer')
  const { parser, note, symbols } = unpackOutline(answer)
  console.log(`${parser}${note === undefined ? '' : ` (${note})`}, ${symbols.length} symbols`)
  expect(parsers.health.restarts).toBeLessThanOrEqual(2)
})
