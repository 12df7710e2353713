import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { places } from '#src/agent/api.js'
import { commands } from '#src/commands/registry.js'
import { apiSource } from '../../scripts/client/api-source.mjs'
import { parseSource } from '../support/source-file.js'

test('what the client knows of the commands is fresh; `npm run client` writes it anew', () => {
  expect(readFileSync('src/agent/api.ts', 'utf8')).toBe(apiSource())
  expect(Object.values(places).map(({ command }) => command)).toEqual(
    commands.map(({ name }) => name),
  )
})

test('at run time nothing of it needs Node', () => {
  const reached = new Set(['agent/client.ts'])
  for (const path of reached) {
    const { imports } = parseSource(path, readFileSync(join('src', path), 'utf8'))
    for (const { target, typeOnly, specifier } of imports) {
      if (typeOnly) continue
      expect(specifier).not.toMatch(/^(?:node:|[^.])/)
      if (target !== undefined) reached.add(target)
    }
  }
  expect([...reached].sort()).toEqual(expect.arrayContaining(['agent/api.ts', 'core/limits.ts']))
})

test('it has types for a program of browsers, without those of Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-types-'))
  const client = JSON.stringify(resolve('dist/agent/client.js'))
  writeFileSync(
    join(folder, 'page.ts'),
    `import { createClient, isRefusal, type Receipt } from ${client}
const client = createClient({ url: location.origin, token: () => localStorage.getItem('token') ?? '' })
// @ts-expect-error: there is no such field
void client.read({ worktree: 'a', paths: 'a.txt' })
// @ts-expect-error: where a revision is known, the file may be unchanged
void client.read({ worktree: 'a', path: 'a.txt', known_rev: 'b' }).then(file => file.text)
void client.read({ worktree: 'a', path: 'a.txt', raw: true }).then(file => file.bytes.length)
export async function add(worktree: string, signal: AbortSignal): Promise<Receipt | string> {
  const { rev, text } = await client.read({ worktree, path: 'a.txt' }, { signal })
  const edits = [{ op: 'append_lines', path: 'a.txt', expected_rev: rev, text: text ?? '' }] as const
  return client.edit({ worktree, edits }).catch(error => {
    if (isRefusal(error, 'CONTENT_REV_CONFLICT')) return String(error.data.actual)
    throw error
  })
}
`,
  )
  const options = [
    '--strict',
    '--noEmit',
    '--lib',
    'es2023,dom',
    '--types',
    '',
    '--module',
    'esnext',
  ]
  const { stdout } = spawnSync(
    process.execPath,
    [
      resolve('node_modules/typescript/bin/tsc'),
      ...options,
      '--moduleResolution',
      'bundler',
      'page.ts',
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(stdout).toBe('')
})
