import { encode } from 'gpt-tokenizer'
import { describe, expect, test } from 'vitest'
import type { ToolSettings } from '#src/commands/tool.js'
import { toolInstructions } from '#src/commands/tool-instructions.js'
import { toolList } from '#src/commands/tool-list.js'
import { toolWords } from '#src/commands/tool-words.js'
import { catalogue } from '#src/core/error-catalogue.js'
import { Refusal, type RefusalCode } from '#src/core/errors.js'
import { dialectNames } from '#src/edit/dialects/registry.js'
import { openGateway } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'
import { connect } from './client.js'
import { schemaFaults } from './schema-lint.js'

const settings: readonly (readonly [string, ToolSettings])[] = [
  ['as it comes', {}],
  ['degraded', { degraded: true }],
  ...dialectNames.map((name): [string, ToolSettings] => [
    `with ${name} alone`,
    { dialects: [name] },
  ]),
  ['with two dialects', { dialects: ['search_replace', 'unified_diff'] }],
]

describe.each(settings)('the tools %s', (_, chosen) => {
  const tools = toolList(chosen)

  test('are few, with names that every client takes', () => {
    expect(tools.length).toBeGreaterThan(5)
    expect(tools.length).toBeLessThanOrEqual(15)
    expect(tools.filter(({ name }) => !/^[a-z_]{1,40}$/.test(name))).toEqual([])
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  })

  test.each(tools.map(tool => [tool.name, tool] as const))(
    '%s has a schema that works everywhere',
    (_name, tool) => expect(schemaFaults(tool.schema)).toEqual([]),
  )

  test('are described in less than clients cut', () => {
    const long = tools.filter(({ description }) => bytes(description) >= 2_000)
    expect(long.map(({ name }) => name)).toEqual([])
    expect(tools.filter(({ description }) => description === '')).toEqual([])
    expect(bytes(toolInstructions(chosen))).toBeLessThan(2_000)
  })

  test('are the only ones that instructions and refusals speak of', () => {
    const words = toolWords(chosen)
    const codes = Object.keys(catalogue) as RefusalCode[]
    const said = [
      toolInstructions(chosen),
      ...tools.map(({ description }) => description),
      ...codes.map(code => new Refusal(code).inWords(words).message),
    ].join('\n')
    const all = new Set(settings.flatMap(([, one]) => toolList(one).map(({ name }) => name)))
    const strangers = [...all].filter(name => !tools.some(tool => tool.name === name))
    expect(strangers.filter(name => said.includes(name))).toEqual([])
  })
})

const broken: readonly (readonly [string, unknown, string])[] = [
  ['a union at the root', { anyOf: [] }, 'root has type undefined'],
  ['a type of several', field({ type: ['string', 'null'] }), 'root.a has type string,null'],
  ['const', field({ type: 'string', const: 'x' }), 'root.a has const'],
  ['nullable', field({ type: 'string', nullable: true }), 'root.a has nullable'],
  ['a pattern', field({ type: 'string', pattern: 'x' }), 'root.a has pattern'],
  ['$ref', field({ $ref: '#/x' }), 'root.a has type undefined'],
  ['a tuple', field({ type: 'array', prefixItems: [] }), 'root.a has prefixItems'],
  ['an open map', field({ type: 'object', properties: {}, required: [] }), 'root.a is an open map'],
  ['numbers in an enum', field({ type: 'string', enum: [1] }), 'root.a enumerates what is no text'],
  ['a default', field({ type: 'string', default: 'x' }), 'root.a has default'],
  ['no description', field({ type: 'string', description: '' }), 'root.a is not described'],
]

test.each(broken)('the walk over the schemas finds %s', (_, schema, fault) =>
  expect(schemaFaults(schema)).toContain(fault),
)

function field(schema: object): object {
  const a = { description: 'd', ...schema }
  return { type: 'object', properties: { a }, required: [], additionalProperties: false }
}

test('what a client is told is the golden list, and costs few tokens', async () => {
  const { gateway } = await openGateway(await makeRepository({ 'a.txt': 'one\n' }))
  const { client } = await connect(gateway)
  const { tools } = await client.listTools()
  const told = { instructions: client.getInstructions(), tools }
  const tokens = tools.map(tool => encode(JSON.stringify(tool)).length)
  const instructions = encode(told.instructions ?? '').length
  const total = instructions + tokens.reduce((sum, one) => sum + one, 0)
  console.info(
    `${tools.length} tools and instructions: ${total} tokens (instructions ${instructions})`,
  )
  await expect(`${JSON.stringify(told, null, 2)}\n`).toMatchFileSnapshot('golden/tools.txt')
  expect(total).toBeLessThan(4_000)
  for (const { annotations = {} } of tools) {
    expect(Object.keys(annotations).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ])
    expect(Object.values(annotations).every(hint => typeof hint === 'boolean')).toBe(true)
  }
})

function bytes(text: string): number {
  return new TextEncoder().encode(text).length
}
