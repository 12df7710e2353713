import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { commands } from '#src/commands/registry.js'
import { catalogue } from '#src/core/error-catalogue.js'
import { openApiDocument } from '#src/faces/http/openapi/document.js'
import { document, operationOf, operations, undocumented } from '../../../support/api-document.js'
import { outlineDocument } from '../../../support/outline-document.js'
import { bodyOf, startServer } from '../server.js'

const server = await startServer({ 'a.txt': 'one\n' })

test('it is an OpenAPI document', async () => {
  const { valid, errors } = await new Validator().validate({ ...openApiDocument() })
  expect([valid, errors ?? []]).toEqual([true, []])
})

test('it says what was published; `vitest -u` writes it anew, to be read before it is committed', () =>
  expect(outlineDocument()).toMatchFileSnapshot('golden/openapi.txt'))

test('it is served to everybody', async () => {
  const response = await server.ask('GET', '/openapi.json', { headers: { authorization: '' } })
  expect([response.status, await bodyOf(response)]).toEqual([200, document])
})

test('every route of the command list stands in it, and every command says what it answers', () => {
  const routes = commands.flatMap(({ routes }) =>
    routes.map(({ method, path }) => operationOf(method, path.replaceAll(':', ''))?.operationId),
  )
  const silent = commands.filter(({ output }) => output.schema.type === 'unknown')
  expect(new Set(routes).size).toBe(commands.flatMap(command => command.routes).length)
  expect([routes.includes(undefined), silent.map(({ name }) => name)]).toEqual([false, []])
  console.log(`${operations.length} operations of ${commands.length} commands`)
})

test('every code that can be answered stands at some route', () => {
  const said = new Set(JSON.stringify(document.paths).match(/\b[A-Z]+(?:_[A-Z]+)+\b/g))
  const unsaid = Object.keys(catalogue).filter(code => code.includes('_') && !said.has(code))
  expect(unsaid).toEqual(['INVALID_SETTINGS', 'UNSAFE_TOKEN_FILE', 'METHOD_NOT_ALLOWED'])
})

const read = operationOf('GET', '/v1/worktrees/alice/file')
const json = { 'content-type': 'application/json', etag: '"1"' }

test.each<[string, number, Readonly<Record<string, string>>, string]>([
  ['a status', 299, json, '{}'],
  ['a type', 200, { ...json, 'content-type': 'text/html' }, ''],
  ['a header that is missing', 200, { 'content-type': 'application/json' }, '{}'],
  ['a field that is missing', 200, json, '{}'],
  [
    'a code of another route',
    409,
    { 'content-type': 'application/problem+json' },
    '{"code":"UNLANDED"}',
  ],
])('%s that is not documented is seen', (_, status, headers, body) => {
  const answered = { status, headers: new Headers(headers), body }
  expect(read === undefined ? [] : undocumented(read, answered)).not.toEqual([])
})

test('a field that is not documented is seen', async () => {
  const response = await server.ask('GET', '/v1/worktrees/alice')
  const operation = operationOf('GET', '/v1/worktrees/alice')
  const body = JSON.stringify({ ...(await bodyOf(response)), more: 1 })
  const { status, headers } = response
  expect(operation && undocumented(operation, { status, headers, body })).toEqual([
    'state 200  must NOT have additional properties {"additionalProperty":"more"}',
  ])
})
