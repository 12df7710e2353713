import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { settingNames, settingOf, variableOf } from '#src/settings/table.js'
import { runProgram } from './faces/cli/run.js'

const read = (name: string): ReturnType<typeof JSON.parse> =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8'))

const server = read('server.json')
const manifest = read('package.json')

/** One exact version: the registry takes neither ranges nor `latest`. */
const version = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/)

const input = {
  description: z.string().min(1),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
}

const positional = z
  .strictObject({
    ...input,
    description: input.description.optional(),
    type: z.literal('positional'),
    value: z.string().optional(),
    valueHint: z.string().optional(),
  })
  .refine(({ value, valueHint }) => value !== undefined || valueHint !== undefined)

/** What the registry asks of the file, as far as it concerns a package of npm. */
const registryRules = z.strictObject({
  $schema: z.literal(
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(
      /^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?\/[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?$/,
    ),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string().min(1),
        version,
        runtimeHint: z.literal('npx'),
        runtimeArguments: z.array(positional),
        packageArguments: z.array(positional),
        environmentVariables: z.array(
          z.strictObject({ ...input, name: z.string().regex(/^[A-Z_]+$/) }),
        ),
        transport: z.strictObject({ type: z.literal('stdio') }),
      }),
    )
    .length(1),
})

test('server.json is as the registry asks', () => {
  expect(registryRules.safeParse(server).error?.issues).toBeUndefined()
})

test.each([
  ['a name without its namespace', { name: 'editlatch' }],
  ['a long description', { description: 'x'.repeat(101) }],
  ['a range', { version: '^0.1.0' }],
  ['latest', { version: 'latest' }],
  ['no package', { packages: [] }],
])('%s is not', (_, change) => {
  expect(registryRules.safeParse({ ...server, ...change }).success).toBe(false)
})

test('it speaks of the package that it lies in', () => {
  const [one] = server.packages
  expect([server.name, server.version, one.version, one.identifier]).toEqual([
    manifest.mcpName,
    manifest.version,
    manifest.version,
    manifest.name,
  ])
  expect(manifest.files).toContain('server.json')
})

test('its arguments start us, and its variables are settings of ours', async () => {
  const [one] = server.packages
  const given = one.packageArguments.flatMap(
    ({ value }: { readonly value?: string }) => value ?? [],
  )
  const { code, stdout } = await runProgram([...given, '--help'])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^Usage: editlatch mcp .*\[repo\.\.\.\]/),
  ])
  const known = settingNames.filter(name => settingOf(name).faces.includes('mcp')).map(variableOf)
  const named = one.environmentVariables.map(({ name }: { readonly name: string }) => name)
  expect(named.filter((name: string) => !known.includes(name))).toEqual([])
})
