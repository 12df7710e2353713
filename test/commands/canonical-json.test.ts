import { expect, test } from 'vitest'
import { canonicalJson } from '#src/commands/canonical-json.js'
import { fingerprint } from '#src/commands/fingerprint.js'

test.each<[string, unknown, string]>([
  ['keys are sorted at every level', { b: { d: 1, c: 2 }, a: [] }, '{"a":[],"b":{"c":2,"d":1}}'],
  ['arrays keep their order', [2, 1, { b: 1, a: 2 }], '[2,1,{"a":2,"b":1}]'],
  ['bytes are base64', { a: new Uint8Array([0, 255]) }, '{"a":"AP8="}'],
  ['null stays', { a: null }, '{"a":null}'],
])('%s', (_, value, expected) => expect(canonicalJson(value)).toBe(expected))

test('a fingerprint is of what is asked, not of the key, the worktree or a dry run', () => {
  const input = { worktree: 'w', idempotency_key: 'k', dry_run: false, edits: [] }
  expect(fingerprint('edit', input)).toBe('{"asked":{"edits":[]},"command":"edit"}')
})
