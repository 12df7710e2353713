import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import type { OpenWorktreeInput } from '#src/gateway/gateway.js'
import { faultAsRefusal } from '#src/gateway/landing/faults.js'
import {
  openGateway,
  type TestGateway,
  type TestGatewayOptions,
  type TestWorktree,
} from '../../support/gateway.js'
import { makeRepository, type TestRepository, testRepository } from '../../support/repository.js'

/** Everything in process, or with help of a git that was started for it, or refused and nothing changed. */
export type Outcome = 'handled' | 'falls back' | `refused ${string}`

/** Text by path that head holds after what was asked; null for a path that is gone. */
export type Expected = Readonly<Record<string, string | Uint8Array | null>>

/** One thing that git can be in, what is asked then, and what comes of it. */
export interface Situation {
  readonly name: string
  /** `files` with one commit by default. */
  readonly make?: () => Promise<TestRepository>
  readonly gateway?: TestGatewayOptions
  readonly open?: Omit<OpenWorktreeInput, 'agent'>
  /** Brings it about, where the agent's worktree must be there for it. */
  readonly prepare?: (worktree: TestWorktree, repository: TestRepository) => unknown
  /** Edits `a.txt` by default. */
  readonly ask?: (worktree: TestWorktree) => Promise<unknown>
  readonly outcome: Outcome
  /** What differs from head's files before; `a.txt` edited by default. */
  readonly expected?: Expected
  /** What git's status says afterwards; by default what it said before. */
  readonly status?: string
  /** Looks at what else must be so. */
  readonly check?: (worktree: TestWorktree, repository: TestRepository) => unknown
}

export const files = { 'a.txt': 'a\n', 'd/b.txt': 'b\n', 'd/e/c.txt': 'c\n' }

let template: Promise<TestRepository> | undefined

/** A repository with `files` in one commit; a copy, because there are so many. */
export async function makePlain(): Promise<TestRepository> {
  template ??= makeRepository(files)
  const path = mkdtempSync(join(tmpdir(), 'repository-'))
  cpSync((await template).path, path, { recursive: true })
  const repository = testRepository(path)
  // Else git would look into every file to see that it is the same.
  await repository.git('update-index', '--refresh')
  return repository
}

/** The same with further settings. */
export async function makeWith(config: Readonly<Record<string, string>>): Promise<TestRepository> {
  const repository = await makePlain()
  for (const [key, value] of Object.entries(config)) await repository.git('config', key, value)
  return repository
}

const editA = (worktree: TestWorktree): Promise<unknown> => worktree.replace('a.txt', 'a', 'A')
const editedA = { 'a.txt': 'A\n' }

/** Sends edits; where an edit names no revision it is the one that a read answers. */
export const edits =
  (...all: readonly EditInput[]) =>
  (worktree: TestWorktree): Promise<unknown> =>
    worktree.apply(all)

/** What somebody had done to the file has a commit of its own below the batch. */
export const committedApart = async ({ git }: TestWorktree): Promise<void> =>
  expect((await git('log', '--format=%s', 'main..')).split('\n')).toHaveLength(2)

/** Brings the situation about in a new repository, asks, and checks what came of it. */
export async function goThrough(situation: Situation): Promise<Outcome> {
  const { make = makePlain, ask = editA, expected = editedA } = situation
  const repository = await make()
  const spy = spyOnGit()
  const host = { ...process.env, PATH: `${spy.directory}:${process.env.PATH}` }
  const refusedAt = refusalCode(situation.outcome)
  let gateway: TestGateway | undefined
  let worktree: TestWorktree | undefined
  try {
    gateway = await openGateway(repository, { secondReader: false, host, ...situation.gateway })
    worktree = await gateway.open('x', situation.open)
  } catch (error) {
    await gateway?.close()
    return refusedUnchanged(error, situation.outcome, repository)
  }
  await situation.prepare?.(worktree, repository)
  const before = await lookAt(worktree, repository)
  const head = await worktree.git('rev-parse', 'agent/x')
  spy.clear()
  try {
    await ask(worktree)
  } catch (error) {
    const outcome = codeOf(error, situation.outcome)
    expect(await lookAt(worktree, repository), 'nothing changes').toEqual(before)
    await situation.check?.(worktree, repository)
    await gateway.close()
    return outcome
  }
  const started = spy.started()
  expect(refusedAt, 'not refused').toBeUndefined()
  await expectTree(worktree, head, expected)
  await expectStatus(worktree, situation.status ?? before.status)
  await situation.check?.(worktree, repository)
  await gateway.close()
  return started.length === 0 ? 'handled' : 'falls back'
}

/** Where not even a worktree could be opened: no branch and no ref of ours is left. */
async function refusedUnchanged(
  error: unknown,
  wanted: Outcome,
  repository: TestRepository,
): Promise<Outcome> {
  const outcome = codeOf(error, wanted)
  const gitDir = existsSync(join(repository.path, '.git')) ? '.git' : '.'
  const made = ['refs/heads/agent', 'refs/editlatch/base'].filter(name =>
    existsSync(join(repository.path, gitDir, name, 'x')),
  )
  expect(made, 'nothing is made').toEqual([])
  return outcome
}

function codeOf(thrown: unknown, wanted: Outcome): Outcome {
  const error = faultAsRefusal(thrown)
  if (!(error instanceof Refusal)) throw error
  const outcome: Outcome = `refused ${error.code}`
  expect(outcome, JSON.stringify(error.data)).toBe(wanted)
  return outcome
}

function refusalCode(outcome: Outcome): string | undefined {
  return outcome.startsWith('refused ') ? outcome.slice('refused '.length) : undefined
}

interface Look {
  readonly refs: string
  readonly index: string
  readonly status: string
}

async function lookAt(worktree: TestWorktree, repository: TestRepository): Promise<Look> {
  const told = (...args: readonly string[]): Promise<string> =>
    worktree.git('--no-optional-locks', ...args).catch(String)
  const status = await told('status', '--porcelain', '--untracked-files=all')
  const gitDir = await worktree.git('rev-parse', '--absolute-git-dir')
  return {
    refs: await repository.git('for-each-ref'),
    index: readFileSync(join(gitDir, 'index'), 'latin1'),
    status,
  }
}

/** What somebody had changed or staged besides is still so; a clean worktree is clean, and its index is head. */
async function expectStatus({ git }: TestWorktree, wanted: string): Promise<void> {
  expect(await git('status', '--porcelain', '--untracked-files=all'), 'status').toBe(wanted)
  const fsck = ['fsck', '--no-dangling', '--no-progress', '--connectivity-only']
  expect(await git(...fsck).catch(String), 'fsck').toBe('')
  if (wanted !== '') return
  expect(await git('write-tree'), 'index').toBe(await git('rev-parse', 'HEAD^{tree}'))
}

/** The tree of head is what git makes of the tree before and what was to change, without any conversion. */
async function expectTree(
  worktree: TestWorktree,
  before: string,
  expected: Expected,
): Promise<void> {
  const { git, gitRaw } = worktree
  const env = { GIT_INDEX_FILE: join(mkdtempSync(join(tmpdir(), 'index-')), 'index') }
  const quiet = async (args: readonly string[], input = ''): Promise<string> =>
    new TextDecoder().decode(await gitRaw(args, { env, input })).trim()
  await quiet(['read-tree', before])
  for (const [path, content] of Object.entries(expected)) {
    const [, mode = '100644'] = /^(\d+) /.exec(await git('ls-tree', before, '--', path)) ?? []
    const oid = content === null ? '' : await hash(worktree, content)
    const line = content === null ? `0 ${'0'.repeat(40)}\t${path}` : `${mode} ${oid}\t${path}`
    await quiet(['update-index', '-z', '--index-info'], `${line}\0`)
  }
  const wanted = await quiet(['write-tree', '--missing-ok'])
  const shown = async (tree: string): Promise<string> => await git('ls-tree', '-r', '-t', tree)
  const head = await git('rev-parse', 'agent/x^{tree}')
  if (head !== wanted) expect(await shown(head), 'tree').toBe(await shown(wanted))
}

async function hash({ gitRaw }: TestWorktree, content: string | Uint8Array): Promise<string> {
  const args = ['hash-object', '-w', '--stdin', '--no-filters']
  return new TextDecoder().decode(await gitRaw(args, { input: content })).trim()
}

/** A `git` that notes what it is started for. The children that live long are not counted: they are not started for one batch. */
function spyOnGit(): {
  readonly directory: string
  clear(): void
  started(): readonly string[]
} {
  const directory = mkdtempSync(join(tmpdir(), 'spy-'))
  const log = join(directory, 'log')
  const script = `#!/bin/sh\necho "$*" >> '${log}'\nPATH="\${PATH#*:}" exec git "$@"\n`
  writeFileSync(join(directory, 'git'), script)
  chmodSync(join(directory, 'git'), 0o755)
  writeFileSync(log, '')
  return {
    directory,
    clear: () => writeFileSync(log, ''),
    started: () => {
      const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean)
      return lines.filter(line => !longLived.test(line))
    },
  }
}

/** Started once and kept, or to read the configuration anew where it has changed. */
const longLived =
  /(?:^| )(?:check-attr|diff-tree|update-ref|config|version)(?: |$)|cat-file --batch-command/
