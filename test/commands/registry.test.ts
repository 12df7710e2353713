import { expect, test } from 'vitest'
import { describeField, fieldKind, fieldsIn, sourcesOf } from '#src/commands/bind.js'
import type { Command } from '#src/commands/command.js'
import { commands } from '#src/commands/registry.js'

const cases = commands.map((command): [string, Command] => [command.name, command])

test('names are unique', () =>
  expect(new Set(commands.map(command => command.name)).size).toBe(commands.length))

test('no two commands answer the same route', () => {
  const routes = commands.flatMap(({ routes }) =>
    routes.map(({ method, path }) => `${method} ${path}`),
  )
  expect(new Set(routes).size).toBe(routes.length)
})

test.each(cases)('%s binds each field of its input and no other', (_, command) =>
  expect(Object.keys(command.bind).sort()).toEqual(Object.keys(command.input.shape).sort()),
)

test.each(cases)('%s says what each field means', (_, command) => {
  const silent = Object.keys(command.bind).filter(field => describeField(command, field) === '')
  expect(silent).toEqual([])
})

test.each(cases)('%s finds each path parameter in each of its routes', (_, command) => {
  const parameters = fieldsIn(command, 'path').sort()
  for (const { path } of command.routes) {
    expect([...path.matchAll(/:(\w+)/g)].map(([, name]) => name).sort()).toEqual(parameters)
  }
})

test.each(cases)('%s takes a body only where the method has one', (_, command) => {
  const takesBody = fieldsIn(command, 'json').length + fieldsIn(command, 'raw-body').length > 0
  const methods = command.routes.map(route => route.method)
  expect(takesBody && methods.some(method => method === 'GET' || method === 'DELETE')).toBe(false)
})

test.each(cases)('%s places what only JSON can say in a JSON body', (_, command) => {
  const documents = Object.keys(command.bind).filter(
    field => fieldKind(command, field) === 'document',
  )
  for (const field of documents) expect(sourcesOf(command, field)).toContain('json')
})

test.each(cases)('%s changes nothing by GET', (_, command) => {
  const isReading = command.routes.every(route => route.method === 'GET')
  expect(isReading && command.access === 'edit').toBe(false)
})
