import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { faultAsRefusal } from '#src/gateway/landing/faults.js'
import { create, openGateway, refusal } from '../support/gateway.js'
import { gitInside, makeHostile } from './hostile.js'

const world = makeHostile()
const outside = world.outside()
const { open } = await openGateway(world.repository, {
  branchPrefix: 'editlatch',
  secondReader: false,
})
const worktree = await open('alice')
const rev = await worktree.rev('docs/crlf.txt')

/** Everything that a batch can do to a path. */
const attempts: readonly (readonly [
  name: string,
  edits: (path: string, rev: string) => readonly EditInput[],
])[] = [
  ['create', path => [create(path, 'x')]],
  ['overwrite', (path, rev) => [{ op: 'write_file', path, expected_rev: rev, text: 'x' }]],
  ['edit', (path, rev) => [{ op: 'append_lines', path, expected_rev: rev, text: 'x' }]],
  ['delete', (path, rev) => [{ op: 'delete_file', path, expected_rev: rev }]],
  ['set_mode', (path, rev) => [{ op: 'set_mode', path, expected_rev: rev, executable: true }]],
  ['move from', (path, rev) => [{ op: 'move_file', path, expected_rev: rev, to: 'moved' }]],
  ['move to', path => [{ op: 'move_file', path: 'docs/crlf.txt', expected_rev: rev, to: path }]],
  [
    'create and edit in one batch',
    path => [create(path, 'x\n'), { op: 'append_lines', path, text: 'y' }],
  ],
]

const git = await gitInside(world, worktree.path)

async function codesOf(path: string, itsRev = rev): Promise<readonly string[]> {
  const codes: string[] = []
  for (const [name, edits] of attempts) {
    const applying = (async () => worktree.apply(edits(path, itsRev)))()
    codes.push(`${name} ${(await refusal(applying)).code}`)
  }
  return [...codes, `read ${(await refusal(worktree.rev(path))).code}`]
}

describe('PATH-3: a link is never followed, for writing or for reading', () => {
  const links = [
    'link-abs',
    'link-rel',
    'link-dir',
    'link-dir/f.txt',
    'link-dir/new/deep.txt',
    'link-chain',
    'link-chain/f.txt',
    'link-dotgit/config',
    'link-inside/a.ts',
    'loop-a',
    'loop-a/x',
    'link-proc',
    'link-dangling',
    'link-dangling/x',
  ]

  test.each(links)('%s', async path => {
    // The revision of the link itself, so that it is not for another one that it is refused.
    const own = path.includes('/') ? rev : (await git('rev-parse', `HEAD:${path}`)).trim()
    const codes = await codesOf(path, own)
    const isTaken = /^(?:create|create and edit in one batch|move to) PATH_EXISTS$/
    expect(codes.filter(line => !line.endsWith(' SYMLINK') && !isTaken.test(line))).toEqual([])
  })

  test('what a link names is told, what it leads to is not', async () => {
    const told = await refusal(worktree.rev('link-abs'))
    expect(told.target).toBe(join(world.hostile.outside, 'secret.txt'))
    expect(JSON.stringify(told)).not.toContain('TOP-SECRET')
  })

  test('nothing outside has changed, and the links are what they were', () => {
    expect(world.outside()).toBe(outside)
    expect(readlinkSync(join(worktree.path, 'link-rel'))).toBe('../outside/secret.txt')
  })

  test('a link that a batch would need as a directory stays in its way', async () => {
    // Deleting the link is refused, so no batch can put a directory in its place.
    const told = await refusal(
      worktree.apply([
        {
          op: 'delete_file',
          path: 'link-dir',
          expected_rev: (await git('rev-parse', 'HEAD:link-dir')).trim(),
        },
        create('link-dir/f.txt', 'x'),
      ]),
    )
    expect(told.code).toBe('SYMLINK')
  })
})

describe("PATH-5: git's own directory is not reachable under any spelling", () => {
  const spellings = [
    '.git',
    '.git/config',
    '.GIT/config',
    '.Git/hooks/post-commit',
    '.git /config',
    '.git./config',
    '.git.../config',
    '.git. ./config',
    '.git::$INDEX_ALLOCATION/config',
    '.git:x',
    'git~1/config',
    'GIT~1/config',
    'Git~27',
    '.g\u200cit/config',
    '.gi\u200dt/config',
    '\u202e.git/config',
    '.git\ufeff/config',
    '.g\u206ait',
    '.\uff47it/config',
    'docs/.git/config',
    'docs/.GIT',
    'a/b/.git/hooks/x',
    'tools/embedded/.git',
  ]
  const gitDir = join(world.hostile.path, '.git')

  test.each(spellings)('%j', async path => {
    const before = readFileSync(join(gitDir, 'config'))
    const codes = await codesOf(path)
    expect(codes.filter(line => !line.endsWith(' PROTECTED_PATH'))).toEqual([])
    expect(readFileSync(join(gitDir, 'config')).equals(before)).toBe(true)
  })

  test('names that only look alike are names', async () => {
    for (const path of ['git', '.gitx', 'x.git', '.git-', 'git~x', 'dotgit']) {
      await worktree.apply([create(`alike/${path}`, 'x')])
      expect(readFileSync(join(worktree.path, 'alike', path), 'utf8')).toBe('x')
    }
  })
})

const codeOf = async (error: unknown): Promise<unknown> =>
  (await refusal(Promise.reject(faultAsRefusal(error)))).code

describe('PATH-6: odd names survive byte for byte, or are refused', () => {
  const odd = [
    '-rf',
    '--output=pwned',
    'quote".txt',
    "single'.txt",
    'rtl-\u202egpj.exe',
    'space end ',
    ':(glob)magic*',
    '$(touch pwned)',
    ';touch pwned',
    '`touch pwned`',
    'caf\u00e9.txt',
    'cafe\u0301.txt',
    'Case.txt',
    'case.txt',
    'con.txt',
    'aux',
  ]

  test.each(odd)('%j is listed, read, edited, moved and told', async path => {
    const before = readdirSync(worktree.path).length
    expect((await worktree.worktree.files({ prefix: path })).files).toContain(path)
    const { commit } = await worktree.replace(path, 'x', `x ${path}`)
    expect(readFileSync(join(worktree.path, path), 'utf8')).toBe(`x ${path}\n`)
    expect(await git('cat-file', 'blob', `HEAD:${path}`)).toBe(`x ${path}\n`)
    const told = await worktree.worktree.batch(commit ?? '')
    expect([told.files[0]?.path, told.ops[0]?.path]).toEqual([path, path])
    const away = { op: 'move_file', path, to: `m/${path}`, expected_rev: await worktree.rev(path) }
    await worktree.apply([away as EditInput])
    expect(lstatSync(join(worktree.path, 'm', path)).isFile()).toBe(true)
    const back = { ...away, path: `m/${path}`, to: path }
    await worktree.apply([back as EditInput])
    expect(readdirSync(worktree.path).length).toBe(before)
    expect(await git('status', '--porcelain', '--', path)).toBe('')
  })

  test.each(['new\nline.txt', 'tab\there.txt', '\u001b[31mansi-name.txt'])(
    '%j is no path that is taken, and stays what it is',
    async path => {
      const codes = await codesOf(path)
      expect(codes.filter(line => !line.endsWith(' BAD_PATH'))).toEqual([])
      expect(readFileSync(join(worktree.path, path), 'utf8')).toBe('x\n')
      expect(await git('cat-file', 'blob', `HEAD:${path}`)).toBe('x\n')
    },
  )

  test('a name that is no UTF-8 is left out and keeps its bytes', async () => {
    const names = readdirSync(Buffer.from(worktree.path), { encoding: 'buffer' })
    expect(names.map(name => name.toString('latin1'))).toContain('bad-\xff')
    expect(await git('status', '--porcelain')).toBe('')
    const { files } = await worktree.worktree.files({ prefix: 'bad-' })
    expect(files).toEqual([])
  })

  test.each<[string, string]>([
    ['as many bytes as a path can have', `${'d/'.repeat(2_040)}f`],
    [
      'more bytes than characters',
      Array.from({ length: 60 }, () => '\u{1f600}'.repeat(16)).join('/'),
    ],
    ['the longest name', 'n'.repeat(255)],
  ])('%s is taken, or refused by a code', async (_, path) => {
    const made = (async () => (await worktree.apply([create(path, 'x')])).commit)()
    const code = await made.then(commit => (commit === null ? 'nothing' : 'done'), codeOf)
    expect(['done', 'BAD_PATH']).toContain(code)
    expect(await worktree.rev(path).then(() => 'done', codeOf)).toBe(
      code === 'done' ? 'done' : 'BAD_PATH',
    )
  })

  test('nothing of what the names ask for has been done', () => {
    const places = [worktree.path, world.hostile.path, process.cwd()]
    expect(places.filter(place => existsSync(join(place, 'pwned')))).toEqual([])
    expect([world.canaries(), world.outside()]).toEqual([[], outside])
  })
})
