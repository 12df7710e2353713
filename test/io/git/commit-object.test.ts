import { expect, test } from 'vitest'
import { parseOid } from '#src/core/oid.js'
import { type CommitFields, parseCommit, serialiseCommit } from '#src/io/git/commit-object.js'
import { makeRepository } from '../../support/repository.js'

const tree = parseOid('4b825dc642cb6eb9a060e54bf8d69288fbee4904')
const person = { name: 'Ann Other', email: 'ann@example.com', seconds: 1_700_000_000 }
const plain: CommitFields = {
  tree,
  parents: [parseOid('1'.repeat(40))],
  author: person,
  committer: { name: 'Editlatch', email: 'gateway@editlatch.invalid', seconds: 1_700_000_001 },
  message: 'Subject\n\nBody with ü\n',
}

test.each([
  ['one parent', plain],
  ['no parent', { ...plain, parents: [] }],
  ['two parents', { ...plain, parents: [parseOid('1'.repeat(40)), parseOid('2'.repeat(40))] }],
  ['sha256', { ...plain, tree: parseOid('a'.repeat(64)), parents: [parseOid('b'.repeat(64))] }],
  ['an empty message', { ...plain, message: '' }],
  ['a message of blank lines', { ...plain, message: '\n\n\n' }],
] satisfies (readonly [string, CommitFields])[])(
  '%s is read back as it was written',
  (_, commit) => {
    expect(parseCommit(serialiseCommit(commit))).toEqual(commit)
  },
)

test('git reads it, and finds nothing wrong', async () => {
  const { gitRaw, git } = await makeRepository({})
  await gitRaw(['mktree'], { input: '' })
  const input = serialiseCommit({ ...plain, parents: [parseOid(await git('rev-parse', 'HEAD'))] })
  const args = ['hash-object', '-t', 'commit', '-w', '--stdin']
  const oid = new TextDecoder().decode(await gitRaw(args, { input })).trim()
  expect(await git('show', '-s', '--format=%an <%ae> %at | %cn <%ce> %ct | %s | %b', oid)).toBe(
    'Ann Other <ann@example.com> 1700000000 | Editlatch <gateway@editlatch.invalid> 1700000001 | Subject | Body with ü',
  )
  expect(await git('fsck', '--strict', '--no-dangling')).toBe('')
})

test.each([
  ['a line break', 'Eve\ngpgsig x'],
  ['NUL', 'Eve\0'],
  ['angle brackets', 'Eve <root@example.com>'],
  ['nothing but such', '<>\n'],
  ['a carriage return', 'Eve\r'],
])('a name with %s writes no header of its own', (_, name) => {
  const commit = { ...plain, author: { ...person, name, email: name } }
  const lines = serialiseCommit(commit).toString('utf8').split('\n')
  expect(lines.slice(0, 4).map(line => line.split(' ')[0])).toEqual([
    'tree',
    'parent',
    'author',
    'committer',
  ])
  expect(lines[4]).toBe('')
  expect(lines[2]).toMatch(/^author [^<>\0\r]+ <[^<>\0\r]*> 1700000000 \+0000$/)
})

test('other headers, odd dates and other time zones are passed over', () => {
  const body = [
    `tree ${tree}`,
    'author  <> -5 +0130',
    'committer C <c@example.com> 99 -0800',
    'encoding ISO-8859-1',
    'gpgsig -----BEGIN PGP SIGNATURE-----',
    ' author Forged <f@example.com> 1 +0000',
    ' -----END PGP SIGNATURE-----',
    '',
    'tree of life',
  ]
  expect(parseCommit(Buffer.from(body.join('\n')))).toEqual({
    tree,
    parents: [],
    author: { name: '', email: '', seconds: -5 },
    committer: { name: 'C', email: 'c@example.com', seconds: 99 },
    message: 'tree of life',
  })
})
