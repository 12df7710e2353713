import { describe, expect, test } from 'vitest'
import { providerSchemas, providers } from '#src/commands/provider-schemas.js'
import { toolList } from '#src/commands/tool-list.js'
import { runProgram } from '../faces/cli/run.js'

describe.each(providers)('the definitions for %s', provider => {
  test.each([false, true])('are those of the tools, degraded: %s', degraded => {
    const text = JSON.stringify(providerSchemas(provider, { degraded }))
    const names = toolList({ degraded }).map(({ name }) => name)
    expect(names.filter(name => !text.includes(`"name":"${name}"`))).toEqual([])
    // Schemas themselves are walked over where the tools are tested; here only what a provider adds.
    expect(text).not.toMatch(/"(?:anyOf|oneOf|allOf|const|nullable|\$ref)":/)
  })

  test('degraded, no tool takes a long text at once but draft_write', () => {
    const [short, all] = [true, false].map(degraded =>
      JSON.stringify(providerSchemas(provider, { degraded })),
    )
    for (const long of ['"apply_patch"', '"replace_symbol"', '"content_base64"']) {
      expect([long, short?.includes(long), all?.includes(long)]).toEqual([long, false, true])
    }
    expect(short).toContain('"enum":["replace_text","delete_text"]')
    expect(short).toContain('draft_write')
  })
})

test('each provider has its own shape', () => {
  const [openai] = providerSchemas('openai', {})
  expect(openai).toMatchObject({
    type: 'function',
    function: {
      name: expect.any(String),
      strict: false,
      parameters: { type: 'object', additionalProperties: false },
    },
  })
  expect(providerSchemas('anthropic', {})[0]).toMatchObject({
    name: expect.any(String),
    input_schema: { type: 'object' },
  })
  const [gemini, ...others] = providerSchemas('gemini', {})
  expect([others, JSON.stringify(gemini).includes('additionalProperties')]).toEqual([[], false])
})

test('the command line prints them, and refuses what there is not', async () => {
  const printed = await runProgram([
    'schemas',
    '--provider',
    'anthropic',
    '--degraded',
    '--dialects',
    'ops',
  ])
  expect(JSON.parse(printed.stdout)).toEqual(
    providerSchemas('anthropic', { degraded: true, dialects: ['ops'] }),
  )
  expect((await runProgram(['schemas'])).code).toBe(2)
  expect((await runProgram(['schemas', '--provider', 'gemini', '--dialects', 'x'])).code).toBe(3)
})
