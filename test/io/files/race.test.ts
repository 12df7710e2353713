import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { FileInclusion } from '#src/io/files/include-files.js'
import { readFileSafely } from '#src/io/files/read-file.js'
import { removeFile } from '#src/io/files/remove-file.js'
import { replaceFile } from '#src/io/files/replace-file.js'
import { seededRandom } from '../../support/random.js'
import { bytes, listing, makeWorld, repoPath } from './world.js'

const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

interface Racer {
  readonly child: ChildProcess
  readonly lines: Interface
  say(line: string): void
}

async function startRacer(...args: readonly string[]): Promise<Racer> {
  const script = fileURLToPath(new URL('race-child.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return { child, lines, say: line => child.stdin.write(`${line}\n`) }
}

test('a directory that is swapped for a link to the outside is never left', async () => {
  const { root, outside, tempDir } = makeWorld()
  mkdirSync(join(root, 'd'))
  for (const place of [outside, join(root, 'd')]) writeFileSync(join(place, 'read'), place)
  const racer = await startRacer('swap', join(root, 'd'), outside)
  const counts: Record<string, number> = { written: 0, removed: 0, read: 0, escaped: 0 }
  const add = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const attempt = (act: () => void): void => {
    try {
      act()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      add(error.code)
    }
  }
  const end = performance.now() + 3_000
  for (let round = 0; performance.now() < end; round += 1) {
    const path = repoPath(`d/new-${round}`)
    const text = bytes(`${round}`)
    attempt(() => {
      const expected = 'absent'
      const answer = replaceFile(root, path, { bytes: text, executable: false, expected, tempDir })
      if ('stat' in answer) add('written')
    })
    attempt(() => {
      const answer = readFileSafely(root, repoPath('d/read'), 1_000)
      if (answer?.bytes.toString() === outside) add('escaped')
      if (answer !== undefined) add('read')
    })
    attempt(() => {
      // A missing file counts as removed, so only what was there is counted.
      const answer = removeFile(root, path, { expected: { bytes: text }, tempDir })
      if ('removed' in answer) add('removed')
    })
  }
  racer.say('stop')
  await once(racer.child, 'exit')
  console.info('beside a swapper:', counts)
  expect(listing(outside)).toEqual({ read: outside })
  expect(readdirSync(tempDir)).toEqual([])
  expect(counts.escaped).toBe(0)
  for (const what of ['written', 'read', 'removed', 'SYMLINK']) {
    expect([what, counts[what] ?? 0]).not.toEqual([what, 0])
  }
})

test('nothing is brought through a directory that is swapped for a link to the outside', async () => {
  const { root, outside, tempDir } = makeWorld()
  mkdirSync(join(root, 'd'))
  for (const place of [outside, join(root, 'd')]) writeFileSync(join(place, 'read'), place)
  const racer = await startRacer('swap', join(root, 'd'), outside)
  const counts: Record<string, number> = { brought: 0, escaped: 0 }
  const add = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const end = performance.now() + 1_500
  for (let round = 0; performance.now() < end; round += 1) {
    const target = join(tempDir, `${round}`)
    mkdirSync(target)
    const inclusion = new FileInclusion(root, target, (_, why) => add(why))
    await inclusion.include(repoPath('d/read'))
    await inclusion.include(repoPath('d'))
    for (const text of [...Object.values(listing(target))].flatMap(one => JSON.stringify(one))) {
      add(text.includes(outside) ? 'escaped' : 'brought')
    }
  }
  racer.say('stop')
  await once(racer.child, 'exit')
  console.info('beside a swapper:', counts)
  expect(counts.escaped).toBe(0)
  for (const what of ['brought', 'link_out']) {
    expect([what, counts[what] ?? 0]).not.toEqual([what, 0])
  }
})

test('what a program writes in place meanwhile is put back', async () => {
  const { root, tempDir } = makeWorld()
  const path = join(root, 'file')
  // Large, so that there is time between the two looks at the old file.
  const [old, fresh] = ['o', 'n'].map(letter => Buffer.alloc(4_000_000, letter))
  if (!old || !fresh) throw new Error('no texts')
  writeFileSync(path, old)
  const racer = await startRacer('write', path)
  const random = seededRandom(7)
  const counts = { before: 0, after: 0, lost: 0 }
  for (let round = 0; round < 150; round += 1) {
    writeFileSync(path, old)
    const written = once(racer.lines, 'line')
    racer.say(`${random.int(0, 6_000)}`)
    const expected = { bytes: old }
    const answer = replaceFile(root, repoPath('file'), {
      bytes: fresh,
      executable: false,
      expected,
      tempDir,
    })
    await written
    const [first, second] = readFileSync(path, 'latin1')
    // Who wrote before us is kept; who wrote after us wrote into our file.
    if ('kept' in answer) expect([round, first, second]).toEqual([round, '!', 'o'])
    else expect([round, second]).toEqual([round, 'n'])
    counts[first !== '!' ? 'lost' : 'kept' in answer ? 'before' : 'after'] += 1
  }
  racer.child.stdin?.end()
  await once(racer.child, 'exit')
  console.info('beside a program that writes in place:', counts)
  expect(readdirSync(tempDir)).toEqual([])
  expect(counts.before).toBeGreaterThan(0)
  expect(counts.after).toBeGreaterThan(0)
  // Who has opened the old file and writes only after our last look cannot be seen: microseconds.
  expect(counts.lost).toBeLessThan(15)
})

test('two processes that create one file make it once', async () => {
  const { root, tempDir } = makeWorld()
  const create = (text: string) =>
    replaceFile(root, repoPath('a/b/c'), {
      bytes: bytes(text),
      executable: false,
      expected: 'absent',
      tempDir,
    })
  expect([create('1'), create('2')]).toEqual([{ stat: expect.anything() }, { kept: 'foreign' }])
  expect(readFileSync(join(root, 'a/b/c'), 'utf8')).toBe('1')
  expect(existsSync(join(root, 'a/b'))).toBe(true)
})
