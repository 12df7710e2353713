import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { hashObject } from '#src/io/git/hash-object.js'
import type { TestWorktree } from '../../support/gateway.js'
import { makeRepository, type TestRepository, testRepository } from '../../support/repository.js'
import { files, makePlain, makeWith, type Situation } from './situation.js'

async function plainWith(change: (repository: TestRepository) => unknown): Promise<TestRepository> {
  const repository = await makePlain()
  await change(repository)
  return repository
}

const putInGitDir = ({ path }: TestRepository, name: string, text: string): void => {
  const file = join(path, '.git', name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** A hook that runs leaves a mark. */
function addHooks(repository: TestRepository): void {
  const { path } = repository
  const names = [
    'pre-commit',
    'post-commit',
    'reference-transaction',
    'post-checkout',
    'post-index-change',
  ]
  for (const name of names) {
    putInGitDir(repository, `hooks/${name}`, `#!/bin/sh\ntouch '${path}/.git/hooked-$PPID'\n`)
    chmodSync(join(path, '.git/hooks', name), 0o755)
  }
}

async function shallowClone(): Promise<TestRepository> {
  const source = await makePlain()
  await source.write('d/b.txt', 'second\n')
  await source.commit('second')
  const clone = testRepository(mkdtempSync(join(tmpdir(), 'repository-')))
  await clone.git('clone', '--quiet', '--depth=1', `file://${source.path}`, '.')
  return clone
}

/** A blob that is stored as an empty file, as a crash without fsync leaves it. */
function cutOff(repository: TestRepository, text: string): void {
  const oid = hashObject('sha1', 'blob', Buffer.from(text))
  putInGitDir(repository, `objects/${oid.slice(0, 2)}/${oid.slice(2)}`, '')
}

/** Asks while no other git runs, whose hooks may well run. */
async function editWithoutHooks(worktree: TestWorktree): Promise<void> {
  const place = await worktree.git('rev-parse', '--git-common-dir')
  const marks = (): readonly string[] =>
    readdirSync(place).filter(name => name.startsWith('hooked-'))
  for (const mark of marks()) rmSync(join(place, mark))
  await worktree.replace('a.txt', 'a', 'A')
  expect(marks()).toEqual([])
  await worktree.git('commit', '--quiet', '--allow-empty', '-m', 'by hand')
  expect(marks(), 'the hooks do run').not.toEqual([])
}

/** Kinds of repositories, and what is set up in them. */
export const repositories: readonly Situation[] = [
  {
    name: 'linked worktree of a bare repository',
    make: () => makeRepository(files, { bare: true }),
    outcome: 'handled',
  },
  {
    name: 'sha256',
    make: () => makeRepository(files, { objectFormat: 'sha256' }),
    outcome: 'handled',
  },
  {
    name: 'reftable',
    make: () =>
      plainWith(async repository => {
        await repository.git('config', 'core.repositoryFormatVersion', '1')
        await repository.git('config', 'extensions.refStorage', 'reftable')
        rmSync(join(repository.path, '.git/refs/heads'), { recursive: true })
        putInGitDir(repository, 'refs/heads', 'this repository uses the reftable format\n')
        putInGitDir(repository, 'reftable/tables.list', '')
        putInGitDir(repository, 'HEAD', 'ref: refs/heads/.invalid\n')
      }),
    outcome: 'refused UNSUPPORTED_REPOSITORY',
  },
  {
    name: 'relative worktree links, from git 2.48',
    make: () =>
      plainWith(async ({ git }) => {
        await git('config', 'core.repositoryFormatVersion', '1')
        await git('config', 'extensions.relativeWorktrees', 'true')
      }),
    outcome: 'refused UNSUPPORTED_REPOSITORY',
  },
  {
    name: 'borrowed objects (alternates)',
    make: () =>
      plainWith(async repository => {
        const lender = await makePlain()
        putInGitDir(repository, 'objects/info/alternates', join(lender.path, '.git/objects'))
      }),
    outcome: 'refused UNSUPPORTED_REPOSITORY',
  },
  { name: 'shallow clone', make: shallowClone, outcome: 'handled' },
  {
    name: 'empty repository, unborn branch',
    make: async () => {
      const repository = testRepository(mkdtempSync(join(tmpdir(), 'repository-')))
      await repository.git('init', '--quiet')
      return repository
    },
    outcome: 'refused NOT_FOUND',
  },
  {
    name: 'an orphan branch that is not born, from another base',
    make: () => plainWith(({ git }) => git('switch', '--quiet', '--orphan', 'unborn')),
    open: { base: 'main' },
    outcome: 'handled',
  },
  {
    name: 'detached HEAD in the main checkout',
    make: () => plainWith(({ git }) => git('checkout', '--quiet', '--detach')),
    outcome: 'handled',
  },
  {
    name: 'refs packed, objects in packs',
    prepare: async (_, { git }) => {
      await git('gc', '--quiet')
      await git('pack-refs', '--all')
    },
    outcome: 'handled',
  },
  {
    name: 'replace refs',
    prepare: async (_, { git, gitRaw }) => {
      const lie = await gitRaw(['hash-object', '-w', '--stdin'], { input: 'a lie\n' })
      await git(
        'replace',
        await git('rev-parse', 'HEAD:a.txt'),
        new TextDecoder().decode(lie).trim(),
      )
    },
    ask: async worktree => {
      const { git } = worktree
      await worktree.replace('a.txt', 'a', 'A')
      // Git itself believes them when it is asked what follows.
      await git('replace', '--delete', await git('rev-parse', 'main:a.txt'))
    },
    outcome: 'handled',
  },
  {
    name: 'a branch called agent (ref D/F conflict)',
    make: () => plainWith(({ git }) => git('branch', 'agent')),
    outcome: 'refused UNSUPPORTED_REPOSITORY',
  },
  {
    name: 'hooks of every kind',
    make: () => plainWith(addHooks),
    ask: editWithoutHooks,
    outcome: 'handled',
  },
  {
    name: 'commits are to be signed, with a key that is not there',
    make: () => makeWith({ 'user.signingKey': 'nobody', 'commit.gpgSign': 'true' }),
    outcome: 'handled',
    check: async ({ git }) =>
      expect(await git('cat-file', 'commit', 'HEAD')).not.toContain('gpgsig'),
  },
  {
    name: 'i18n.commitEncoding',
    make: () => makeWith({ 'i18n.commitEncoding': 'ISO-8859-1' }),
    outcome: 'handled',
    check: async ({ git }) =>
      expect(await git('cat-file', 'commit', 'HEAD')).not.toContain('encoding'),
  },
  {
    name: 'crash leftovers: an empty object, temporary files, records of the dead',
    prepare: async (worktree, repository) => {
      cutOff(repository, 'A\n')
      putInGitDir(repository, 'objects/aa/tmp_obj_XXXX', 'half')
      putInGitDir(repository, 'objects/pack/tmp_pack_XXXX', 'half')
      const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
      mkdirSync(join(gitDir, 'editlatch'), { recursive: true })
      writeFileSync(join(gitDir, 'editlatch', 'owner-1-0123456789abcdef'), '')
      writeFileSync(join(gitDir, 'editlatch', 'new-index-00'), 'half')
    },
    outcome: 'handled',
    check: (_, { path }) => {
      expect(readFileSync(join(path, '.git/objects/pack/tmp_pack_XXXX'), 'utf8')).toBe('half')
    },
  },
  {
    name: "a person's git gc while the batch is made",
    prepare: (_, repository) => {
      putInGitDir(repository, 'gc.pid', `${process.pid} ${hostname()}`)
    },
    outcome: 'falls back',
    check: ({ git }) => expect(git('count-objects', '-v')).resolves.toMatch(/^packs: 1$/m),
  },
  {
    name: 'the worktree directory was deleted by hand',
    ask: async worktree => {
      const aside = `${worktree.path}-aside`
      renameSync(worktree.path, aside)
      try {
        await worktree.replace('a.txt', 'a', 'A')
      } finally {
        renameSync(aside, worktree.path)
      }
    },
    outcome: 'refused WORKTREE_GONE',
  },
]
