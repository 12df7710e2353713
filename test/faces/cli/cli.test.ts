import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { commands } from '#src/commands/registry.js'
import { makeRepository } from '../../support/repository.js'
import { main, type Ran, runProgram } from './run.js'

const repository = await makeRepository({ 'a.txt': 'one\ntwo\n', 'esc.txt': '\u001b[31mred\n' })
const state = await mkdtemp(join(tmpdir(), 'cli-'))

/** One command in process, with a state directory of this test's own. */
function run(args: readonly string[], input?: string | Uint8Array): Promise<Ran> {
  const env = { XDG_STATE_HOME: state }
  const more = input === undefined ? {} : { input }
  const flags = args.length > 0 && !args[0]?.startsWith('-') ? ['--durability', 'process'] : []
  // Before the rest, in which `--` may end the options.
  return runProgram([...args.slice(0, 1), ...flags, ...args.slice(1)], {
    cwd: repository.path,
    env,
    ...more,
  })
}

async function json(args: readonly string[], input?: string) {
  const { code, stdout, stderr } = await run([...args, '--json'], input)
  return { code, ...JSON.parse(stdout || stderr) }
}

beforeAll(async () => {
  const opened = await json(['open', 'alice'])
  expect(opened).toMatchObject({ code: 0, agent: 'alice', branch: 'agent/alice' })
})

describe('usage', () => {
  test('--version answers the version of the package', async () => {
    const { code, stdout } = await run(['--version'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
  })

  test('--help names every command', async () => {
    const { code, stdout } = await run(['--help'])
    const missing = ['serve', ...commands.map(one => one.name)].filter(
      name => !stdout.includes(`\n  ${name} `),
    )
    expect([code, missing]).toEqual([0, []])
  })

  test('what each command says of itself is the golden file', async () => {
    const { stdout } = await run(['--help'])
    const listed = stdout.slice(stdout.indexOf('\nCommands:'))
    const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(found => found[1] ?? '')
    const told = await Promise.all(
      names.filter(name => name !== 'help').map(name => run([name, '--help'])),
    )
    const texts = [stdout, ...told.map(help => help.stdout)]
    expect(told.every(({ code }) => code === 0)).toBe(true)
    expect(told.length).toBeGreaterThan(commands.length)
    await expect(texts.join(`\n${'-'.repeat(80)}\n\n`)).toMatchFileSnapshot('golden/help.txt')
  })

  test.each([
    [['nothing']],
    [['read']],
    [['read', 'a.txt']],
    [['read', 'a.txt', '--worktree', 'alice', '--nothing']],
    [['read', 'a.txt', 'b.txt', '--worktree', 'alice']],
    [['serve', '--port', '70000']],
    [['serve', '--limit', 'nothing=1']],
    [['state', '--durability', 'luck', 'alice']],
  ])('%j is wrong usage', async args => expect((await run(args)).code).toBe(2))
})

describe('commands in process', () => {
  test('a file is read as JSON', async () => {
    const answer = await json(['read', 'a.txt', '--worktree', 'alice'])
    expect(answer).toMatchObject({ code: 0, path: 'a.txt', text: 'one\ntwo\n', total_lines: 2 })
  })

  test('some lines of it as text', async () => {
    const { code, stdout } = await run(['read', 'a.txt', '--worktree', 'alice', '--lines', '2'])
    expect([code, stdout.includes('two'), stdout.includes('one')]).toEqual([0, true, false])
  })

  test('its bytes as they are', async () => {
    const { stdout } = await run(['read', 'esc.txt', '--worktree', 'alice', '--raw'])
    expect(stdout).toBe('\u001b[31mred\n')
  })

  test('UI-2: text that is printed has no control characters', async () => {
    const { stdout } = await run(['read', 'esc.txt', '--worktree', 'alice'])
    expect([stdout.includes('\u001b'), stdout.includes('red')]).toEqual([false, true])
  })

  test('UI-2: not even raw bytes reach a terminal as they are', async () => {
    const program = `${process.execPath} ${main} read esc.txt --worktree alice --raw`
    const child = spawn('script', ['-qec', program, '/dev/null'], {
      cwd: repository.path,
      env: { ...process.env, XDG_STATE_HOME: state },
    })
    const shown: string[] = []
    child.stdout.on('data', chunk => shown.push(String(chunk)))
    await new Promise(resolve => child.on('close', resolve))
    expect(shown.join('')).toBe('\\u001b[31mred\r\n')
  })

  test('a batch from standard input', async () => {
    const edits = [{ op: 'write_file', path: 'b.txt', expected_rev: null, text: 'b\n' }]
    const receipt = await json(['edit', '--worktree', 'alice'], JSON.stringify({ edits }))
    expect(receipt).toMatchObject({ code: 0, dry_run: false })
    expect(await repository.git('rev-parse', 'agent/alice')).toBe(receipt.commit)
  })

  test('a batch from a file, with options beside it', async () => {
    const edits = [{ op: 'write_file', path: 'c.txt', expected_rev: null, text: 'c\n' }]
    const file = join(state, 'batch.json')
    await writeFile(file, JSON.stringify({ edits }))
    const receipt = await json(['edit', '--worktree', 'alice', '--file', file, '--dry-run'])
    expect(receipt).toMatchObject({ code: 0, commit: null, dry_run: true })
  })

  test('a whole file from standard input', async () => {
    const args = ['write', 'w.txt', '--worktree', 'alice', '--must-not-exist', '--message', 'Add w']
    const { code } = await run(args, 'w\n')
    expect([code, await repository.git('log', '-1', '--format=%s', 'agent/alice')]).toEqual([
      0,
      'Add w',
    ])
  })

  test('a diff is marked reported only when asked to', async () => {
    const files = async (...more: readonly string[]): Promise<number> =>
      (await json(['diff', '--worktree', 'alice', ...more])).files.length
    expect([await files(), await files('--mark'), await files()]).toEqual([2, 2, 0])
  })

  test.each([
    ['worktrees', ['worktrees']],
    ['state', ['state', 'alice']],
    ['files', ['files', '--worktree', 'alice']],
    ['search', ['search', 'one', '--worktree', 'alice']],
    ['log', ['log', '--worktree', 'alice', '--limit', '5']],
    ['repos', ['repos']],
    ['snapshot', ['snapshot', '--worktree', 'alice']],
  ])('%s prints text', async (_, args) => {
    const { code, stdout, stderr } = await run(args)
    expect([code, stdout === '', stderr]).toEqual([0, false, ''])
  })
})

describe('refusals', () => {
  test('are exit code 3 and text on standard error', async () => {
    const { code, stdout, stderr } = await run(['read', 'no.txt', '--worktree', 'alice'])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('FILE_NOT_FOUND')
  })

  test('are JSON with --json', async () =>
    expect(await json(['read', '../a', '--worktree', 'alice'])).toMatchObject({
      code: 'BAD_PATH',
      status: 400,
    }))

  test.each<[string, readonly string[], string | undefined, string]>([
    ['a worktree that is not there', ['state', 'nobody'], undefined, 'NOT_FOUND'],
    ['a body that is not JSON', ['edit', '--worktree', 'alice'], 'x', 'INVALID_ARGUMENTS'],
    ['a body with a stray field', ['edit', '--worktree', 'alice'], '{"a":1}', 'INVALID_ARGUMENTS'],
    ['no revision', ['write', 'a.txt', '--worktree', 'alice'], 'x', 'CONTENT_REV_REQUIRED'],
    [
      'lines that are none',
      ['read', 'a.txt', '--worktree', 'alice', '--lines', 'x'],
      undefined,
      'INVALID_ARGUMENTS',
    ],
    [
      'ARG-1: a path like an option',
      ['read', '--worktree', 'alice', '--', '--output=pwned'],
      undefined,
      'FILE_NOT_FOUND',
    ],
    [
      'ARG-1: a base like an option',
      ['open', 'mallory', '--base=--output=pwned'],
      undefined,
      'NOT_FOUND',
    ],
    ['ARG-1: a worktree like an option', ['state', '--', '--help'], undefined, 'NOT_FOUND'],
  ])('%s', async (_, args, input, code) => {
    const at = args.indexOf('--')
    const flagged =
      at < 0 ? [...args, '--json'] : [...args.slice(0, at), '--json', ...args.slice(at)]
    const env = { XDG_STATE_HOME: state }
    const ran = await runProgram(flagged, { cwd: repository.path, env, input: input ?? '' })
    expect([ran.code, JSON.parse(ran.stderr).code]).toEqual([3, code])
  })

  test('a directory without a repository', async () => {
    const ran = await runProgram(['repos', '--json'], {
      cwd: state,
      env: { XDG_STATE_HOME: state },
    })
    expect(ran.code).not.toBe(0)
  })
})
