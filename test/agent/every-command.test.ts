import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { places } from '#src/agent/api.js'
import type { EditlatchClient } from '#src/agent/client.js'
import { createClient, EditlatchRefusal, isRefusal } from '#src/agent/client.js'
import { startServer } from '../faces/http/server.js'
import { document, invalid, operationOf, undocumented } from '../support/api-document.js'

const server = await startServer({ 'a.ts': 'export const a = 1\n', 'b.txt': 'one\ntwo\n' })

/** Every answer that the client gets is held against the document on its way. */
const compared: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const operation = operationOf(init?.method ?? 'GET', new URL(String(input)).pathname)
  const type = response.headers.get('content-type')
  if (type === 'text/event-stream') return response
  const { status, headers } = response
  const body = type === 'application/octet-stream' ? '' : await response.clone().text()
  expect(operation && undocumented(operation, { status, headers, body })).toEqual([])
  return response
}

const called = new Set<string>()
const all = counting(
  createClient({ url: server.url, token: server.tokens.server, fetch: compared }),
)
const alice = counting(all.withToken(async () => server.tokens.alice))
const { worktrees } = await all.worktrees()
const { id, path: directory } = worktrees.find(({ agent }) => agent === 'alice') ?? {
  id: '',
  path: '',
}
const ask = { worktree: id }

/** The same client, whose calls are counted. */
function counting(client: EditlatchClient): EditlatchClient {
  return new Proxy(client, {
    get: (target, name, receiver) => {
      called.add(String(name))
      return Reflect.get(target, name, receiver)
    },
  })
}

describe('each command does over the client what it does on the server', () => {
  test('repositories, worktrees, state', async () => {
    const { repositories } = await all.repos()
    const opened = await all.open({ agent: 'carol', model: 'm' })
    const carol = counting(all.withToken(opened.token))
    const state = await carol.state({ worktree: opened.id })
    expect([repositories.length, opened.agent, state.unlanded_commits]).toEqual([1, 'carol', 0])
    expect(await all.close({ worktree: opened.id })).toEqual({ id: opened.id, closed: true })
  })

  test('reading as text, as bytes, and what is unchanged', async () => {
    const file = await alice.read({ ...ask, path: 'b.txt', lines: '2-' })
    const raw = await alice.read({ ...ask, path: 'b.txt', raw: true })
    const known = await alice.read({ ...ask, path: 'b.txt', known_rev: file.rev })
    const other = await alice.read({ ...ask, path: 'b.txt', raw: true, known_rev: 'x' })
    expect([file.text, raw.rev, new TextDecoder().decode(raw.bytes), known]).toEqual([
      'two\n',
      file.rev,
      'one\ntwo\n',
      'unchanged',
    ])
    expect(other).toEqual(raw)
    expect(await alice.files({ ...ask, glob: '*.txt' })).toMatchObject({ files: ['b.txt'] })
    expect(await alice.symbols({ ...ask, path: 'a.ts' })).toMatchObject({ language: 'typescript' })
    const found = await alice.search({ ...ask, pattern: 'tw.$', mode: 'regex' })
    const again = await alice.search({
      ...ask,
      pattern: 'tw.$',
      mode: 'regex',
      if_result: found.result,
    })
    expect([found, again]).toMatchObject([{ files: [{ path: 'b.txt' }] }, { same: true }])
    expect(await alice.map(ask)).toMatchObject({ total_files: 2, truncated: false })
  })

  test('editing, history and undoing', async () => {
    const { rev } = await alice.read({ ...ask, path: 'b.txt' })
    const edits = [
      { op: 'replace_text', path: 'b.txt', expected_rev: rev, find: 'one', replace: 'ONE' },
    ] as const
    const dry = await alice.edit({ ...ask, edits, dry_run: true })
    const done = await alice.edit({ ...ask, edits, message: 'Shout', idempotency_key: 'k1' })
    const again = await alice.edit({ ...ask, edits, message: 'Shout', idempotency_key: 'k1' })
    expect([dry.commit, done.commit, again.commit]).toEqual([
      null,
      again.commit,
      expect.any(String),
    ])
    const commit = done.commit ?? ''
    const { batches } = await alice.log({ ...ask, limit: 1 })
    expect([batches[0]?.commit, batches[0]?.key]).toEqual([commit, 'k1'])
    expect((await alice.batch({ ...ask, commit })).receipt.commit).toBe(commit)
    const undone = await alice.revert({ ...ask, commit, idempotency_key: 'k2' })
    expect(undone.files[0]?.after_rev).toBe(rev)
  })

  test('a text in pieces, landed as one commit', async () => {
    const { draft } = await alice.draftWrite({ ...ask, draft: 'long', after_lines: 0, text: 'x\n' })
    await alice.draftWrite({ ...ask, draft, after_lines: 1, text: 'y\n' })
    const landed = {
      ...ask,
      draft,
      path: 'long.txt',
      expected_rev: 'new',
      op: 'write_file',
    } as const
    expect((await alice.draftCommit(landed)).files).toMatchObject([{ path: 'long.txt' }])
    const { files } = await alice.read({ ...ask, paths: ['long.txt', 'none.txt'] })
    expect(files).toMatchObject([{ text: 'x\ny\n' }, { refused: { code: 'FILE_NOT_FOUND' } }])
  })

  test('a diff is marked only where that is asked for', async () => {
    const before = await alice.diff(ask)
    const marked = await alice.diff({ ...ask, mark: true })
    const after = await alice.diff({ ...ask, mark: false })
    expect([before.to, marked.to, after.from]).toEqual([marked.to, after.from, after.to])
  })

  test('writing bytes, with and without a revision', async () => {
    const content = new Uint8Array([0, 255, 10])
    const made = await alice.write({ ...ask, path: 'c d&é.bin', content, must_not_exist: true })
    const rev = made.files[0]?.after_rev ?? ''
    const told = await alice.write({ ...ask, path: 'c d&é.bin', content, expected_rev: rev })
    const { bytes } = await alice.read({ ...ask, path: 'c d&é.bin', raw: true })
    expect([told.already_applied, [...bytes]]).toEqual([true, [0, 255, 10]])
  })

  test('what was changed outside, files that are not there, and upkeep', async () => {
    await writeFile(join(directory, 'outside.txt'), 'x\n')
    expect((await alice.snapshot({ ...ask, message: 'Outside' })).commit).not.toBeNull()
    expect(await alice.materialise(ask)).toMatchObject({ written: 0, absent_files: 0 })
    expect(await alice.verify(ask)).toMatchObject({ ok: true, problems: [] })
    expect((await all.doctor()).checks.length).toBeGreaterThan(0)
  })

  test('events, until the signal says that it is over', async () => {
    const stop = new AbortController()
    const seen: string[] = []
    const schema = document.components.schemas.GatewayEvent ?? {}
    const { batches } = await alice.log(ask)
    for await (const event of alice.events({ since: 1 }, { signal: stop.signal })) {
      expect(invalid('GatewayEvent', schema, event)).toEqual([])
      seen.push(event.type)
      if (seen.filter(type => type === 'batch').length === batches.length) stop.abort()
    }
    expect(seen[0]).toBe('missed')
  })

  test('none was left out', () => {
    expect(Object.keys(places).filter(name => !called.has(name))).toEqual([])
    console.log(`${Object.keys(places).length} commands asked through the client`)
  })
})

describe('what is refused', () => {
  const refused = async (asked: Promise<unknown>): Promise<EditlatchRefusal> => {
    const error = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error instanceof EditlatchRefusal) return error
    throw error
  }

  test('is an error with its code, status, next action and data', async () => {
    const { rev } = await alice.read({ ...ask, path: 'b.txt' })
    const write = (text: string, expected_rev: string): Promise<unknown> =>
      alice.edit({ ...ask, edits: [{ op: 'write_file', path: 'b.txt', expected_rev, text }] })
    await write('changed\n', rev)
    const error = await refused(write('lost\n', rev))
    const { code, status, nextAction, data, message, name } = error
    expect([name, code, status, nextAction]).toEqual([
      'EditlatchRefusal',
      'CONTENT_REV_CONFLICT',
      409,
      'use_rev',
    ])
    expect([data.expected, typeof data.actual, String(data.patch).includes('+changed')]).toEqual([
      rev,
      'string',
      true,
    ])
    expect([message.startsWith('The file is no longer'), 'title' in data, 'code' in data]).toEqual([
      true,
      false,
      false,
    ])
    expect([isRefusal(error), isRefusal(error, 'LOCKED'), isRefusal(new Error())]).toEqual([
      true,
      false,
      false,
    ])
  })

  test.each<[string, () => Promise<unknown>, string]>([
    ['the token of another', () => alice.state({ worktree: 'bob' }), 'FORBIDDEN'],
    ['no token', () => all.withToken('none').repos(), 'UNAUTHENTICATED'],
    ['a file that is not there', () => alice.read({ ...ask, path: 'no' }), 'FILE_NOT_FOUND'],
    [
      'a header',
      () =>
        alice.write({
          ...ask,
          path: 'b.txt',
          content: new Uint8Array(),
          expected_rev: '0'.repeat(40),
        }),
      'CONTENT_REV_CONFLICT',
    ],
  ])('%s', async (_, asked, code) => expect((await refused(asked())).code).toBe(code))

  test('what cannot be said is a mistake of the program', async () => {
    const wrong = { ...ask, path: 'b.txt', pathe: 1 }
    await expect(alice.read(wrong)).rejects.toThrow('read has no field pathe')
    await expect(alice.state({ worktree: '' })).rejects.toThrow('state needs worktree')
    expect(() => createClient({ url: 'ftp://a', token: '' })).toThrow('http')
  })
})
