import { chownSync, existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { geteuid } from 'node:process'
import { describe, expect, test } from 'vitest'
import {
  create,
  openGateway,
  refusal,
  type TestGateway,
  type TestWorktree,
} from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'

const hooks = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'prepare-commit-msg',
  'reference-transaction',
  'sendemail-validate',
]

const attributes = `*.txt filter=evil diff=evil merge=evil
*.keep -filter diff=evil merge=evil
.gitattributes -filter
`

interface Trap {
  readonly repository: TestRepository
  /** True once anything of the repository has run. */
  readonly ran: () => boolean
  readonly disarm: () => Promise<void>
  readonly script: string
  readonly hooksPath: string
}

/** A repository in which everything that git can be told to run is set to a program that leaves a mark. */
async function makeTrap(): Promise<Trap> {
  const repository = await makeRepository({
    'a.keep': 'one\ntwo\n3\n4\n5\n6\n7\nthree\n',
    'b.keep': 'b\n',
    'filtered.txt': 'f\n',
    '.gitattributes': attributes,
  })
  const place = await mkdtemp(join(tmpdir(), 'trap-'))
  const [mark, script] = [join(place, 'ran'), join(place, 'script')]
  await writeFile(script, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`)
  await chmod(script, 0o755)
  const hooksPath = join(place, 'hooks')
  for (const folder of [hooksPath, join(repository.path, '.git/hooks')]) {
    await mkdir(folder, { recursive: true })
    for (const hook of hooks) await symlink(script, join(folder, hook))
  }
  const included = join(place, 'included')
  await writeFile(included, `[core]\n\tfsmonitor = ${script}\n[alias]\n\tstatus = !${script}\n`)
  await appendFile(join(repository.path, '.git/config'), config(script, hooksPath, included))
  return {
    repository,
    ran: () => existsSync(mark),
    disarm: () => rm(mark, { force: true }),
    script,
    hooksPath,
  }
}

const config = (script: string, hooksPath: string, included: string): string => `
[core]
	fsmonitor = ${script}
	hooksPath = ${hooksPath}
	pager = ${script}
	editor = ${script}
	askPass = ${script}
	sshCommand = ${script}
	gitProxy = ${script}
	alternateRefsCommand = ${script}
	untrackedCache = true
[filter "evil"]
	clean = ${script}
	smudge = ${script}
	process = ${script}
	required = true
[diff]
	external = ${script}
[diff "evil"]
	textconv = ${script}
	command = ${script}
	cachetextconv = true
[merge "evil"]
	driver = ${script}
[commit]
	gpgSign = true
[log]
	showSignature = true
[gpg]
	program = ${script}
[credential]
	helper = !${script}
[alias]
	status = !${script}
	log = !${script}
[pager]
	log = ${script}
	diff = ${script}
[interactive]
	diffFilter = ${script}
[trailer "x"]
	command = ${script}
[uploadpack]
	packObjectsHook = ${script}
[include]
	path = ${included}
[includeIf "gitdir:/"]
	path = ${included}
`

/** Everything an agent can do. */
async function goRound({ gateway, open }: TestGateway, agent: string): Promise<TestWorktree> {
  const worktree = await open(agent)
  const rev = (path: string): Promise<string> => worktree.rev(path)
  await worktree.text('filtered.txt')
  const edited = await worktree.replace('a.keep', 'two', 'TWO')
  await worktree.apply([create('n/new.keep', 'n\n')])
  await worktree.apply([
    { op: 'delete_file', path: 'n/new.keep', expected_rev: await rev('n/new.keep') },
    { op: 'move_file', path: 'b.keep', to: 'c.keep', expected_rev: await rev('b.keep') },
  ])
  await worktree.replace('a.keep', 'three', 'THREE')
  const stale = await worktree.git('rev-parse', 'HEAD~4:a.keep')
  const conflict = { op: 'append_lines', path: 'a.keep', text: 'x', expected_rev: stale } as const
  expect(await refusal(worktree.apply([conflict]))).toMatchObject({
    patch: expect.stringContaining('+TWO'),
  })
  await worktree.write('a.keep', `${await worktree.text('a.keep')}by hand\n`)
  await worktree.worktree.snapshot()
  await worktree.worktree.revert(edited.commit ?? '')
  await worktree.worktree.unreported({ full: true, mark: true })
  await worktree.worktree.log({})
  await worktree.worktree.batch(edited.commit ?? '')
  await worktree.worktree.files({})
  await worktree.worktree.state()
  await gateway.worktrees()
  await gateway.checkReady()
  await worktree.write('left.keep', 'left\n')
  await gateway.closeWorktree(agent, { force: true })
  return worktree
}

describe('a repository that wants to run something', () => {
  test('runs nothing in a whole round', async () => {
    const { repository, ran } = await makeTrap()
    const served = await openGateway(repository)
    const { path } = await served.open('round')
    expect(existsSync(join(path, 'filtered.txt'))).toBe(true)
    await goRound(served, 'round')
    expect(ran()).toBe(false)
    // The user's own git would have run them.
    await repository.git('status').catch(() => '')
    expect(ran()).toBe(true)
  })

  test('not by a configuration of one worktree either', async () => {
    const { repository, ran, disarm, script, hooksPath } = await makeTrap()
    const served = await openGateway(repository)
    const { git } = await served.open('x')
    const gitDir = await git('rev-parse', '--absolute-git-dir')
    await repository.git('config', 'extensions.worktreeConfig', 'true')
    await appendFile(
      join(gitDir, 'config.worktree'),
      `[core]\n\tfsmonitor = ${script}\n\thooksPath = ${hooksPath}\n`,
    )
    await disarm()
    await goRound(served, 'x')
    expect(ran()).toBe(false)
  })

  test('with trust its filters run, its hooks do not', async () => {
    const repository = await makeRepository({
      'a.txt': 'a\n',
      '.gitattributes': '*.txt filter=f\n',
    })
    const place = await mkdtemp(join(tmpdir(), 'trap-'))
    const [hookRan, filterRan] = [join(place, 'hook'), join(place, 'filter')]
    for (const hook of hooks) {
      const file = join(repository.path, '.git/hooks', hook)
      await writeFile(file, `#!/bin/sh\ntouch '${hookRan}'\n`)
      await chmod(file, 0o755)
    }
    const filter = `touch '${filterRan}'; cat`
    for (const way of ['clean', 'smudge']) await repository.git('config', `filter.f.${way}`, filter)
    const { open } = await openGateway(repository, { trustConfig: true })
    const worktree = await open('x')
    await worktree.replace('a.txt', 'a', 'b')
    await worktree.worktree.snapshot()
    await worktree.worktree.state()
    expect([existsSync(filterRan), existsSync(hookRan)]).toEqual([true, false])
  })
})

describe('a repository that is not served', () => {
  const opening = async (path: string): Promise<Record<string, unknown>> => {
    const repository = { path } as TestRepository
    return refusal(openGateway(repository, { secondReader: false }))
  }

  test.each([
    ['objects of another one', '.git/objects/info/alternates', '/somewhere/objects\n'],
    ['objects of another one over HTTP', '.git/objects/info/http-alternates', 'http://x/\n'],
  ])('because it borrows %s', async (_, file, content) => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    await repository.write(file, content)
    const told = await opening(repository.path)
    expect(told).toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' })
    expect(told.problem).toContain('alternates')
  })

  test('because of alternates that came later', async () => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    const { open, gateway } = await openGateway(repository)
    const worktree = await open('x')
    await worktree.replace('a.txt', 'a', 'b')
    await repository.write('.git/objects/info/alternates', '/somewhere/objects\n')
    const told = { code: 'UNSUPPORTED_REPOSITORY' }
    expect(await refusal(worktree.rev('a.txt'))).toMatchObject(told)
    expect(await refusal(worktree.apply([create('n', 'n')]))).toMatchObject(told)
    expect(await refusal(gateway.checkReady())).toMatchObject(told)
    await rm(join(repository.path, '.git/objects/info/alternates'))
    await worktree.apply([create('n', 'n')])
  })

  test.each([
    ['unknown', 'whatever', 'true'],
    ['reftable, which this git cannot read', 'refStorage', 'reftable'],
  ])('because of an extension: %s', async (_, name, value) => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    await repository.git('config', 'core.repositoryFormatVersion', '1')
    await repository.git('config', `extensions.${name}`, value)
    const version = /\d+\.\d+/.exec(await repository.git('version').catch(() => ''))?.[0] ?? '0'
    const [major = 0, minor = 0] = version.split('.').map(Number)
    if (name === 'refStorage' && (major > 2 || minor >= 45)) return
    expect(await opening(repository.path)).toMatchObject({
      code: 'UNSUPPORTED_REPOSITORY',
      problem: `extensions.${name.toLowerCase()} = ${value}`,
    })
  })

  test.each([
    ['its objects are elsewhere', 'objects'],
    ['its refs are elsewhere', 'refs'],
  ])('because %s', async (_, name) => {
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    const folder = join(repository.path, '.git', name)
    await rename(folder, `${folder}-elsewhere`)
    await symlink(`${folder}-elsewhere`, folder)
    expect(['UNSUPPORTED_REPOSITORY', 'NOT_FOUND']).toContain((await opening(repository.path)).code)
  })

  test('because it is not there, or no repository', async () => {
    const place = await mkdtemp(join(tmpdir(), 'plain-'))
    for (const path of [place, join(place, 'nowhere')]) {
      expect(await opening(path)).toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  test.skipIf(geteuid?.() !== 0)(
    'because it belongs to somebody else, unless it is safe',
    async () => {
      const repository = await makeRepository({ 'a.txt': 'a\n' })
      chownSync(repository.path, 4711, 4711)
      chownSync(join(repository.path, '.git'), 4711, 4711)
      expect(await opening(repository.path)).toMatchObject({ code: 'FOREIGN_OWNER', status: 403 })
      const global = join(await mkdtemp(join(tmpdir(), 'home-')), 'config')
      await writeFile(
        global,
        `[safe]\n\tdirectory = ${repository.path}\n[user]\n\tname = n\n\temail = e\n`,
      )
      const host = { ...process.env, GIT_CONFIG_GLOBAL: global }
      const { open } = await openGateway(repository, { host, secondReader: false })
      await (await open('x')).worktree.apply({ ops: [] })
    },
  )
})

test("the user's own ignored files stay unlisted, wherever that is said", async () => {
  const repository = await makeRepository({ 'a.txt': 'a\n', '.gitignore': 'by-file\n' })
  await repository.write('.git/info/exclude', 'by-exclude\n')
  const home = await mkdtemp(join(tmpdir(), 'home-'))
  await writeFile(join(home, 'ignore'), 'by-user\n')
  await writeFile(join(home, 'config'), `[core]\n\texcludesFile = ${join(home, 'ignore')}\n`)
  const host = { ...process.env, GIT_CONFIG_GLOBAL: join(home, 'config') }
  const worktree = await (await openGateway(repository, { host })).open('x')
  for (const name of ['by-file', 'by-exclude', 'by-user', 'listed']) await worktree.write(name, 'x')
  expect((await worktree.worktree.files({})).files).toEqual(['.gitignore', 'a.txt', 'listed'])
  const { files } = await worktree.worktree.snapshot()
  expect(files.map(({ path }) => path)).toEqual(['listed'])
})

test('the state directory is where the stand-in lies; the repository keeps its configuration', async () => {
  const repository = await makeRepository({ 'a.txt': 'a\n' })
  const before = await repository.git('config', '--list', '--local')
  const { open } = await openGateway(repository)
  const worktree = await open('x')
  await worktree.replace('a.txt', 'a', 'b')
  expect(await repository.git('config', '--list', '--local')).toBe(before)
  expect(await worktree.git('config', '--list', '--local')).toBe(before)
})
