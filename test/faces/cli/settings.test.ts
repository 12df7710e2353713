import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeRepository } from '../../support/repository.js'
import { type Ran, runProgram, serve } from './run.js'

const home = await mkdtemp(join(tmpdir(), 'home-'))
const config = join(home, '.config/editlatch/config.json')
const repository = await makeRepository({ 'a.txt': '  a\n', '.editlatch.json': '{"watch": false}' })
/** What the tests themselves are told is no setting. */
const unset = Object.fromEntries(
  Object.keys(process.env)
    .filter(name => name.startsWith('EDITLATCH_'))
    .map(name => [name, '']),
)
const places = { ...unset, XDG_STATE_HOME: join(home, 'state'), XDG_CONFIG_HOME: '', HOME: home }

beforeAll(() => mkdir(join(home, '.config/editlatch'), { recursive: true }))

interface Around {
  readonly env?: Readonly<Record<string, string>>
  readonly user?: string
}

async function run(args: readonly string[], { env = {}, user = '{}' }: Around = {}): Promise<Ran> {
  await writeFile(config, user)
  return runProgram(args, { cwd: repository.path, env: { ...places, ...env } })
}

/** Settings with their sources, as doctor tells them. */
async function told(
  names: readonly string[],
  args: readonly string[],
  around: Around = {},
): Promise<readonly unknown[]> {
  const { stdout, stderr } = await run(['doctor', '--json', ...args], around)
  expect(stderr).toBe('')
  const { settings } = JSON.parse(stdout)
  return names.map(name => [settings[name], settings.sources[name]])
}

describe('doctor says what holds and who said it', () => {
  const user = '{"branch_prefix": "c", "worktrees": "~/w", "anchors": "content"}'
  const env = { EDITLATCH_BRANCH_PREFIX: 'b', EDITLATCH_PORT: '81' }

  test('by default, what a single command never does, and places that follow others', async () => {
    const state = join(home, 'other')
    const names = ['branch_prefix', 'watch', 'token_file']
    expect(await told(names, ['--state-dir', state])).toEqual([
      ['agent', 'default'],
      [false, 'this command'],
      [join(state, 'token'), 'default'],
    ])
  })

  test('in the user’s file, in the environment and by flags, the last above the first', async () => {
    const names = ['worktrees', 'branch_prefix', 'port', 'anchors', 'trust_config', 'trusted']
    const args = ['--anchors', 'chunk', '--no-trust-config', '--trusted', 'w']
    expect(await told(names, args, { user, env })).toEqual([
      [join(home, 'w'), `file ${config}`],
      ['b', 'environment EDITLATCH_BRANCH_PREFIX'],
      [81, 'environment EDITLATCH_PORT'],
      ['chunk', 'flag --anchors'],
      [false, 'flag --no-trust-config'],
      [[join(repository.path, 'w')], 'flag --trusted'],
    ])
  })

  test('a secret is not said', async () => {
    const { stdout } = await run(['doctor', '--token', 'hush-hush'])
    expect(stdout).toContain('  durability')
    expect(stdout).not.toContain('hush')
  })

  test('nor is one that does not fit, wherever it stands', async () => {
    const said = [
      await run(['doctor', '--token', 'hush\r']),
      await run(['doctor'], { env: { ...env, EDITLATCH_TOKEN: 'hush\r' } }),
    ]
    expect(said.map(({ code }) => code)).toEqual([3, 3])
    expect(said.map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain('hush')
  })

  test('what one place silently overrides, and a variable that is none', async () => {
    const { stdout } = await run(['doctor'], { user, env: { ...env, EDITLATCH_BRANCHPREFIX: 'x' } })
    const lines = stdout.split('\n').filter(line => line.includes('settings  '))
    expect(lines.map(line => line.replace(/ {2,}/g, ' '))).toEqual([
      `warning settings branch_prefix is b by environment EDITLATCH_BRANCH_PREFIX, which overrides c in file ${config}`,
      'warning settings the variable EDITLATCH_BRANCHPREFIX is no setting',
      expect.stringMatching(
        /^warning .*\.editlatch\.json is ignored: the repository is not trusted$/,
      ),
    ])
    expect(stdout).toContain('Is EDITLATCH_BRANCH_PREFIX meant?')
  })
})

describe('what does not fit is refused with its place', () => {
  test.each<[string, Around, readonly string[]]>([
    [
      'in the user’s file',
      { user: '{"prot": 1}' },
      [`file: ${config}`, 'key: prot', 'did_you_mean: port'],
    ],
    [
      'in the environment',
      { env: { EDITLATCH_PORT: 'x' } },
      ['variable: EDITLATCH_PORT', 'expected: a whole number from 0 to 65535'],
    ],
  ])('%s', async (_, around, lines) => {
    const { code, stderr } = await run(['repos'], around)
    expect(code).toBe(3)
    for (const line of lines) expect(stderr).toContain(line)
  })

  test('by a flag it is usage', async () => {
    const { code, stderr } = await run(['serve', '--min-similarity', '2'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a number from 0 to 1.')])
  })
})

test('what files say holds for a single command, too', async () => {
  const user = '{"max_level": "exact"}'
  await run(['open', 'alice'])
  const batch = {
    edits: [{ op: 'replace_text', path: 'a.txt', find: 'a  ', replace: 'b' }],
    expected_head: await repository.git('rev-parse', 'HEAD'),
  }
  await writeFile(join(home, 'batch.json'), JSON.stringify(batch))
  const edit = ['edit', '--worktree', 'alice', '--file', join(home, 'batch.json'), '--json']
  const strict = await run(edit, { user })
  expect(JSON.parse(strict.stderr)).toMatchObject({ code: 'ZERO_MATCHES' })
  const lenient = await run(edit, {})
  expect(JSON.parse(lenient.stdout).ops).toMatchObject([{ level: 'line_trimmed' }])
})

test('a server takes its settings from a file that is a link, and logs what it ignores', async () => {
  const real = join(home, 'dotfiles.json')
  await writeFile(real, '{"host": "localhost", "limits": {"readBytes": 2}}')
  const linked = await mkdtemp(join(tmpdir(), 'config-'))
  await mkdir(join(linked, 'editlatch'))
  await symlink(real, join(linked, 'editlatch/config.json'))
  const env = { ...places, XDG_CONFIG_HOME: linked }
  const served = await serve([], { cwd: repository.path, env })
  const answer = await fetch(`${served.url}/v1/doctor`, {
    headers: { authorization: `Bearer ${served.token}` },
  })
  const { settings } = JSON.parse(await answer.text())
  expect(settings).toMatchObject({
    host: 'localhost',
    limits: { readBytes: 2, batchOps: 200 },
    watch: true,
    durability: 'process',
    sources: { host: `file ${linked}/editlatch/config.json`, durability: 'flag --durability' },
  })
  await served.stop()
  expect(served.printed()).toContain(
    '.editlatch.json","msg":"ignored: the repository is not trusted',
  )
})
