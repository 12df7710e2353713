import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type AskOptions,
  bodyOf,
  type Json,
  outcome,
  startServer,
  type TestServer,
} from './server.js'

const files = { 'a.txt': 'one\ntwo\n', 'b.bin': new Uint8Array([0, 255, 1]) }
const place = '/v1/worktrees/alice'

const blobId = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

const revOf = (text: string): string => blobId(new TextEncoder().encode(text))

async function json(
  server: TestServer,
  method: string,
  path: string,
  options: AskOptions = {},
): Promise<Json> {
  const response = await server.ask(method, path, options)
  return { status: response.status, ...(await bodyOf(response)) }
}

describe('reading', async () => {
  const server = await startServer(files)
  const path = `${place}/file?path=a.txt`

  test('a file is answered with its revision as rev and ETag', async () => {
    const response = await server.ask('GET', path)
    const { rev, text } = await bodyOf(response)
    expect([response.headers.get('etag'), rev, text]).toEqual([
      `"${revOf('one\ntwo\n')}"`,
      revOf('one\ntwo\n'),
      'one\ntwo\n',
    ])
  })

  test('some lines, numbered', async () => {
    const { text } = await json(server, 'GET', `${path}&lines=2-2&view=numbered`)
    expect(text).toContain('2\ttwo')
  })

  test('the bytes of the blob hash to its ETag', async () => {
    const response = await server.ask('GET', `${place}/file?path=b.bin`, {
      headers: { accept: 'application/octet-stream' },
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect([bytes, response.headers.get('etag')]).toEqual([files['b.bin'], `"${blobId(bytes)}"`])
  })

  test.each([
    ['its revision', `"${revOf('one\ntwo\n')}"`, '304'],
    ['one of several', `"x", W/"${revOf('one\ntwo\n')}"`, '304'],
    ['anything', '*', '304'],
    ['another', '"x"', '200'],
    ['something that is no tag', 'x', '400 INVALID_ARGUMENTS'],
  ])('If-None-Match with %s', async (_, tag, expected) => {
    const headers = { 'if-none-match': tag }
    expect(await outcome(server.ask('GET', path, { headers }))).toBe(expected)
  })

  test.each([
    ['missing.txt', '404 FILE_NOT_FOUND'],
    ['../a.txt', '400 BAD_PATH'],
    ['/etc/passwd', '400 BAD_PATH'],
    ['a%00.txt', '400 BAD_PATH'],
    ['.git/config', '403 PROTECTED_PATH'],
  ])('PATH-1: %s is %s', async (file, expected) =>
    expect(await outcome(server.ask('GET', `${place}/file?path=${file}`))).toBe(expected),
  )

  test('files are listed', async () =>
    expect((await json(server, 'GET', `${place}/files`)).files).toEqual(['a.txt', 'b.bin']))
})

describe('writing a whole file', async () => {
  const server = await startServer(files)
  const put = (query: string, options: AskOptions): Promise<string> =>
    outcome(server.ask('PUT', `${place}/file?${query}`, options))

  test('CAS-1: without a revision it is 428', async () =>
    expect(await put('path=a.txt', { body: 'x' })).toBe('428 CONTENT_REV_REQUIRED'))

  test('If-Match: * vouches for nothing', async () =>
    expect(await put('path=a.txt', { body: 'x', headers: { 'if-match': '*' } })).toBe(
      '428 CONTENT_REV_REQUIRED',
    ))

  test('a revision that has moved is 412 and tells the actual one', async () => {
    const headers = { 'if-match': `"${'0'.repeat(40)}"` }
    const answer = await json(server, 'PUT', `${place}/file?path=a.txt`, { body: 'x', headers })
    expect([answer.status, answer.code, answer.actual]).toEqual([
      412,
      'CONTENT_REV_CONFLICT',
      revOf('one\ntwo\n'),
    ])
  })

  test('If-None-Match: * on a file that is there is 412', async () =>
    expect(await put('path=a.txt', { body: 'x', headers: { 'if-none-match': '*' } })).toBe(
      '412 PATH_EXISTS',
    ))

  test('both at once is refused', async () => {
    const headers = { 'if-match': '"x"', 'if-none-match': '*' }
    expect(await put('path=a.txt', { body: 'x', headers })).toBe('400 INVALID_ARGUMENTS')
  })

  test('a dry run writes nothing', async () => {
    const headers = { 'if-none-match': '*' }
    expect(await put('path=new.txt&dry_run=true', { body: 'x', headers })).toBe('200')
    expect(await outcome(server.ask('GET', `${place}/file?path=new.txt`))).toBe(
      '404 FILE_NOT_FOUND',
    )
  })

  test('bytes of any kind arrive as they are, as one commit', async () => {
    const body = new Uint8Array([0, 13, 10, 255, 0xef, 0xbb, 0xbf])
    const path = `${place}/file?path=new.bin&message=Add%20it`
    const receipt = await json(server, 'PUT', path, { body, headers: { 'if-none-match': '*' } })
    expect([receipt.status, receipt.files[0].after_rev]).toEqual([201, blobId(body)])
    expect(await server.repository.git('log', '-1', '--format=%s', receipt.commit)).toBe('Add it')
  })

  test('an empty file is a file', async () =>
    expect(await put('path=empty', { body: '', headers: { 'if-none-match': '*' } })).toBe('201'))

  test('the revision that was read lets it through', async () => {
    const headers = { 'if-match': `"${revOf('one\ntwo\n')}"` }
    expect(await put('path=a.txt', { body: 'three\n', headers })).toBe('201')
  })
})

describe('editing', async () => {
  const server = await startServer(files)
  const create = (path: string, more: object = {}) => ({
    json: { edits: [{ op: 'write_file', path, expected_rev: null, text: 'x\n' }], ...more },
  })

  test('a batch is one commit', async () => {
    const receipt = await json(server, 'POST', `${place}/batches`, create('c.txt'))
    expect([receipt.status, receipt.dry_run, receipt.files[0].path]).toEqual([201, false, 'c.txt'])
    expect(await server.repository.git('rev-parse', 'agent/alice')).toBe(receipt.commit)
  })

  test('a dry run is 200 and commits nothing', async () => {
    const before = await server.repository.git('rev-parse', 'agent/alice')
    const receipt = await json(
      server,
      'POST',
      `${place}/batches`,
      create('d.txt', { dry_run: true }),
    )
    expect([receipt.status, receipt.commit]).toEqual([200, null])
    expect(await server.repository.git('rev-parse', 'agent/alice')).toBe(before)
  })

  test('CAS-5: the same key and body answer the first receipt again', async () => {
    const options = { ...create('k.txt'), headers: { 'idempotency-key': 'key-1' } }
    const first = await json(server, 'POST', `${place}/batches`, options)
    const inBody = create('k.txt', { idempotency_key: 'key-1' })
    const second = await json(server, 'POST', `${place}/batches`, inBody)
    expect([second.status, second.commit]).toEqual([201, first.commit])
  })

  test('the same key with another body is refused', async () =>
    expect(
      await outcome(
        server.ask('POST', `${place}/batches`, create('l.txt', { idempotency_key: 'key-1' })),
      ),
    ).toBe('422 KEY_REUSED'))

  test('CAS-1: an edit without a revision is 428', async () => {
    const edits = [{ op: 'write_file', path: 'a.txt', text: 'x' }]
    expect(await outcome(server.ask('POST', `${place}/batches`, { json: { edits } }))).toBe(
      '428 CONTENT_REV_REQUIRED',
    )
  })

  test('a conflict is 409 and tells the actual revision', async () => {
    const edits = [{ op: 'write_file', path: 'a.txt', expected_rev: '0'.repeat(40), text: 'x' }]
    const answer = await json(server, 'POST', `${place}/batches`, { json: { edits } })
    expect([answer.status, answer.code, answer.actual]).toEqual([
      409,
      'CONTENT_REV_CONFLICT',
      revOf('one\ntwo\n'),
    ])
  })
})

describe('what was done', async () => {
  const server = await startServer(files)
  const edits = [{ op: 'write_file', path: 'n.txt', expected_rev: null, text: 'n\n' }]
  const made = await json(server, 'POST', `${place}/batches`, { json: { edits, message: 'Add n' } })

  test('GET of the diff changes nothing, POST marks it reported', async () => {
    const paths = async (method: string): Promise<string[]> =>
      (await json(server, method, `${place}/diff`)).files.map((file: { path: string }) => file.path)
    expect(await paths('GET')).toEqual(['n.txt'])
    expect(await paths('GET')).toEqual(['n.txt'])
    expect(await paths('POST')).toEqual(['n.txt'])
    expect(await paths('GET')).toEqual([])
  })

  test('it is in the log', async () => {
    const { batches } = await json(server, 'GET', `${place}/batches?limit=5`)
    expect([batches[0].commit, batches[0].subject, batches[0].agent]).toEqual([
      made.commit,
      'Add n',
      'alice',
    ])
  })

  test('its receipt can be read again', async () => {
    const { receipt } = await json(server, 'GET', `${place}/batches/${made.commit}`)
    expect([receipt.commit, receipt.files[0].path]).toEqual([made.commit, 'n.txt'])
  })

  test('the state tells where the branch stands', async () => {
    const state = await json(server, 'GET', `${place}/state`)
    expect([state.head, state.branch, state.unlanded_commits]).toEqual([
      made.commit,
      'agent/alice',
      1,
    ])
  })

  test('closing is refused while work is unlanded, then forced by a person', async () => {
    expect(await outcome(server.ask('DELETE', place))).toBe('409 UNLANDED')
    const options = { token: server.tokens.server }
    const closed = await json(server, 'DELETE', `${place}?force=true`, options)
    expect([closed.status, closed.closed]).toEqual([200, true])
  })
})

test('a batch can be undone, and what was changed outside is committed when asked', async () => {
  const server = await startServer(files)
  const edits = [{ op: 'delete_file', path: 'a.txt', expected_rev: revOf('one\ntwo\n') }]
  const { commit } = await json(server, 'POST', `${place}/batches`, { json: { edits } })
  const undone = await json(server, 'POST', `${place}/batches/${commit}/revert`)
  expect([undone.status, undone.files[0].path]).toEqual([201, 'a.txt'])
  const nothing = await json(server, 'POST', `${place}/snapshot`)
  expect([nothing.status, nothing.commit]).toEqual([200, null])
})

test('the numbers count batches, reads and conflicts', async () => {
  const server = await startServer(files)
  const edits = [{ op: 'write_file', path: 'n', expected_rev: null, text: 'n' }]
  await outcome(server.ask('POST', `${place}/batches`, { json: { edits } }))
  await outcome(server.ask('POST', `${place}/batches`, { json: { edits } }))
  await outcome(server.ask('GET', `${place}/file?path=a.txt`))
  const response = await server.ask('GET', '/metrics', { token: server.tokens.server })
  const text = await response.text()
  expect(text).toMatch(/editlatch_batches_total\{result="committed",code=""\} 1/)
  expect(text).toMatch(/editlatch_batches_total\{result="refused",code="PATH_EXISTS"\} 1/)
  expect(text).toMatch(/editlatch_read_duration_seconds_count 1/)
  expect(text).toMatch(/route="\/v1\/worktrees\/:worktree\/batches",status="201"\} 1/)
})
