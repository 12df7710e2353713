import { expect, test } from 'vitest'
import { catalogue } from '#src/core/error-catalogue.js'
import { Refusal, type RefusalCode } from '#src/core/errors.js'
import { toProblem } from '#src/faces/http/problem.js'

const silent = { info: () => undefined, error: () => undefined }

test('a refusal is a problem of RFC 9457', () => {
  const problem = toProblem(new Refusal('FILE_NOT_FOUND', { path: 'a' }), silent)
  expect({ ...problem, body: JSON.parse(problem.body) }).toEqual({
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
    body: {
      type: 'urn:editlatch:problem:file_not_found',
      title: 'Not Found',
      status: 404,
      detail: new Refusal('FILE_NOT_FOUND').message,
      code: 'FILE_NOT_FOUND',
      next_action: 'reread',
      path: 'a',
    },
  })
})

test('data never replaces what a problem says itself', () => {
  const refusal = new Refusal('TOO_LARGE', { status: 200, code: 'OK', detail: 'fine' })
  const { status, code, detail } = JSON.parse(toProblem(refusal, silent).body)
  expect([status, code, detail]).toEqual([413, 'TOO_LARGE', new Refusal('TOO_LARGE').message])
})

test.each(Object.keys(catalogue))('%s has a title and the status of the catalogue', code => {
  const entry = catalogue[code as RefusalCode]
  const { title, status } = JSON.parse(toProblem(new Refusal(code as RefusalCode), silent).body)
  expect([typeof title, status]).toEqual(['string', entry.status])
})

test.each<[RefusalCode, string, string]>([
  ['UNAUTHENTICATED', 'www-authenticate', 'Bearer realm="editlatch"'],
  ['RATE_LIMITED', 'retry-after', '1'],
  ['IO_FAULT', 'retry-after', '1'],
])('%s carries %s', (code, name, value) =>
  expect(toProblem(new Refusal(code), silent).headers[name]).toBe(value),
)

test('a bug is written down and nothing of it goes out', () => {
  const written: unknown[] = []
  const log = { ...silent, error: (fields: object) => written.push(fields) }
  const bug = new Error('the secret is xyzzy')
  const { status, body } = toProblem(bug, log)
  const { instance } = JSON.parse(body)
  expect([status, body.includes('xyzzy')]).toEqual([500, false])
  expect(written).toEqual([{ err: bug, instance }])
})
