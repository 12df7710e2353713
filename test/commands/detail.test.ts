import { expect, test } from 'vitest'
import type { Command } from '#src/commands/command.js'
import { diff } from '#src/commands/diff.js'
import { edit } from '#src/commands/edit.js'
import { revert } from '#src/commands/revert.js'
import { openGateway } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const lines = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`)
const repository = await makeRepository({ f: lines.join('') })
const served = await openGateway(repository)
const alice = await served.open('alice')
const context = { caller: { kind: 'server' }, signal: new AbortController().signal } as const

async function told(command: Command, input: object): Promise<Record<string, unknown>> {
  const answer = await command.run(served.gateway, { worktree: alice.id, ...input }, context)
  if (answer.kind !== 'value') throw new Error(answer.kind)
  const { files, commit } = answer.value as Record<string, unknown>
  const [file] = files as readonly Record<string, unknown>[]
  return { commit, patch: file?.patch, ranges: file?.ranges }
}

const ranges = [{ start: 6, end: 6 }]
const u1 = '@@ -5,3 +5,3 @@\n line 5\n-line 6\n+six\n line 7\n'

test('an edit, the diff of it and its revert are told in the detail that is asked for', async () => {
  const change = { op: 'replace_text', path: 'f', find: 'line 6', replace: 'six' }
  const edits = [{ ...change, expected_rev: await alice.rev('f') }]
  const dry = { edits, dry_run: true }
  expect(await told(edit, dry)).toMatchObject({ patch: u1, ranges })
  const { patch } = await told(edit, { ...dry, detail: 'u3' })
  expect(patch).toMatch(/^diff --git [\s\S]*@@ -3,7 \+3,7 @@/)
  const { commit, ...receipt } = await told(edit, { edits })
  expect(receipt).toEqual({ patch: undefined, ranges })
  expect(await told(diff, {})).toMatchObject({ patch: u1, ranges })
  expect(await told(diff, { detail: 'ranges' })).toMatchObject({ patch: undefined, ranges })
  expect(await told(diff, { detail: 'u3' })).toMatchObject({
    patch: expect.stringMatching(/^diff/),
  })
  expect(await told(revert, { commit, detail: 'u0' })).toMatchObject({
    patch: '@@ -6 +6 @@\n-six\n+line 6\n',
  })
})
