import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixedLimits } from '#src/core/limits.js'
import { bodyOf, outcome, startServer } from '../faces/http/server.js'

const lines = (count: number, letter: string): string =>
  Array.from({ length: count }, (_, line) => `${letter}${line}\n`).join('')

const name = 'a'.repeat(250)
const distinct = Array.from({ length: 200 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join()
const server = await startServer(
  {
    'a.txt': 'one\n',
    'many.txt': lines(6_000, 'a'),
    'long.txt': 'a'.repeat(2_000_000),
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, file) => [`deep/${name}/${name}/${name}/${file}`, '']),
    ),
  },
  { listedFiles: 2_000 },
)
const { path: root } = await (await server.gateway.worktree('alice')).describe()
const place = '/v1/worktrees/alice'
const post = (json: unknown) => server.ask('POST', `${place}/batches`, { json })
const rev = async (path: string): Promise<string> =>
  (await bodyOf(await server.ask('GET', `${place}/file?path=${path}`))).rev

describe('DOS-3: a pattern never takes long', () => {
  test.each([
    ['many stars in one name', 'a*'.repeat(400)],
    ['many stars and no match', `${'*a'.repeat(400)}b`],
    ['many directories', `${'**/'.repeat(300)}x`],
    ['stars in every directory', `${`${'*a'.repeat(80)}*/`.repeat(3)}b`],
    ['as many alternatives as are taken', `{${'a,'.repeat(255)}a}${'*a'.repeat(200)}b`],
    ['alternatives of stars', `{${`${'*a'.repeat(10)}*b,`.repeat(30)}x}`],
    ['braces that never close', '{'.repeat(1_000)],
    ['brackets that never close', '['.repeat(1_000)],
    ['backslashes', '\\'.repeat(999)],
    ['different alternatives', `*{${distinct}}`],
    ['sets of everything', '[!-~]'.repeat(200)],
  ])('%s', async (_, glob) => {
    const asked = server.ask('GET', `${place}/files?glob=${encodeURIComponent(glob)}`)
    expect(['200', '400 INVALID_ARGUMENTS', '422 PATTERN_TIMEOUT']).toContain(await outcome(asked))
  })

  test.each([
    ['nested braces', '{a,{b,{c,d}}}'.repeat(20)],
    ['a product of braces', '{a,b}'.repeat(40)],
  ])('%s are too many alternatives', async (_, glob) => {
    const asked = server.ask('GET', `${place}/files?glob=${encodeURIComponent(glob)}`)
    expect(await outcome(asked)).toBe('400 INVALID_ARGUMENTS')
  })
})

describe('DOS-4: what is large is refused or cut, and never fails', () => {
  test.each([
    ['deep arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['deep objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['many keys', `{${Array.from({ length: 200_000 }, (_, key) => `"k${key}":1`).join()}}`],
    ['a very long key', `{"${'k'.repeat(1_000_000)}":1}`],
    ['a very long number', `{"edits":${'9'.repeat(1_000_000)}}`],
    ['many edits', `{"edits":[${Array.from({ length: 50_000 }, () => '{}').join()}]}`],
    ['backslashes', `{"message":"${'\\\\'.repeat(500_000)}"}`],
  ])('%s in JSON', async (_, text) => {
    const body = text.startsWith('[') ? `{"edits":${text}}` : text
    const headers = { 'content-type': 'application/json' }
    const asked = server.ask('POST', `${place}/batches`, { body, headers })
    expect(await outcome(asked)).toMatch(/^4(?:00|13) (?:INVALID_ARGUMENTS|TOO_LARGE)$/)
  })

  test.each([
    ['lines', '1-99999999999999999999', 400],
    ['lines', '999999999-999999999', 422],
    ['lines', '1-999999999', 200],
  ])('a read of %s %s', async (field, value, status) => {
    const response = await server.ask('GET', `${place}/file?path=a.txt&${field}=${value}`)
    expect(response.status).toBe(status)
    await response.arrayBuffer()
  })

  test.each([
    ['files?limit=', 400],
    ['batches?limit=', 400],
    ['files?after=', 200],
    ['files?prefix=', 200],
  ])('%s of a huge number', async (query, status) => {
    for (const number of ['99999999999999999999', '9'.repeat(400), '1e308', '-1']) {
      const response = await server.ask('GET', `${place}/${query}${number}`)
      expect([number, response.status]).toEqual([number, status])
      await response.arrayBuffer()
    }
  })

  test('huge numbers in an edit', async () => {
    const base = { path: 'a.txt', expected_rev: await rev('a.txt') }
    for (const number of [1e308, 2 ** 53, -1, 0, 1.5, Number.MAX_SAFE_INTEGER]) {
      for (const edit of [
        { ...base, op: 'insert_lines', line: number, text: 'x' },
        { ...base, op: 'delete_lines', start_line: number, end_line: number },
        { ...base, op: 'delete_lines', start_line: 1, end_line: number },
        { ...base, op: 'replace_text', find: 'one', replace: 'x', expected_count: number },
      ]) {
        const response = await post({ edits: [edit] })
        expect([number, edit.op, response.status < 500]).toEqual([number, edit.op, true])
        expect(response.status).toBeGreaterThanOrEqual(400)
        await response.arrayBuffer()
      }
    }
  })

  test('a whole file of other lines is written, and its patch is bounded', async () => {
    const text = lines(6_000, 'b')
    const edit = { op: 'write_file', path: 'many.txt', expected_rev: await rev('many.txt'), text }
    const response = await post({ edits: [edit] })
    const { files, warnings } = await bodyOf(response)
    expect([response.status, files[0].status]).toEqual([201, 'modified'])
    expect((files[0].patch ?? '').length).toBeLessThan(100_000)
    expect(warnings).toBeDefined()
    const diff = await bodyOf(await server.ask('GET', `${place}/diff`))
    expect(JSON.stringify(diff).length).toBeLessThan(200_000)
  })

  test('a text that stands everywhere in one long line', async () => {
    const base = { path: 'long.txt', expected_rev: await rev('long.txt') }
    for (const edit of [
      { ...base, op: 'replace_text', find: 'a', replace: 'aa' },
      { ...base, op: 'replace_text', find: 'a', replace: 'b'.repeat(60_000), all: true },
      { ...base, op: 'replace_text', find: 'a'.repeat(4_000), replace: '' },
      { ...base, op: 'replace_text', find: `${'a'.repeat(4_000)}b`, replace: '' },
      { ...base, op: 'delete_lines_containing', contains: 'aaab' },
    ]) {
      expect(await outcome(post({ edits: [edit] }))).toMatch(/^4(?:13|22) /)
    }
  })

  test('a file larger than any limit is not read, nor is a sparse one', async () => {
    writeFileSync(join(root, 'sparse.bin'), '')
    truncateSync(join(root, 'sparse.bin'), 16 * 1024 ** 3)
    const path = 'sparse.bin'
    expect(await outcome(server.ask('GET', `${place}/file?path=${path}`))).toBe('413 TOO_LARGE')
    const edit = { op: 'append_lines', path, expected_rev: '0'.repeat(40), text: 'x' }
    expect(await outcome(post({ edits: [edit] }))).toBe('413 TOO_LARGE')
    truncateSync(join(root, 'sparse.bin'), 0)
  })

  test('an answer is cut and says so', async () => {
    const answer = await bodyOf(await server.ask('GET', `${place}/file?path=long.txt&lines=1-`))
    expect([answer.truncated, answer.text.length <= 256 * 1024]).toEqual([true, true])
  })
})

test('DOS-5: a list of very many files is cut, and goes on where it was cut', async () => {
  mkdirSync(join(root, 'very'))
  for (let file = 0; file < 3_000; file += 1) writeFileSync(join(root, 'very', `f${file}`), '')
  const seen: string[] = []
  let after = ''
  for (let page = 0; page < 20; page += 1) {
    const query = `limit=1000&prefix=very/${after && `&after=${after}`}`
    const answer = await bodyOf(await server.ask('GET', `${place}/files?${query}`))
    seen.push(...answer.files)
    expect(answer.files.length).toBeLessThanOrEqual(1_000)
    expect(answer.truncated).toBe(answer.next !== undefined)
    if (!answer.truncated) break
    after = answer.next
  }
  expect(new Set(seen).size).toBe(3_000)
  const unbounded = '/files?limit=100000&max_bytes=100000000'
  const many = await bodyOf(await server.ask('GET', place + unbounded))
  expect([many.files.length, many.truncated]).toEqual([2_000, true])
  const usual = await bodyOf(await server.ask('GET', `${place}/files`))
  expect(usual.files.join('\n').length).toBeLessThan(fixedLimits.filesBytes)
  expect([usual.files.length < 2_000, usual.truncated]).toEqual([true, true])
})

test('after all this the server works as before', async () => {
  expect(server.logged.filter(line => line.includes('unexpected'))).toEqual([])
  expect(await outcome(server.ask('GET', `${place}/file?path=a.txt`))).toBe('200')
})
