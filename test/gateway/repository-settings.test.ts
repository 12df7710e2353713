import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DoctorAnswer } from '#src/gateway/telling/answers.js'
import type { Layer } from '#src/settings/layers.js'
import type { SettingValues } from '#src/settings/table.js'
import { create, openGateway, refusal, type TestGateway } from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'

const file = '.editlatch.json'

/** Everything that a repository could wish for. */
const greedy = {
  host: '0.0.0.0',
  port: 1,
  allow_hosts: ['evil.example'],
  allow_protected: ['**'],
  trust_config: true,
  trusted: ['/'],
  setup: ['touch', 'planted'],
  state_dir: '/tmp',
  token_file: '/tmp/token',
  record_refusals: '/tmp/refusals',
  worktrees: '/tmp',
  durability: 'process',
  limits: { bodyBytes: 999_999_999 },
  max_level: 'exact',
  branch_prefix: 'evil',
  dialects: ['opencode'],
}

async function repositoryWith(settings: object | undefined): Promise<TestRepository> {
  const repository = await makeRepository({ 'a.txt': '  a\n' })
  if (settings !== undefined) await repository.write(file, JSON.stringify(settings))
  return repository
}

interface Said {
  readonly trusted?: boolean
  readonly flags?: SettingValues
  readonly user?: SettingValues
  readonly ignored?: string[]
  readonly skipRefused?: boolean
}

function openAs(
  repositories: readonly TestRepository[],
  { trusted = false, flags = {}, user = {}, ignored = [], skipRefused = false }: Said = {},
): Promise<TestGateway> {
  const own = trusted ? { ...user, trusted: repositories.map(({ path }) => path) } : user
  const layers: readonly Layer[] = [
    { from: 'flags', values: flags },
    { from: 'user', file: '/home/config.json', values: own },
  ]
  const onIgnored = (path: string): void => {
    ignored.push(path)
  }
  const host = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('EDITLATCH_')),
  )
  return openGateway(repositories, {
    host,
    secondReader: false,
    skipRefused,
    settings: { layers, onIgnored },
  })
}

/** What is told of the settings, without places that differ from one repository to the next. */
async function told(served: TestGateway): Promise<DoctorAnswer['settings']> {
  const {
    repositories: _,
    trusted: _own,
    environment: _seen,
    ...rest
  } = (await served.gateway.examine()).settings
  return rest
}

const checksOf = async ({ gateway }: TestGateway) =>
  (await gateway.examine()).checks
    .filter(({ name }) => name === 'settings')
    .map(({ status, detail }) => `${status} ${detail}`)

describe('a repository that is not trusted', () => {
  test('CONF-1: changes nothing by its settings, and is told of', async () => {
    const plain = await openAs([await repositoryWith(undefined)])
    const hostile = await repositoryWith(greedy)
    const ignored: string[] = []
    const served = await openAs([hostile], { ignored })
    expect(await told(served)).toEqual(await told(plain))
    const path = join(hostile.path, file)
    expect(ignored).toEqual([path])
    expect(await checksOf(served)).toContain(
      `warning ${path} is ignored: the repository is not trusted`,
    )
    const { opened, apply } = await served.open('alice')
    expect(opened.branch).toBe('agent/alice')
    const places = [hostile.path, opened.path, process.cwd()]
    expect(places.filter(place => existsSync(join(place, 'planted')))).toEqual([])
    expect(await refusal(apply([create('.github/x', 'x')]))).toMatchObject({
      code: 'PROTECTED_PATH',
    })
  })

  test.each<[string, (path: string) => unknown]>([
    ['a FIFO', path => execFileSync('mkfifo', [path])],
    ['a link', path => symlink('/etc/passwd', path)],
    ['a directory', path => mkdir(path)],
    ['no JSON at all', path => writeFile(path, '{'.repeat(1_000_000))],
  ])('%s in the place of its settings is not opened', async (_, plant) => {
    const repository = await repositoryWith(undefined)
    await plant(join(repository.path, file))
    const ignored: string[] = []
    await openAs([repository], { ignored })
    expect(ignored).toEqual([join(repository.path, file)])
  })

  test('trusts nobody by being below a trusted directory or named like one', async () => {
    const repository = await repositoryWith({ max_level: 'exact' })
    const trusted = [
      join(repository.path, '..'),
      `${repository.path}/sub`,
      `${repository.path}x`,
      '/',
    ]
    const served = await openAs([repository], { user: { trusted } })
    expect((await told(served)).max_level).toBe('block_anchor')
  })
})

describe('a repository that is trusted', () => {
  test.each(Object.entries(greedy).slice(0, 13))(
    'CONF-1: may still not say %s',
    async (key, value) => {
      const repository = await repositoryWith({ [key]: value })
      expect(await refusal(openAs([repository], { trusted: true }))).toMatchObject({
        code: 'INVALID_SETTINGS',
        file: join(repository.path, file),
        key,
      })
    },
  )

  test.each<[string, (path: string) => unknown]>([
    ['a link', path => symlink('a.txt', path)],
    ['a FIFO', path => execFileSync('mkfifo', [path])],
    ['a directory', path => mkdir(path)],
  ])('is refused with %s in the place of its settings', async (_, plant) => {
    const repository = await repositoryWith(undefined)
    await plant(join(repository.path, file))
    const opened = openAs([repository], { trusted: true })
    expect(await refusal(opened)).toMatchObject({ code: 'INVALID_SETTINGS' })
  })

  test('says how it is worked in', async () => {
    const repository = await repositoryWith({ max_level: 'exact', branch_prefix: 'bots' })
    const served = await openAs([repository], {
      trusted: true,
      user: { max_level: 'line_trimmed' },
    })
    expect(await told(served)).toMatchObject({
      max_level: 'exact',
      sources: {
        max_level: `file ${join(repository.path, file)}`,
        durability: 'default',
      },
    })
    expect(await checksOf(served)).toEqual([
      'ok none overrides another',
      `warning max_level is exact by file ${repository.path}/${file}, which overrides line_trimmed in file /home/config.json`,
    ])
    const { opened, replace } = await served.open('alice')
    expect(opened.branch).toBe('bots/alice')
    expect(await refusal(replace('a.txt', 'a  ', 'b'))).toMatchObject({ code: 'ZERO_MATCHES' })
  })

  test('by trust in its git configuration, too, and flags stand above it', async () => {
    const repository = await repositoryWith({ max_level: 'exact' })
    const flags = { trust_config: true, max_level: 'line_trimmed' } as const
    const served = await openAs([repository], { flags })
    expect((await told(served)).max_level).toBe('line_trimmed')
    const { replace } = await served.open('alice')
    expect((await replace('a.txt', 'a  ', 'b')).ops[0]?.level).toBe('line_trimmed')
  })

  test('nothing of it comes from an agent’s worktree or branch', async () => {
    const repository = await repositoryWith(undefined)
    const served = await openAs([repository], { trusted: true })
    const alice = await served.open('alice')
    await alice.write(file, '{"max_level": "exact"}')
    await alice.commit('settings')
    expect(await refusal(alice.apply([create('sub/.editlatch.json', '{}')]))).toMatchObject({
      code: 'PROTECTED_PATH',
    })
    const again = await openAs([repository], { trusted: true })
    expect((await told(again)).max_level).toBe('block_anchor')
  })
})

describe('of several repositories', () => {
  test('each is worked in as it says', async () => {
    const strict = await repositoryWith({ max_level: 'exact' })
    const lenient = await repositoryWith(undefined)
    const served = await openAs([strict, lenient], { trusted: true })
    const names = (await served.gateway.repositories()).map(({ name }) => name)
    const outcomes = await Promise.all(
      names.map(async repo => {
        const { replace } = await served.open('alice', { repo })
        return replace('a.txt', 'a  ', 'b').then(
          ({ ops }) => ops[0]?.level,
          error => error.code,
        )
      }),
    )
    expect(outcomes).toEqual(['ZERO_MATCHES', 'line_trimmed'])
    expect(await checksOf(served)).toEqual([
      'ok none overrides another',
      `ok ${strict.path}/${file} says max_level = exact`,
      'ok no file of its own',
    ])
  })

  test('tools are one list, so dialects must agree', async () => {
    const one = await repositoryWith({ dialects: ['opencode'] })
    const other = await repositoryWith(undefined)
    expect(await refusal(openAs([one, other], { trusted: true }))).toMatchObject({
      code: 'INVALID_SETTINGS',
      file: join(one.path, file),
      key: 'dialects',
    })
    const flags = { dialects: ['ops'] } as const
    const served = await openAs([one, other], { trusted: true, flags })
    expect(served.gateway.dialects).toEqual(['ops'])
    const alone = await openAs([one], { trusted: true })
    expect(alone.gateway.dialects).toEqual(['opencode'])
  })

  test('one with broken settings is told of by who looks, and the others go on', async () => {
    const broken = await repositoryWith({ max_levle: 'exact' })
    const sound = await repositoryWith(undefined)
    const served = await openAs([broken, sound], { trusted: true, skipRefused: true })
    expect(await served.gateway.repositories()).toHaveLength(1)
    const { checks } = await served.gateway.examine()
    expect(checks).toContainEqual(
      expect.objectContaining({
        repository: broken.path,
        status: 'problem',
        detail: expect.stringContaining('"did_you_mean":"max_level"'),
      }),
    )
  })
})
