import { mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  create,
  expectClean,
  openGateway,
  refusal,
  type TestGateway,
} from '../../support/gateway.js'
import { makeRepository, type TestRepository, testRepository } from '../../support/repository.js'

let repository: TestRepository
let served: TestGateway
let head: string
beforeAll(async () => {
  repository = await makeRepository({ 'a.txt': 'a\n', 'd/b.txt': 'b\n' })
  served = await openGateway(repository)
  head = await repository.git('rev-parse', 'HEAD')
})

describe('a new worktree', () => {
  test('lies outside the checkout, on a branch of its own, and git knows it', async () => {
    const { opened, path, git, apply } = await served.open('new')
    const { token: _token, ...told } = opened
    expect(told).toEqual({
      id: `${basename(repository.path)}~new`,
      repo: basename(repository.path),
      agent: 'new',
      branch: 'agent/new',
      path,
      base: head,
      head,
      reported: head,
    })
    expect(path.startsWith(`${repository.path}/`)).toBe(false)
    expect(await git('symbolic-ref', 'HEAD')).toBe('refs/heads/agent/new')
    expect(await repository.git('rev-parse', 'refs/editlatch/base/new')).toBe(head)
    expect(await repository.git('rev-parse', 'refs/editlatch/reported/new')).toBe(head)
    await expectClean({ path })
    await apply([create('c.txt', 'c\n')])
    await expectClean({ path })
    expect(await git('for-each-ref', '--format=%(upstream)', 'refs/heads/agent/new')).toBe('')
  })

  test('is locked with a reason', async () => {
    const { path } = await served.open('locked')
    const listing = await repository.git('worktree', 'list', '--porcelain')
    const entry = listing.split('\n\n').find(one => one.includes(path))
    expect(entry).toContain('\nlocked editlatch: an agent works here')
  })

  test('its .git file names the real git directory, not our stand-in', async () => {
    const { path } = await served.open('pointer')
    const gitDir = join(await realpath(repository.path), '.git/worktrees/pointer')
    expect(await readFile(join(path, '.git'), 'utf8')).toBe(`gitdir: ${gitDir}\n`)
    expect(await readFile(join(gitDir, 'gitdir'), 'utf8')).toBe(`${path}/.git\n`)
  })

  test('is made beside the repository where no place is named', async () => {
    const { path } = await makeRepository({ 'a.txt': 'a\n' }).then(async other => {
      const { gateway } = await openGateway(other, { worktreesDir: undefined } as object)
      await gateway.openWorktree({ agent: 'x' })
      return other
    })
    expect(await readFile(`${path}.worktrees/x/a.txt`, 'utf8')).toBe('a\n')
    await rm(`${path}.worktrees`, { recursive: true })
  })

  test("keeps away from the user's own worktree of that name", async () => {
    const theirs = join(await mkdtemp(join(tmpdir(), 'theirs-')), 'same')
    await repository.git('worktree', 'add', '--quiet', '-b', 'their-own', theirs)
    const worktree = await served.open('same')
    await worktree.apply([create('n.txt', 'n\n')])
    await expectClean(worktree)
    await served.gateway.closeWorktree('same', { force: true })
    expect(await testRepository(theirs).git('symbolic-ref', 'HEAD')).toBe('refs/heads/their-own')
    await repository.git('worktree', 'remove', theirs)
  })

  test('is found again where its place is named through a link', async () => {
    const real = await mkdtemp(join(tmpdir(), 'places-'))
    await symlink(real, `${real}-link`)
    const options = { worktreesDir: `${real}-link` }
    const first = await openGateway(repository, options)
    const { path, apply } = await first.open('linked')
    await apply([create('l.txt', 'l\n')])
    await first.close()
    const second = await openGateway(repository, options)
    const again = await second.open('linked')
    expect([again.path, await again.text('l.txt')]).toEqual([path, 'l\n'])
    await second.gateway.closeWorktree('linked', { force: true })
  })

  test.each([
    ['a branch', 'other'],
    ['a tag', 'v1'],
    ['a commit named from a branch', 'other~0'],
  ])('starts from %s', async (_, base) => {
    await repository.git('branch', '--force', 'other', head)
    await repository.git('tag', '--force', 'v1', head)
    const { opened } = await served.open(`from-${base.replace(/[^a-z0-9]/g, '-')}0`, { base })
    expect(opened.base).toBe(head)
  })

  test.each(['nowhere', '', '--all', 'HEAD:a.txt', 'HEAD\nHEAD', '0'.repeat(40)])(
    'base %j is not found',
    async base => {
      expect(await refusal(served.open('lost', { base }))).toMatchObject({
        code: 'NOT_FOUND',
        commit: base,
      })
      expect(await repository.git('for-each-ref', 'refs/editlatch/base/lost')).toBe('')
    },
  )

  test('says where the checkout has work that it does not see', async () => {
    const other = await makeRepository({ 'a.txt': 'a\n' })
    const { open } = await openGateway(other)
    expect((await open('before')).opened.base_dirty).toBeUndefined()
    await other.write('untracked.txt', 'x')
    expect((await open('after')).opened.base_dirty).toBe(true)
  })

  test.each([
    '',
    'X',
    '-a',
    '.a',
    'a..b',
    'a.lock',
    'a.',
    'a/b',
    'a b',
    'ä',
    'a~b',
    'x'.repeat(65),
  ])('no agent is called %j', async agent => {
    expect(await refusal(served.open(agent))).toMatchObject({ code: 'INVALID_ARGUMENTS' })
  })

  test.each(['a', '0', 'a.b_c-d', 'x'.repeat(64)])('an agent may be called %j', async agent => {
    expect((await served.open(agent)).opened.branch).toBe(`agent/${agent}`)
  })
})

describe('a worktree that is there already', () => {
  test('is answered again, with its work', async () => {
    const first = await served.open('again')
    const { commit } = await first.apply([create('n.txt', 'n\n')])
    const { opened } = await served.open('again')
    expect(opened).toEqual({ ...first.opened, head: commit })
  })

  test('is answered by another gateway too', async () => {
    const first = await openGateway(repository)
    const { opened, apply } = await first.open('survivor')
    const { commit } = await apply([create('n.txt', 'n\n')])
    const { gateway } = await openGateway(repository)
    expect(await gateway.openWorktree({ agent: 'survivor' })).toEqual({ ...opened, head: commit })
  })

  test('another base is refused, the same one is not', async () => {
    await served.open('based')
    await repository.git('commit', '--quiet', '--allow-empty', '-m', 'newer')
    const newer = await repository.git('rev-parse', 'HEAD')
    expect(await refusal(served.open('based', { base: 'HEAD' }))).toMatchObject({
      code: 'WORKTREE_EXISTS',
      status: 409,
      base: head,
      asked: newer,
    })
    expect((await served.open('based', { base: 'HEAD~1' })).opened.base).toBe(head)
    await repository.git('reset', '--quiet', '--hard', 'HEAD~1')
  })

  test('opened twice at once it is the same', async () => {
    const [one, two] = await Promise.all([served.open('twin'), served.open('twin')])
    expect(one.opened).toEqual(two.opened)
    expect(one.worktree).toBe(two.worktree)
  })
})

describe('refused names', () => {
  test('a branch of that name which is not ours', async () => {
    await repository.git('branch', 'agent/theirs')
    expect(await refusal(served.open('theirs'))).toMatchObject({
      code: 'WORKTREE_EXISTS',
      branch: 'refs/heads/agent/theirs',
    })
    expect(await repository.git('rev-parse', 'agent/theirs')).toBe(head)
    expect(await repository.git('for-each-ref', 'refs/editlatch/base/theirs')).toBe('')
  })

  test('a branch called agent leaves no room for agent/x; another prefix does', async () => {
    const other = await makeRepository({ 'a.txt': 'a\n' })
    await other.git('branch', 'agent')
    const { open } = await openGateway(other)
    const told = await refusal(open('x'))
    expect(told).toMatchObject({ code: 'UNSUPPORTED_REPOSITORY', branch: 'agent' })
    expect(JSON.stringify(told)).toContain('--branch-prefix')
    expect(await other.git('for-each-ref', 'refs/editlatch')).toBe('')
    const { open: openOther } = await openGateway(other, { branchPrefix: 'bot' })
    expect((await openOther('x')).opened.branch).toBe('bot/x')
  })

  test('a branch below the name of the agent', async () => {
    await repository.git('branch', 'agent/below/it')
    expect(await refusal(served.open('below'))).toMatchObject({
      code: 'UNSUPPORTED_REPOSITORY',
      branch: 'agent/below/it',
    })
    expect(await repository.git('for-each-ref', 'refs/editlatch/base/below')).toBe('')
  })

  test('something that stands where the worktree would lie', async () => {
    const place = await mkdtemp(join(tmpdir(), 'taken-'))
    await mkdir(join(place, basename(repository.path), 'taken'), { recursive: true })
    const { open } = await openGateway(repository, { worktreesDir: place })
    expect(await refusal(open('taken'))).toMatchObject({ code: 'PATH_EXISTS' })
    expect(await repository.git('for-each-ref', 'refs/editlatch/base/taken')).toBe('')
  })

  test('a repository without a commit', async () => {
    const path = await mkdtemp(join(tmpdir(), 'unborn-'))
    const other = testRepository(path)
    await other.git('init', '--quiet')
    const { open, gateway } = await openGateway(other)
    expect(await gateway.repositories()).toMatchObject([{ head: null }])
    const told = await refusal(open('x'))
    expect(told).toMatchObject({ code: 'NOT_FOUND', commit: 'HEAD' })
    expect(told.problem).toMatch(/no commit/)
  })
})

describe('a worktree by its id', () => {
  test.each(['nobody', 'repository~x', '~', '~~', '', 'A'])('%j is not found', async id => {
    expect(await refusal(served.gateway.worktree(id))).toMatchObject({
      code: 'NOT_FOUND',
      worktree: id,
    })
  })

  test('all of them are listed', async () => {
    const other = await makeRepository({ 'a.txt': 'a\n' })
    const { open, gateway } = await openGateway(other)
    const opened = [(await open('one')).opened, (await open('two')).opened]
    const told = opened.map(({ token: _token, ...rest }) => rest)
    expect(await gateway.worktrees()).toEqual(told)
    const { gateway: later } = await openGateway(other)
    expect(await later.worktrees()).toEqual(told)
  })
})
