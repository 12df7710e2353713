import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The threat model: what must hold, by the id that stands before the names of the tests that prove it. */
const invariants: Readonly<Record<string, string>> = {
  'PATH-1': 'no path leaves the worktree',
  'PATH-2': 'prefix is not containment',
  'PATH-3': 'symlinks never followed for write, nor out for read',
  'PATH-4': 'race-safe',
  'PATH-5': '.git unreachable under any spelling',
  'PATH-6': 'odd names survive or are refused, never mangled',
  'PATH-7': 'special files never block',
  'PROT-1': 'agent/CI/editor config is not writable by default',
  'PROT-2': 'no mode tricks',
  'ARG-1': 'no argument injection',
  'EXEC-1': 'git never runs repository code',
  'EXEC-2': 'LSP runs no project code until trusted',
  'EXEC-3': 'no shell',
  'EXEC-4': 'lazy fetch impossible',
  'CONF-1': 'settings of a repository never widen what agents may',
  'DATA-1': 'alternates do not leak',
  'DATA-2': 'replace refs/grafts do not lie',
  'CAS-1': 'missing expected sha',
  'CAS-2': 'stale sha',
  'CAS-3': 'sha means blob, not file bytes',
  'CAS-4': 'batch atomic',
  'CAS-5': 'idempotent retry',
  'CAS-6': 'create/delete/rename races',
  'CONC-1': 'user git commands beside batches',
  'CONC-2': 'no lock theft',
  'CONC-3': 'reads take no lock',
  'CONC-4': 'two gateways',
  'CONC-5': 'agents do not see each other',
  'CRASH-1': 'acked survives kill -9',
  'CRASH-2': 'acked survives power cut',
  'CRASH-3': 'half batch never visible',
  'CRASH-4': 'stale own lock healed, foreign kept',
  'CRASH-5': 'orphan git harmless',
  'FAULT-1': 'disk full',
  'FAULT-2': 'EIO on fsync',
  'FAULT-3': 'EMFILE, EAGAIN, ENOMEM, EROFS',
  'FAULT-4': 'clock jumps',
  'DOS-1': 'body limits, also chunked',
  'DOS-2': 'slow clients',
  'DOS-3': 'regex',
  'DOS-4': 'bombs',
  'DOS-5': 'output caps',
  'DOS-6': 'fair share',
  'HTTP-1': 'token needed everywhere',
  'HTTP-2': 'Host allow-list',
  'HTTP-3': 'cross-site refused',
  'HTTP-4': 'no CORS',
  'HTTP-5': 'strict JSON',
  'HTTP-6': 'hostile input never 500',
  'UI-1': 'review page inert',
  'UI-2': 'bidi, tags, ANSI visible',
  'UI-3': 'attributes do not hide changes',
  'AUD-1': 'trailers cannot be forged',
  'AUD-2': 'who/what/when recorded',
  'AUD-3': 'approval bound to content',
  'MCP-1': 'sessions isolated',
  'MCP-2': 'tool results carry no instructions of ours from files',
  'SEC-1': 'secrets stay out',
  'SEC-2': 'token file',
}

/** Rows about parts that do not exist yet. Whoever builds one names its tests and takes it out here. */
const later: Readonly<Record<string, string>> = {
  'EXEC-2': 'no language server is started yet',
  'UI-1': 'there is no review page yet',
  'AUD-3': 'nothing is approved yet',
}

const tests = join(import.meta.dirname, '..')

/** The ids before the names of all tests, with the files they stand in. */
function findIds(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const file of readdirSync(tests, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.test.ts')) continue
    const text = readFileSync(join(tests, file), 'utf8')
    for (const [, ids = ''] of text.matchAll(/['"`]((?:[A-Z]+-\d+(?:, )?)+): /g)) {
      for (const id of ids.split(', ')) found.set(id, [...(found.get(id) ?? []), file])
    }
  }
  return found
}

test('every row of the threat model is proven by a test that names it, or waits for its part', () => {
  const found = findIds()
  const proven = Object.keys(invariants).filter(id => !(id in later))
  const names = [...found.values()].flat().length
  console.log(
    `${proven.length} of ${Object.keys(invariants).length} rows proven by ${names} names of tests; later:`,
    later,
  )
  expect([...found.keys()].sort()).toEqual(proven.sort())
})

test('what waits is a row of the threat model', () => {
  expect(Object.keys(later).filter(id => !(id in invariants))).toEqual([])
})
