import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { appendFile, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRepository, type Repository } from '#src/io/git/open-repository.js'
import { gitText } from '#src/io/git/run-git.js'
import { refusal } from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

interface Opened {
  readonly repository: TestRepository
  readonly opened: Repository
  readonly facade: string
}

async function open(
  config: Readonly<Record<string, string>> = {},
  options: { readonly trustConfig?: boolean; readonly global?: string } = {},
): Promise<Opened> {
  const repository = await makeRepository({ 'a.txt': 'a\n' }, { config })
  return { repository, ...(await openAt(repository.path, options)) }
}

async function openAt(
  path: string,
  { trustConfig = false, global = '' }: { trustConfig?: boolean; global?: string },
): Promise<Omit<Opened, 'repository'>> {
  const stateDir = await mkdtemp(join(tmpdir(), 'state-'))
  const home = await mkdtemp(join(tmpdir(), 'home-'))
  await writeFile(join(home, 'config'), global)
  const host = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_GLOBAL: join(home, 'config') }
  const opened = await openRepository(path, { host, stateDir, trustConfig })
  const [state = ''] = await readdir(stateDir)
  return { opened, facade: join(stateDir, state, 'facade') }
}

const facadeConfig = (facade: string): readonly string[] => {
  const text = readFileSync(join(facade, 'config'), 'utf8')
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const [, key, value] = /^\t(\S+) = "(.*)"$/.exec(line) ?? []
    return key === undefined ? [] : [`${lines[at - 1]?.slice(1, -1)}.${key}=${value}`]
  })
}

describe('the stand-in for the common directory', () => {
  test('links to what is data, and is for nobody else', async () => {
    const { repository, facade } = await open()
    for (const name of ['objects', 'refs', 'logs', 'worktrees', 'packed-refs', 'HEAD']) {
      expect(readlinkSync(join(facade, name))).toBe(join(repository.path, '.git', name))
    }
    expect(statSync(facade).mode & 0o777).toBe(0o700)
    for (const name of ['config', 'info/exclude', 'info/attributes', 'excludes', 'attributes']) {
      expect(lstatSync(join(facade, name)).isFile()).toBe(true)
    }
  })

  test.each([
    ['core.autocrlf', 'input', 'core.autocrlf=input'],
    ['core.autocrlf', 'yes', 'core.autocrlf=true'],
    ['core.eol', 'crlf', 'core.eol=crlf'],
    ['core.fileMode', 'off', 'core.filemode=false'],
    ['core.sharedRepository', 'group', 'core.sharedrepository=group'],
    ['core.sharedRepository', '0660', 'core.sharedrepository=0660'],
    ['core.ignoreCase', 'true', 'core.ignorecase=true'],
  ])('%s = %s passes', async (key, value, line) => {
    expect(facadeConfig((await open({ [key]: value })).facade)).toContain(line)
  })

  test.each([
    ['core.eol', '"; planted'],
    ['core.autocrlf', 'true\n[core]\n\tfsmonitor = planted'],
    ['core.fsmonitor', '/planted'],
    ['core.hooksPath', '/planted'],
    ['core.editor', 'planted'],
    ['core.worktree', '../planted'],
    ['core.excludesFile', '/planted'],
    ['filter.x.clean', 'planted'],
    ['diff.external', 'planted'],
    ['include.path', '/planted'],
    ['alias.status', '!planted'],
    ['receive.denyCurrentBranch', 'planted'],
    ['remote.origin.url', 'ext::sh -c planted'],
    ['url.planted.insteadOf', 'y'],
  ])('%s = %j does not', async (key, value) => {
    // Written afterwards: some of these would keep git from making the repository.
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    await repository.git('config', key, value)
    const { opened } = await openAt(repository.path, {})
    expect(await gitText(opened.main, ['config', '--list'])).not.toContain('planted')
  })

  test('has no settings but known ones', async () => {
    const { facade } = await open({ 'gc.auto': '1', 'user.name': 'x' })
    expect(facadeConfig(facade).map(line => line.split('=')[0])).toEqual([
      'core.repositoryformatversion',
      'core.bare',
      'core.logallrefupdates',
      'core.protectntfs',
      'core.protecthfs',
      'core.hookspath',
      'core.fsmonitor',
      'core.excludesfile',
      'core.attributesfile',
      'gc.auto',
      'maintenance.auto',
      'core.filemode',
    ])
  })

  test('copies what is ignored and attributed, of the repository and of the user', async () => {
    const place = await mkdtemp(join(tmpdir(), 'patterns-'))
    await writeFile(join(place, 'ignore'), 'user-ignored\n')
    await writeFile(join(place, 'attributes'), '*.u text\n')
    const global = `[core]\n\texcludesFile = ${place}/ignore\n\tattributesFile = ${place}/attributes\n`
    const repository = await makeRepository({ 'a.txt': 'a\n' })
    await repository.write('.git/info/exclude', 'ignored\n')
    await repository.write('.git/info/attributes', '*.r text\n')
    const { facade, opened } = await openAt(repository.path, { global })
    const copied = (name: string): string => readFileSync(join(facade, name), 'utf8')
    expect([copied('info/exclude'), copied('excludes')]).toEqual(['ignored\n', 'user-ignored\n'])
    expect([copied('info/attributes'), copied('attributes')]).toEqual(['*.r text\n', '*.u text\n'])
    expect(opened.conversion.otherAttributeFiles).toBe(true)
  })

  test('is not made where the configuration is trusted', async () => {
    const { opened, repository } = await open({ 'core.whatever': 'x' }, { trustConfig: true })
    expect(await gitText(opened.main, ['config', 'core.whatever'])).toBe('x')
    expect(await gitText(opened.main, ['config', 'core.hooksPath'])).toBe('/dev/null')
    expect(opened.main.env.GIT_COMMON_DIR).toBe(join(repository.path, '.git'))
  })
})

describe('what is known of a repository', () => {
  test('plain', async () => {
    const { opened } = await open()
    expect(opened).toMatchObject({
      objectFormat: 'sha1',
      ignoreCase: false,
      fileMode: true,
      conversion: { autocrlf: 'false', eolIsCrlf: false, otherAttributeFiles: false },
    })
    expect(opened.identity).toBeUndefined()
  })

  test("the user's settings count, the repository's more", async () => {
    const global =
      '[user]\n\tname = G\n\temail = g@example.com\n[core]\n\tautocrlf = true\n\teol = crlf\n'
    const { opened } = await open({ 'user.name': 'R', 'core.autocrlf': 'input' }, { global })
    expect(opened.identity).toEqual({ name: 'R', email: 'g@example.com' })
    expect(opened.conversion).toMatchObject({ autocrlf: 'input', eolIsCrlf: true })
  })

  test('nothing of the outside is passed on to git', async () => {
    const { opened } = await open()
    const env = await gitText({ ...opened.main, git: 'env', flags: [] }, ['-u', '_'])
    const names = env.split('\n').map(line => line.split('=')[0])
    expect(names).not.toContain('EDITLATCH_CORPORA')
    expect(
      names.filter(
        name =>
          !/^(GIT_|PATH$|HOME$|XDG_CONFIG_HOME$|LC_ALL$|TZ$|PAGER$|SSH_ASKPASS$|PWD$)/.test(
            name ?? '',
          ),
      ),
    ).toEqual([])
  })
})

describe('later', () => {
  test('a changed configuration is seen', async () => {
    const { repository, opened } = await open()
    expect(opened.isStale()).toBe(false)
    await repository.git('config', 'core.autocrlf', 'true')
    expect(opened.isStale()).toBe(true)
  })

  test.each(['info/exclude', 'info/attributes'])('a changed %s is seen', async name => {
    const { repository, opened } = await open()
    await appendFile(join(repository.path, '.git', name), 'x\n')
    expect(opened.isStale()).toBe(true)
  })

  test('alternates are refused', async () => {
    const { repository, opened } = await open()
    opened.recheck()
    await repository.write('.git/objects/info/alternates', '/elsewhere\n')
    expect(await refusal(Promise.resolve().then(() => opened.recheck()))).toMatchObject({
      code: 'UNSUPPORTED_REPOSITORY',
    })
  })
})

test.each([
  ['noop', 'true', undefined],
  ['partialClone', 'origin', undefined],
  ['worktreeConfig', 'true', undefined],
  ['objectFormat', 'sha1', undefined],
  ['compatObjectFormat', 'sha256', 'UNSUPPORTED_REPOSITORY'],
  ['somethingNew', 'true', 'UNSUPPORTED_REPOSITORY'],
])('extensions.%s = %s', async (name, value, code) => {
  const repository = await makeRepository({ 'a.txt': 'a\n' })
  const lines = `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\t${name} = ${value}\n`
  await appendFile(join(repository.path, '.git/config'), lines)
  const opening = openAt(repository.path, {})
  if (code === undefined) expect((await opening).opened.objectFormat).toBe('sha1')
  else expect(await refusal(opening)).toMatchObject({ code })
})
