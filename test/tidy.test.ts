import { expect, test } from 'vitest'
import { houseRules } from './support/house.js'
import { parseSource, readSources } from './support/source-file.js'

const sources = readSources('src')

test('there are sources to look at', () => expect(sources.length).toBeGreaterThan(0))

test.each(Object.entries(houseRules))('%s', (_, rule) => expect(rule(sources)).toEqual([]))

type Files = Readonly<Record<string, string>>

/** What each rule must find, so that none of them holds only because it sees nothing. */
const broken: Readonly<Record<keyof typeof houseRules, readonly Files[]>> = {
  'every file lies in a room of the plan': [
    { 'helpers/text.ts': '' },
    { 'text.ts': '' },
    { 'formats/pdf/read.ts': '' },
    { 'edit/matching/locate.ts': '' },
    { 'io/read-file.ts': '' },
    { 'faces/answer.ts': '' },
    { 'gateway/locks/take.ts': '' },
  ],
  'rooms import only what lies below them': [
    { 'core/oid.ts': "import { log } from '../gateway/log.js'" },
    { 'edit/ops/create.ts': "import type { Batch } from '../batch.js'" },
    { 'formats/text/decode.ts': "export { parse } from '../code/babel.js'" },
    { 'io/git/cat-file.ts': "import { start } from '../lsp/start.js'" },
    { 'io/watch.ts': "import { runGit } from './git/run-git.js'" },
    { 'report/patch.ts': "import { opTypes } from '../edit/ops/registry.js'" },
    { 'gateway/checkout/checkout.ts': "import { landChanges } from '../landing/land-changes.js'" },
    { 'gateway/editing/drafts.ts': "import type { Worktree } from '../worktree.js'" },
    { 'edit/resolve.ts': "import { Gateway } from '../gateway/gateway.js'" },
    { 'faces/http/app.ts': "import { Gateway } from '../../gateway/gateway.js'" },
    { 'faces/http/app.ts': "import type { Op } from '../../edit/ops/registry.js'" },
    { 'faces/http/app.ts': "import { print } from '../cli/print.js'" },
    { 'agent/client.ts': "import type { Op } from '../edit/ops/registry.js'" },
    { 'faces/http/app.ts': "import { createClient } from '../../agent/client.js'" },
    { 'commands/edit.ts': "import { turn } from '../agent/turn.js'" },
    { 'core/oid.ts': "import { root } from '../../scripts/setup.mjs'" },
  ],
  'every package comes in by its own door': [
    { 'faces/mcp/http.ts': "import { Hono } from 'hono'" },
    { 'faces/review/page.ts': "import { serve } from '@hono/node-server'" },
    { 'gateway/log.ts': "import { pino } from 'pino'" },
    { 'io/git/merge.ts': "import { simpleGit } from 'simple-git'" },
    { 'io/git/verify.ts': "import { readBlob } from 'isomorphic-git'" },
    { 'formats/text/hunks.ts': "import type { Hunk } from 'diff/types'" },
    { 'io/git/read.ts': "import { readFile } from 'fs'" },
    { 'core/oid.ts': "import { Oid } from '#src/core/oid.js'" },
  ],
  'pure rooms stay pure': [
    { 'core/oid.ts': "import { createHash } from 'node:crypto'" },
    { 'agent/client.ts': "import { request } from 'node:http'" },
    { 'edit/resolve.ts': "import { runGit } from '../io/git/run-git.js'" },
    { 'report/receipt.ts': 'export const now = () => new Date()' },
    { 'report/receipt.ts': `export const text = \`at \${Date.now()}\`` },
    { 'formats/text/decode.ts': "export const bytes = Buffer.from('a')" },
    { 'edit/ops/create.ts': 'export const chance = Math.random()' },
    { 'edit/ops/create.ts': "export const chance = Math['random']()" },
    { 'edit/batch.ts': "export const place = globalThis['process']" },
    { 'edit/batch.ts': 'export const later = (f: () => void) => setTimeout(f, 1)' },
    { 'core/limits.ts': 'export const start = performance.now()' },
    { 'core/limits.ts': 'export const home = process.env.HOME' },
    { 'core/limits.ts': "export const page = fetch('http://localhost')" },
  ],
  'only main.ts speaks to the process': [
    { 'faces/cli/print.ts': "process.stdout.write('a')" },
    { 'gateway/gateway.ts': "import process from 'node:process'" },
    { 'gateway/gateway.ts': "import { pid } from 'node:process'" },
    { 'io/git/facade.ts': "import { env, pid } from 'node:process'" },
    { 'io/git/facade.ts': "export * from 'node:process'" },
  ],
  'only io/git starts programs, and never through a shell': [
    { 'gateway/landing.ts': "import { spawn } from 'node:child_process'" },
    { 'io/git/run-git.ts': "import { exec } from 'node:child_process'" },
    { 'io/git/run-git.ts': "import { execSync as run } from 'node:child_process'" },
    { 'io/git/run-git.ts': "import * as programs from 'node:child_process'" },
    { 'io/git/run-git.ts': 'export const options = { shell: true }' },
    { 'io/git/run-git.ts': "export const options = { shell: '/bin/sh' }" },
    { 'io/git/run-git.ts': "exec('git gc')" },
  ],
  'imports are static': [
    { 'faces/cli/serve.ts': "const face = await import('../http/app.js')" },
    { 'main.ts': "const fs = require('node:fs')" },
    { 'core/batch.ts': "export type Oid = import('./oid.js').Oid" },
    { 'io/git/cat-file.ts': "const fs = require('node:fs')" },
    { 'io/git/cat-file.ts': "import { createRequire } from 'node:module'" },
  ],
  'exports have names': [
    { 'core/oid.ts': 'export default function oid() {}' },
    { 'core/oid.ts': 'const oid = 1\nexport { oid as default }' },
    { 'core/oid.ts': "export { oid as default } from './other.js'" },
  ],
  'no file is long': [{ 'core/oid.ts': '//\n'.repeat(301) }],
  'what stands in a registry does not know it': [
    { 'commands/command.ts': "import { commands } from './registry.js'" },
    { 'commands/command.ts': "import type { commands } from './registry.js'" },
  ],
  'files do not import each other in a circle': [
    { 'core/a.ts': "import './a.js'" },
    {
      'core/a.ts': "import { b } from './b.js'",
      'core/b.ts': "export { c } from './c.js'",
      'core/c.ts': "import type { A } from './a.js'",
    },
  ],
}

const brokenCases = Object.keys(houseRules).flatMap(rule =>
  (broken[rule] ?? [{}]).map(files => [rule, files] as const),
)

test.each(brokenCases)('it is seen where not: %s %j', (rule, files) => {
  const parsed = Object.entries(files).map(([path, text]) => parseSource(path, text))
  expect(houseRules[rule]?.(parsed)).not.toEqual([])
})

test.each<[string, Files]>([
  ['a word in a comment or a string', { 'core/a.ts': "// Date, process\nexport const a = 'Date'" }],
  ['a field with the name', { 'report/a.ts': 'export const a = (x: { Date: 1 }) => x.Date' }],
  ['the exec of a pattern', { 'edit/a.ts': "export const a = /x/.exec('x')" }],
  ['shell: false', { 'io/git/a.ts': 'export const a = { shell: false }' }],
  ['Math.floor', { 'core/a.ts': 'export const a = Math.floor(1)' }],
  ['zod in the core', { 'core/a.ts': "import { z } from 'zod'" }],
  ['a part of a package', { 'faces/http/a.ts': "import { cors } from 'hono/cors'" }],
  [
    'the type of the gateway in a face',
    { 'faces/http/a.ts': "import type { A } from '../../gateway/a.js'" },
  ],
  [
    'a row of imports',
    { 'core/a.ts': "import './b.js'\nimport './c.js'", 'core/b.ts': "import './c.js'" },
  ],
  ['exactly 300 lines', { 'core/a.ts': '//\n'.repeat(300) }],
])('no rule minds %s', (_, files) => {
  const parsed = Object.entries(files).map(([path, text]) => parseSource(path, text))
  expect(Object.values(houseRules).flatMap(rule => rule(parsed))).toEqual([])
})
