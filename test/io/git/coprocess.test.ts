import { execPath } from 'node:process'
import { afterEach, describe, expect, test } from 'vitest'
import { Coprocess } from '#src/io/git/coprocess.js'
import { type AnswerReader, CoprocessEnded } from '#src/io/git/running-child.js'
import { refusal } from '../../support/gateway.js'

const started: Coprocess[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map(one => one.stop()))
})

/** A child that answers each line as the script says: `reply(line, write)`. */
function child(reply: string): Coprocess {
  const script = `
    const { createInterface } = require('node:readline')
    const write = text => process.stdout.write(text)
    let count = 0
    createInterface({ input: process.stdin }).on('line', line => { count += 1; ${reply} })`
  const coprocess = new Coprocess({ command: execPath, args: ['-e', script], env: {}, cwd: '/' })
  started.push(coprocess)
  return coprocess
}

const line: AnswerReader<string> = received => {
  const end = received.indexOf(0x0a)
  if (end < 0) return { need: received.length + 1 }
  return { value: received.toString('utf8', 0, end), used: end + 1 }
}

const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    value => value,
    (error: unknown) => error,
  )

test('one child answers one question after another', async () => {
  const coprocess = child('write(line + " " + count + "\\n")')
  expect(await coprocess.ask('a\n', line)).toBe('a 1')
  expect(await coprocess.ask('b\n', line)).toBe('b 2')
  expect(coprocess.ageMs).toBeGreaterThan(0)
})

test('questions asked at once are answered in order', async () => {
  const coprocess = child('write(line + "\\n")')
  const words = Array.from({ length: 50 }, (_, n) => `w${n}`)
  expect(await Promise.all(words.map(word => coprocess.ask(`${word}\n`, line)))).toEqual(words)
})

test('an answer in pieces, and two in one piece', async () => {
  const coprocess = child(
    'if (count === 1) { write("fi"); setTimeout(() => write("rst\\nsec"), 20); setTimeout(() => write("ond\\n"), 40) }',
  )
  const asked = [coprocess.ask('1\n', line), coprocess.ask('2\n', line)]
  expect(await Promise.all(asked)).toEqual(['first', 'second'])
})

test('an answer that was given is not written over by the next', async () => {
  const coprocess = child('write(line.repeat(100_000) + "\\n")')
  const bytes: AnswerReader<Buffer> = received => {
    const end = received.indexOf(0x0a)
    return end < 0
      ? { need: received.length + 1 }
      : { value: received.subarray(0, end), used: end + 1 }
  }
  const answers: Buffer[] = []
  for (const letter of ['a', 'b', 'c']) answers.push(await coprocess.ask(`${letter}\n`, bytes))
  const both = await Promise.all(['d', 'e'].map(letter => coprocess.ask(`${letter}\n`, bytes)))
  const seen = [...answers, ...both].map(answer => new Set(answer.toString('latin1')))
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'].map(letter => new Set(letter)))
})

test('a large answer takes a time that grows with its size alone', async () => {
  const coprocess = child('write("x".repeat(40_000_000) + "\\n")')
  let looks = 0
  const counting: AnswerReader<number> = received => {
    looks += 1
    const isWhole = received[received.length - 1] === 0x0a
    return isWhole
      ? { value: received.length, used: received.length }
      : { need: received.length + 1 }
  }
  expect(await coprocess.ask('go\n', counting)).toBe(40_000_001)
  expect(looks).toBeGreaterThan(10)
})

describe('a child that ends', () => {
  test('fails what it owes with its code and last words, and the next question starts another', async () => {
    const coprocess = child(
      'if (line === "die") { console.error("why"); process.exit(5) } else write(line + "\\n")',
    )
    const asked = ['a\n', 'die\n', 'b\n'].map(question => outcome(coprocess.ask(question, line)))
    const [first, second, third] = await Promise.all(asked)
    expect(first).toBe('a')
    expect(second).toBeInstanceOf(CoprocessEnded)
    expect(second).toMatchObject({ exitCode: 5, stderr: 'why\n' })
    expect(third).toBeInstanceOf(CoprocessEnded)
    expect(await coprocess.ask('c\n', line)).toBe('c')
  })

  test('that cannot be started fails too', async () => {
    const coprocess = new Coprocess({ command: '/nowhere', args: [], env: {}, cwd: '/' })
    expect(await outcome(coprocess.ask('x\n', line))).toBeInstanceOf(CoprocessEnded)
    expect(await outcome(coprocess.ask('x\n', line))).toBeInstanceOf(CoprocessEnded)
  })
})

test('more than the bound ends the child', async () => {
  const coprocess = child(
    'const block = "x".repeat(1e6); const go = () => { while (write(block)); process.stdout.once("drain", go) }; go()',
  )
  const never: AnswerReader<string> = received => ({ need: received.length + 1 })
  expect(await refusal(coprocess.ask('go\n', never))).toMatchObject({ code: 'TOO_LARGE' })
})

test('stopped, it answers nothing more; asked again, it starts anew', async () => {
  const coprocess = child('if (line !== "mute") write(line + " " + count + "\\n")')
  const owed = outcome(coprocess.ask('mute\n', line))
  await coprocess.stop()
  expect(await owed).toBeInstanceOf(CoprocessEnded)
  expect(coprocess.ageMs).toBe(0)
  expect(await coprocess.ask('a\n', line)).toBe('a 1')
})

test('renewed, the old child still answers what it owes', async () => {
  const coprocess = child('setTimeout(() => write(line + " " + count + "\\n"), 20)')
  const first = coprocess.ask('a\n', line)
  coprocess.renew()
  const second = coprocess.ask('b\n', line)
  expect(await Promise.all([first, second])).toEqual(['a 1', 'b 1'])
})
