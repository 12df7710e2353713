import { describe, expect, test } from 'vitest'
import { checkToken, type Scope, worktreeToken } from '#src/gateway/tokens.js'

const secret = 'the secret of the server'
const token = worktreeToken(secret, 'repo~agent', 'edit')

test("the server's own token is the secret itself", () => {
  expect(checkToken(secret, secret)).toEqual({ kind: 'server' })
})

test.each(['read', 'edit', 'review'] satisfies Scope[])('a token to %s', scope => {
  for (const id of ['repo~agent', 'a repo:with~odd~names', 'ü~x']) {
    expect(checkToken(secret, worktreeToken(secret, id, scope))).toEqual({
      kind: 'worktree',
      id,
      scope,
    })
  }
})

test('the same worktree has the same token, another has another', () => {
  expect(worktreeToken(secret, 'repo~agent', 'edit')).toBe(token)
  expect(worktreeToken(secret, 'repo~other', 'edit')).not.toBe(token)
  expect(worktreeToken(secret, 'repo~agent', 'read')).not.toBe(token)
})

describe('nobody holds', () => {
  const [claim = '', signature = ''] = token.slice('elw_'.length).split('.')
  const claimOf = (text: string): string => Buffer.from(text).toString('base64url')

  test.each([
    ['nothing', ''],
    ['a part of the secret', secret.slice(0, -1)],
    ['a token of another server', worktreeToken('another', 'repo~agent', 'edit')],
    ['a token cut short', token.slice(0, -1)],
    ['a token with more', `${token}A`],
    ['another claim under the same signature', `elw_${claimOf('edit:repo~other')}.${signature}`],
    ['another scope under the same signature', `elw_${claimOf('review:repo~agent')}.${signature}`],
    ['no signature', `elw_${claim}.`],
    ['no claim', `elw_.${signature}`],
    ['another prefix', token.replace('elw_', 'elx_')],
    [
      'a claim without a scope',
      worktreeToken(secret, 'repo~agent', 'edit').replace(claim, claimOf('repo~agent')),
    ],
  ])('%s', (_, wrong) => {
    expect(checkToken(secret, wrong)).toBeUndefined()
  })
})
