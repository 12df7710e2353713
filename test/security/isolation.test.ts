import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findExample, renderWelcome } from '#src/faces/cli/welcome.js'
import { create, openGateway, refusal } from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'
import { makePlace } from './hostile.js'

describe('CONC-5: an agent sees its own branch only', () => {
  test('a diff starts from a commit that its branch has, and from no other', async () => {
    const { open } = await openGateway(await makeRepository({ 'a.txt': 'a\n' }))
    const [alice, bob] = [await open('alice'), await open('bob')]
    const { commit } = await bob.apply([create('secret.txt', 'of bob\n')])
    const own = await alice.apply([create('own.txt', 'x\n')])
    const since = (name: string) => alice.worktree.unreported({ since: name })
    expect(await refusal(since(commit ?? ''))).toMatchObject({ code: 'NOT_FOUND' })
    for (const name of ['refs/heads/agent/bob', 'agent/bob', 'HEAD', 'main', 'main~1', ':/first']) {
      expect(await refusal(since(name))).toMatchObject({ code: 'INVALID_ARGUMENTS' })
    }
    expect((await since(alice.opened.base)).files).toMatchObject([{ path: 'own.txt' }])
    expect((await since(own.commit ?? '')).files).toEqual([])
  })

  test("another agent's commit is no batch of its own", async () => {
    const { open } = await openGateway(await makeRepository({ 'a.txt': 'a\n' }))
    const [alice, bob] = [await open('alice'), await open('bob')]
    const { commit } = await bob.apply([create('secret.txt', 'of bob\n')])
    for (const ask of [
      () => alice.worktree.batch(commit ?? ''),
      () => alice.worktree.revert(commit ?? ''),
      () => alice.worktree.log({ before: commit ?? '' }),
    ]) {
      expect(await refusal(ask())).toMatchObject({ code: 'NOT_FOUND' })
    }
    // A patch is told of revisions of the path only.
    const rev = await bob.rev('secret.txt')
    const told = await refusal(
      alice.apply([{ op: 'append_lines', path: 'a.txt', expected_rev: rev, text: 'x' }]),
    )
    expect(JSON.stringify(told)).not.toContain('of bob')
  })
})

describe('CONC-5: a token belongs to one repository', () => {
  /** Two repositories that are called the same. */
  async function sameNames(): Promise<readonly TestRepository[]> {
    const source = await makeRepository({ 'a.txt': 'a\n' })
    const clones = [join(makePlace('one'), 'app'), join(makePlace('two'), 'app')]
    for (const path of clones) await source.git('clone', '--quiet', '.', path)
    return clones.map(path => ({ ...source, path }))
  }
  const options = { secret: 'of one user', secondReader: false }

  test('not to another one of the same name on another server of the same user', async () => {
    const [one, two] = await sameNames()
    if (one === undefined || two === undefined) throw new Error('no repositories')
    const [first, second] = [await openGateway(one, options), await openGateway(two, options)]
    const { token, id } = (await first.open('alice')).opened
    expect((await second.open('alice')).id).toBe(id)
    expect(first.gateway.checkToken(token)).toMatchObject({ id, scope: 'edit' })
    expect(second.gateway.checkToken(token)).toBeUndefined()
    expect(second.gateway.checkToken('of one user')).toEqual({ kind: 'server' })
  })

  test('nor to one that has its name after the next start', async () => {
    const [one, two] = await sameNames()
    if (one === undefined || two === undefined) throw new Error('no repositories')
    const before = await openGateway([one, two], options)
    const tokens = ['app~alice', 'app-2~alice'].map(id => before.gateway.tokenFor(id, 'edit'))
    await before.close()
    const after = await openGateway([two, one], options)
    expect(tokens.map(token => after.gateway.checkToken(token))).toEqual([undefined, undefined])
    await after.close()
    const again = await openGateway([one, two], options)
    expect(tokens.map(token => again.gateway.checkToken(token)?.kind)).toEqual([
      'worktree',
      'worktree',
    ])
  })

  const tampered = sameNames().then(([one]) => {
    if (one === undefined) throw new Error('no repository')
    return openGateway(one, options)
  })

  test.each([
    ['a claim of more', (token: string) => swapClaim(token, 'edit:app~alice')],
    ['a scope that is none', (token: string) => swapClaim(token, 'admin:app~alice')],
    ['no scope', (token: string) => swapClaim(token, 'app~alice')],
    ['an agent more', (token: string) => swapClaim(token, 'read:app~alice~bob')],
    ['a tail', (token: string) => `${token}A`],
    ['a lost tail', (token: string) => token.slice(0, -1)],
    ['other letters', (token: string) => token.toUpperCase()],
    ['no signature', (token: string) => token.slice(0, token.indexOf('.') + 1)],
    ['nothing', () => ''],
  ])('a read token is nothing with %s', async (_, change) => {
    const { gateway } = await tampered
    const token = gateway.tokenFor('app~alice', 'read')
    expect(gateway.checkToken(token)).toMatchObject({ scope: 'read' })
    expect(gateway.checkToken(change(token))).toBeUndefined()
  })
})

function swapClaim(token: string, claim: string): string {
  const [, signature] = token.split('.')
  return `elw_${Buffer.from(claim).toString('base64url')}.${signature}`
}

test('EXEC-3: the lines that a person is told to try hold no command of a name', async () => {
  const path = join(makePlace('shell'), "x'; touch pwned; '$(touch pwned)")
  const source = await makeRepository({ 'README.md': 'x\n' })
  await source.git('clone', '--quiet', '.', path)
  const { gateway } = await openGateway({ ...source, path }, { secondReader: false })
  const repositories = await gateway.repositories()
  const text = renderWelcome(
    { url: 'http://127.0.0.1:1', token: 't' },
    await findExample(repositories),
  )
  const place = makePlace('tried')
  const lines = text.split('\n').filter(line => line.startsWith('  curl'))
  for (const line of lines) {
    // Only the words are looked at: nothing is sent.
    execFileSync('sh', ['-c', `set -- ${line.trim()}`], { cwd: place })
  }
  expect([lines.length, readdirSync(place)]).toEqual([3, []])
})
