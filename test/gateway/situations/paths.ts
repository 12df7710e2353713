import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import { create, type TestWorktree } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'
import { edits, files, makePlain, makeWith, type Situation } from './situation.js'

const unusual = [
  ' space ',
  '-x',
  ':(top)x',
  'a*',
  '"quoted"',
  'caf\u00e9',
  'cafe\u0301',
  '\u65e5\u672c',
  '~',
  '#x',
  '!x',
  'x.lock',
] as const

const named = (path: string): Pick<Situation, 'ask'> => ({ ask: edits(create(path, 'x\n')) })

async function addSubmodule({ git, path }: TestWorktree): Promise<void> {
  await git('update-index', '--add', '--cacheinfo', `160000,${await git('rev-parse', 'HEAD')},sub`)
  await git('commit', '--quiet', '-m', 'a submodule')
  mkdirSync(join(path, 'sub'))
}

/** Kinds of files, and names. */
export const paths: readonly Situation[] = [
  {
    name: 'unusual names: blanks, dash, colon, star, quotes, NFC and NFD, beside each other',
    ask: edits(...unusual.map(name => create(`odd/${name}`, `${name}\n`))),
    expected: Object.fromEntries(unusual.map(name => [`odd/${name}`, `${name}\n`])),
    outcome: 'falls back',
  },
  {
    name: 'unusual names, edited',
    make: () => makeRepository({ ...files, '-x/:(top)*': 'a\n' }),
    ask: worktree => worktree.replace('-x/:(top)*', 'a', 'A'),
    expected: { '-x/:(top)*': 'A\n' },
    outcome: 'handled',
  },
  { name: 'a newline in a name', ...named('new\nline'), outcome: 'refused BAD_PATH' },
  { name: 'a path out of the repository', ...named('../x'), outcome: 'refused BAD_PATH' },
  { name: '.git in another case', ...named('d/.GIT/config'), outcome: 'refused PROTECTED_PATH' },
  { name: 'git~1', ...named('git~1/config'), outcome: 'refused PROTECTED_PATH' },
  {
    name: 'a name that is not UTF-8 and a legacy mode, beside',
    make: async () => {
      const repository = await makePlain()
      const blob = Buffer.from(await repository.git('rev-parse', 'HEAD:a.txt'), 'hex')
      const entry = (mode: string, name: string): Buffer =>
        Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), blob])
      const body = Buffer.concat([
        entry('100644', 'a.txt'),
        entry('100664', 'old.txt'),
        entry('100644', 'z\u00e9\u00ff'),
      ])
      const args = ['hash-object', '-w', '--literally', '-t', 'tree', '--stdin']
      const tree = new TextDecoder().decode(await repository.gitRaw(args, { input: body })).trim()
      const commit = await repository.git('commit-tree', tree, '-p', 'HEAD', '-m', 'odd')
      await repository.git('reset', '--quiet', '--hard', commit)
      return repository
    },
    ask: async worktree => {
      await worktree.replace('a.txt', 'a', 'A')
      const tree = Buffer.from(await worktree.gitRaw(['cat-file', 'tree', 'HEAD^{tree}']))
      const entries = tree.toString('latin1').match(/\d{6} [^\0]+(?=\0)/g)
      expect(entries).toEqual(['100644 a.txt', '100664 old.txt', '100644 z\u00e9\u00ff'])
      // Git would write the old mode as a new one, which the comparison would take for a difference.
      await worktree.git('update-index', '--refresh')
      await worktree.git('commit', '--quiet', '--allow-empty', '-m', 'as git writes it')
    },
    outcome: 'handled',
  },
  {
    name: 'an executable stays one',
    make: () => makeRepository({ ...files, 'run.sh': { text: 'a\n', mode: '755' } }),
    ask: worktree => worktree.replace('run.sh', 'a', 'A'),
    expected: { 'run.sh': 'A\n' },
    outcome: 'handled',
  },
  {
    name: 'core.fileMode=false: the bit on the disk means nothing',
    make: () => makeWith({ 'core.fileMode': 'false' }),
    prepare: ({ path }) => chmodSync(join(path, 'a.txt'), 0o755),
    outcome: 'handled',
  },
  {
    name: 'core.ignoreCase: a name in another case',
    make: () => makeWith({ 'core.ignoreCase': 'true' }),
    ask: edits(create('A.TXT', 'x\n')),
    outcome: 'refused PATH_EXISTS',
  },
  {
    name: 'two names that differ by case only',
    make: () => makeRepository({ ...files, 'A.txt': 'upper\n' }),
    outcome: 'handled',
  },
  {
    name: 'a symlink as a file',
    make: () => makeRepository({ ...files, link: { symlink: 'a.txt' } }),
    ask: async worktree => {
      const rev = await worktree.git('rev-parse', 'HEAD:link')
      await worktree.apply([{ op: 'write_file', path: 'link', expected_rev: rev, text: 'x' }])
    },
    outcome: 'refused SYMLINK',
  },
  {
    name: 'a symlinked directory',
    make: () => makeRepository({ ...files, into: { symlink: 'd' } }),
    ask: edits(create('into/n.txt', 'x\n')),
    outcome: 'refused SYMLINK',
  },
  {
    name: 'a directory that was replaced by a symlink',
    prepare: async ({ path }) => {
      await rm(join(path, 'd'), { recursive: true })
      symlinkSync(path, join(path, 'd'))
    },
    ask: edits(create('d/n.txt', 'x\n')),
    outcome: 'refused SYMLINK',
  },
  {
    name: 'a blob larger than a file may be (300 MB: large-blob.long.test.ts)',
    make: () => makeRepository({ ...files, 'large.txt': 'line\n'.repeat(1_000) }),
    gateway: { limits: { ...defaultLimits, fileBytes: 4_000 } },
    ask: async worktree => {
      await expect(worktree.text('large.txt')).rejects.toMatchObject({ code: 'TOO_LARGE' })
      const rev = await worktree.git('rev-parse', 'HEAD:large.txt')
      const edit = { op: 'append_lines', path: 'large.txt', text: 'x', expected_rev: rev } as const
      await worktree.apply([edit])
    },
    outcome: 'refused TOO_LARGE',
  },
  {
    name: 'a file beside such a blob',
    make: () => makeRepository({ ...files, 'large.txt': 'line\n'.repeat(1_000) }),
    gateway: { limits: { ...defaultLimits, fileBytes: 4_000 } },
    outcome: 'handled',
  },
  {
    name: 'a pipe',
    prepare: ({ path }) => execFileSync('mkfifo', [join(path, 'pipe')]),
    ask: edits(create('pipe', 'x\n')),
    outcome: 'refused NOT_REGULAR',
  },
  {
    name: 'a path in a submodule',
    prepare: addSubmodule,
    ask: edits(create('sub/x.txt', 'x\n')),
    outcome: 'refused NOT_REGULAR',
  },
  { name: 'a file beside a submodule', prepare: addSubmodule, outcome: 'handled' },
  {
    name: 'a file becomes a directory',
    ask: async worktree =>
      worktree.apply([
        { op: 'delete_file', path: 'a.txt', expected_rev: await worktree.rev('a.txt') },
        create('a.txt/x.txt', 'x\n'),
      ]),
    expected: { 'a.txt': null, 'a.txt/x.txt': 'x\n' },
    outcome: 'falls back',
  },
  {
    name: 'a move and a deletion',
    ask: async worktree =>
      worktree.apply([
        {
          op: 'move_file',
          path: 'a.txt',
          to: 'n/a.txt',
          expected_rev: await worktree.rev('a.txt'),
        },
        { op: 'delete_file', path: 'd/e/c.txt', expected_rev: await worktree.rev('d/e/c.txt') },
      ]),
    expected: { 'a.txt': null, 'n/a.txt': 'a\n', 'd/e/c.txt': null },
    outcome: 'falls back',
  },
]
