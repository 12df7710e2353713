import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository } from '#src/io/git/open-repository.js'
import { changingCommands, readingCommands } from './git-commands.js'
import { buildHostile, copyOver, makePlace } from './hostile.js'

const world = buildHostile()
const { directory, hostile } = world
const copy = join(makePlace('copy'), 'world')
// An edit that is not committed, as agents leave them.
appendFileSync(join(hostile.worktree, 'src/b.ts'), 'EDIT by agent\n')
copyOver(directory, copy)

const index = 'repo/.git/worktrees/agent/index'

const person = { NAME: 'u', EMAIL: 'u@example.com', DATE: '1700000100 +0000' }
const people = Object.fromEntries(
  Object.entries(person).flatMap(([what, value]) =>
    ['AUTHOR', 'COMMITTER'].map(who => [`GIT_${who}_${what}`, value]),
  ),
)
const variables = {
  D: directory,
  REPO: hostile.path,
  BASE: hostile.base,
  VICTIM_BLOB: hostile.victimBlob,
  SIGNED: hostile.signed,
  MISSING: hostile.missing,
  CANARY: hostile.log,
  ...people,
}

interface Ran {
  readonly name: string
  readonly code: number | null
  readonly canaries: readonly string[]
}

/** Puts back what a command line may have changed. */
function restore(): void {
  for (const part of ['agent', 'repo/.git']) copyOver(join(copy, part), join(directory, part))
  rmSync(hostile.alternates)
}

type Environment = Readonly<Record<string, string>>

/** Runs one command line as git finds the worktree when an agent has edited in it. */
function run(name: string, line: string, env: Environment): Ran {
  copyFileSync(join(copy, index), join(directory, index))
  writeFileSync(hostile.log, '')
  // Older than the index, so that git looks at the content.
  const args = ['20', 'sh', '-c', `touch -d '2 seconds ago' src/a.ts; ${line}`]
  const { status } = spawnSync('timeout', args, {
    cwd: hostile.worktree,
    env: { ...env, ...variables },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  return { name, code: status, canaries: world.canaries() }
}

test('the planted programs do nothing but tell that they ran', () => {
  const folders = [join(directory, 'bin'), join(hostile.path, '.git/hooks')]
  const programs = folders.flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
  const harmless = new RegExp(
    `^#!/bin/sh\\necho '[a-z0-9-]+' >>'${hostile.log}'\\n(?:cat|cat "\\$1"|exit 1|echo [a-z-]+|printf 'tok\\\\0/\\\\0')?\\n$`,
  )
  const others = programs.filter(file => !harmless.test(readFileSync(file, 'utf8')))
  expect([programs.length > 50, others]).toEqual([true, []])
})

test('EXEC-1: no git command line runs code of the repository in the environment that git is started in here', async () => {
  rmSync(hostile.alternates)
  const repository = await openRepository(hostile.path, {
    host: process.env,
    stateDir: makePlace('state'),
    trustConfig: false,
  })
  const gitDir = join(hostile.path, '.git/worktrees/agent')
  const { env } = repository.place(gitDir, hostile.worktree)
  const before = world.outside()
  const ran = runAll(env)
  const fell = ran.filter(({ canaries }) => canaries.length > 0)
  const failed = ran.filter(({ code }) => code !== 0).map(({ name }) => name)
  console.info(
    `in the facade: ${ran.length} run, ${failed.length} failed, ${fell.length} ran code; failed:`,
    failed.join(' '),
  )
  expect(fell).toEqual([])
  expect(ran.length).toBeGreaterThan(90)
  expect(ran.length - failed.length).toBeGreaterThan(50)
  expect(ran.filter(({ code }) => code === 124)).toEqual([])
  expect(world.outside()).toBe(before)
}, 120_000)

/** The reading ones after one another; each of the others on a fresh copy. */
function runAll(env: Environment): readonly Ran[] {
  const reading = readingCommands.map(([name, line]) => run(name, line, env))
  const changing = changingCommands.map(([name, line]) => {
    restore()
    return run(name, line, env)
  })
  restore()
  return [...reading, ...changing]
}

const shown = [
  'status',
  'log-p',
  'diff-commits',
  'commit',
  'interpret-trailers',
  'cat-file-missing',
]

test('plainly run, the same command lines run code of the repository', () => {
  // Nobody's configuration, and nothing of ours that would protect.
  const env = { PATH: process.env.PATH ?? '', HOME: makePlace('home'), GIT_CONFIG_NOSYSTEM: '1' }
  const lines = [...readingCommands, ...changingCommands].filter(([name]) => shown.includes(name))
  const ran = lines.map(([name, line]) => run(name, line, env))
  console.info('plainly:', ran.map(({ name, canaries }) => `${name}: ${canaries}`).join('; '))
  expect(ran.map(({ name, canaries }) => [name, canaries.length > 0])).toEqual(
    lines.map(([name]) => [name, true]),
  )
})
