import { expect, test } from 'vitest'
import { type Access, checkAccess, ownWorktree } from '#src/commands/access.js'
import { Refusal } from '#src/core/errors.js'
import type { Caller } from '#src/gateway/tokens.js'

const server: Caller = { kind: 'server' }
const holder = (scope: 'read' | 'edit' | 'review'): Caller => ({
  kind: 'worktree',
  id: 'app~alice',
  scope,
})

function isRefused(ask: () => unknown): boolean {
  try {
    ask()
    return false
  } catch (error) {
    return error instanceof Refusal && error.code === 'FORBIDDEN'
  }
}

test.each<[string, Caller, Access, boolean]>([
  ['the server token does everything', server, 'server', true],
  ['the server token edits', server, 'edit', true],
  ['a worktree token may not what is the server’s', holder('edit'), 'server', false],
  ['an edit token edits', holder('edit'), 'edit', true],
  ['an edit token reads', holder('edit'), 'read', true],
  ['a read token reads', holder('read'), 'read', true],
  ['a read token may not edit', holder('read'), 'edit', false],
  ['a review token may not edit', holder('review'), 'edit', false],
])('%s', (_, caller, access, allowed) =>
  expect(isRefused(() => checkAccess(caller, access))).toBe(!allowed),
)

test.each(['app~alice', 'alice'])('its own worktree by the name %s is the full id', asked =>
  expect(ownWorktree(holder('edit'), asked)).toBe('app~alice'),
)

test.each(['app~bob', 'bob', 'other~alice', '', '~alice', 'app~alice2'])(
  'another worktree, %j, is refused',
  asked => expect(isRefused(() => ownWorktree(holder('edit'), asked))).toBe(true),
)

test('the server token names any worktree', () =>
  expect(ownWorktree(server, 'app~bob')).toBe('app~bob'))
