import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { RecordFile } from '#src/io/state/record-file.js'

const place = await mkdtemp(join(tmpdir(), 'records-'))
const path = join(place, 'below', 'records')
const bounds = { fileBytes: 2 ** 24, recordBytes: 2 ** 20, records: 10_000 }

beforeEach(() => rm(join(place, 'below'), { recursive: true, force: true }))
afterAll(() => rm(place, { recursive: true }))

function open(onFault?: (error: unknown) => void, own = bounds): RecordFile {
  return new RecordFile(() => Promise.resolve(path), own, onFault)
}

async function written(values: Readonly<Record<string, string>>): Promise<void> {
  const file = open()
  for (const [key, value] of Object.entries(values)) file.put(key, value)
  await file.flush()
}

async function found(keys: readonly string[], file = open()): Promise<Record<string, string>> {
  return Object.fromEntries(await file.get(keys))
}

test('what was put is found, at once and by the next process', async () => {
  const file = open()
  expect(await found(['a 1'], file)).toEqual({})
  file.put('a 1', '["é\u{1f600}"]')
  file.put('b 1', '{}')
  expect(await found(['b 1', 'a 1', 'c 1'], file)).toEqual({ 'a 1': '["é\u{1f600}"]', 'b 1': '{}' })
  expect(await found(['a 1'])).toEqual({ 'a 1': '["é\u{1f600}"]' })
  expect(await open().missing(['a 1', 'c 1'])).toEqual(['c 1'])
})

test('the last value of a key counts', async () => {
  await written({ a: '1' })
  await written({ a: '2', b: '3' })
  expect(await found(['a', 'b'])).toEqual({ a: '2', b: '3' })
})

/** What became of a file that holds a, b and c in this order, each with its own name as value. */
const damages: readonly (readonly [
  name: string,
  damage: (bytes: Buffer) => Buffer,
  left: readonly string[],
])[] = [
  ['a tail that was torn', bytes => bytes.subarray(0, -3), ['a', 'b']],
  ['a tail torn in the key', bytes => bytes.subarray(0, bytes.lastIndexOf('c\t') + 1), ['a', 'b']],
  ['a changed value', bytes => replaced(bytes, '"b"', '"x"'), ['a', 'c']],
  ['a changed key', bytes => replaced(bytes, '\nb\t', '\nx\t'), ['a', 'c']],
  ['zeros after a power cut', bytes => zeroed(bytes, 'b\t'), ['a', 'c']],
  [
    'a foreign line',
    bytes => Buffer.concat([Buffer.from('{"x":1}\n\t\t\n'), bytes]),
    ['a', 'b', 'c'],
  ],
  [
    'bytes that are no text',
    bytes => Buffer.concat([bytes, Buffer.alloc(4_096, 0xff)]),
    ['a', 'b', 'c'],
  ],
  ['nothing', () => Buffer.alloc(0), []],
]

test.each(damages)(
  '%s costs no other record, and the file is written on',
  async (_, damage, left) => {
    for (const key of ['a', 'b', 'c']) await written({ [key]: `"${key}"` })
    await writeFile(path, damage(await readFile(path)))
    const file = open()
    expect(Object.keys(await found(['a', 'b', 'c'], file))).toEqual(left)
    file.put('d', '"d"')
    expect(await found(['d'], file)).toEqual({ d: '"d"' })
    const all = { ...Object.fromEntries(left.map(key => [key, `"${key}"`])), d: '"d"' }
    expect(await found(['a', 'b', 'c', 'd'])).toEqual(all)
  },
)

function replaced(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.indexOf(from)
  expect(at).toBeGreaterThanOrEqual(0)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(to), bytes.subarray(at + from.length)])
}

function zeroed(bytes: Buffer, from: string): Buffer {
  const at = bytes.indexOf(from)
  return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(4), bytes.subarray(at + 4)])
}

test('half a line is waited for', async () => {
  await written({ a: '"a"' })
  const whole = await readFile(path)
  await rm(path)
  await written({ b: '"b"' })
  const file = open()
  await appendFile(path, whole.subarray(0, 9))
  expect(await found(['a', 'b'], file)).toEqual({ b: '"b"' })
  await appendFile(path, whole.subarray(9))
  expect(await found(['a', 'b'], file)).toEqual({ a: '"a"', b: '"b"' })
})

test('something else in the place of the file is told once and keeps nothing', async () => {
  await mkdir(path, { recursive: true })
  const faults: unknown[] = []
  const file = open(error => faults.push(error))
  file.put('a', '1')
  file.put('b', '1')
  expect(await found(['a', 'b'], file)).toEqual({})
  expect(await file.missing(['a'])).toEqual(['a'])
  expect(faults).toHaveLength(1)
})

test('a file that grew too large keeps its newer half, also for those who had it open', async () => {
  const small = { ...bounds, fileBytes: 20_000 }
  const other = open(undefined, small)
  const file = open(undefined, small)
  const keys = Array.from({ length: 300 }, (_, number) => `key ${number}`)
  file.put('key 0', '"first"')
  await file.flush()
  expect(await found(['key 0'], other)).toEqual({ 'key 0': '"first"' })
  for (const key of keys.slice(1)) {
    file.put(key, JSON.stringify('x'.repeat(100)))
    await file.flush()
  }
  expect((await stat(path)).size).toBeLessThanOrEqual(20_000)
  const left = Object.keys(await found(keys, other))
  expect(left).toEqual(keys.slice(-left.length))
  expect(left.length).toBeGreaterThan(60)
})

test('a record that is too long is not kept', async () => {
  const file = open(undefined, { ...bounds, recordBytes: 100 })
  file.put('a', 'x'.repeat(100))
  file.put('b', 'x')
  expect(await found(['a', 'b'], file)).toEqual({ b: 'x' })
})

test('records beyond the number that may be known are forgotten, the oldest first', async () => {
  const file = open(undefined, { ...bounds, records: 2 })
  for (const key of ['a', 'b', 'c']) file.put(key, '1')
  expect(Object.keys(await found(['a', 'b', 'c'], file))).toEqual(['b', 'c'])
})

test('two processes that write at once lose nothing', async () => {
  const count = 400
  const writer = join(import.meta.dirname, 'record-writer.mjs')
  await mkdir(join(place, 'below'))
  const names = ['one', 'two']
  const run = promisify(execFile)
  await Promise.all(names.map(name => run(process.execPath, [writer, path, name, String(count)])))
  const keys = names.flatMap(name => Array.from({ length: count }, (_, at) => `${name} ${at}`))
  expect((await open().get(keys)).size).toBe(names.length * count)
})
