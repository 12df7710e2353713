import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { defaultLimits } from '#src/core/limits.js'
import type { Receipt } from '#src/core/receipt.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { type BatchInput, batchSchema, parseBatch } from '#src/edit/batch.js'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import type { ApplyOptions } from '#src/gateway/checkout/worktree-parts.js'
import { Gateway, type GatewayOptions, type OpenWorktreeInput } from '#src/gateway/gateway.js'
import type { OpenedAnswer } from '#src/gateway/telling/answers.js'
import type { Worktree } from '#src/gateway/worktree.js'
import { type TestRepository, testRepository } from './repository.js'
import { expectSameCommit } from './second-reader.js'

/** A gateway on test repositories; it is closed after the test file. */
export interface TestGateway {
  readonly gateway: Gateway
  /** Opens an agent's worktree, or the one it has. */
  open(agent: string, input?: Omit<OpenWorktreeInput, 'agent'>): Promise<TestWorktree>
  close(): Promise<void>
}

/** An agent's worktree, with git at hand in it. */
export interface TestWorktree extends Pick<TestRepository, 'path' | 'git' | 'gitRaw' | 'write'> {
  readonly id: string
  readonly opened: OpenedAnswer
  readonly worktree: Worktree
  /** Commits all that is in the worktree with the user's own git. */
  commit: TestRepository['commit']
  /** The revision of a file as a read answers it. */
  rev(path: string): Promise<string>
  /** The text of a file as a read answers it. */
  text(path: string): Promise<string>
  /** Sends a batch as JSON. */
  apply(edits: readonly EditInput[], options?: BatchOptions): Promise<Receipt>
  /** Replaces a text in one file at the revision that a read answers just now. */
  replace(path: string, find: string, replace: string): Promise<Receipt>
}

export type BatchOptions = ApplyOptions & Omit<BatchInput, 'edits'>

export interface TestGatewayOptions extends Partial<GatewayOptions> {
  /** False for repositories that hold what isomorphic-git cannot read. */
  readonly secondReader?: boolean
}

const closers: (() => Promise<void>)[] = []
const readAgain = new Set<string>()
let madeCommits = 0

afterAll(async () => {
  for (const close of closers.splice(0)) await close()
  if (madeCommits > 0) expect(readAgain.size, 'commits that were read again').toBeGreaterThan(0)
  // Some tests make hundreds of commits.
}, 120_000)

/**
 * Opens a gateway with a state directory and a directory of worktrees of its own. When it is closed, each commit
 * that it made is read once more by the second reader.
 */
export async function openGateway(
  repositories: TestRepository | readonly TestRepository[],
  { secondReader = true, ...options }: TestGatewayOptions = {},
): Promise<TestGateway> {
  const served = 'path' in repositories ? [repositories] : repositories
  const place = await mkdtemp(join(tmpdir(), 'gateway-'))
  const gateway = await Gateway.open({
    repositories: served.map(({ path }) => path),
    stateDir: join(place, 'state'),
    worktreesDir: join(place, 'worktrees'),
    branchPrefix: 'agent',
    durability: 'process',
    allowProtected: [],
    trustConfig: false,
    limits: defaultLimits,
    secret: 'a secret of the test',
    host: process.env,
    // Whether a verdict comes in time is no test's business but those of the check itself.
    syntaxMs: 0,
    ...options,
  })
  const made = new Set<string>()
  gateway.events.subscribe(({ commit }) => {
    if (commit === undefined || !secondReader) return
    made.add(commit)
    madeCommits += 1
  })
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await gateway.close()
    for (const repository of made.size > 0 ? served : []) await recheck(repository, made)
    await rm(place, { recursive: true, force: true })
  }
  closers.push(close)
  return { gateway, open: (agent, input = {}) => openWorktree(gateway, { ...input, agent }), close }
}

/** The worktree as git sees it is exactly its head: status, every entry of the index, the tree it makes, all objects. */
export async function expectClean({ path }: Pick<TestRepository, 'path'>): Promise<void> {
  const { stdout } = await execute('sh', ['-c', lookAtAll], { cwd: path, encoding: 'utf8' })
  const [status, staged, committed, tree, head, fsck] = stdout.split('\f\n')
  expect({ status, staged, tree, fsck }).toEqual({
    status: '',
    staged: committed,
    tree: head,
    fsck: '',
  })
}

const execute = promisify(execFile)

/** One shell for six gits: a test would else wait mostly for the start of processes. Status comes first, and repairs nothing. */
const lookAtAll = [
  'git --no-optional-locks status --porcelain --untracked-files=all',
  "git ls-files --stage | sed 's/ 0\t/\t/'",
  "git ls-tree -r --format='%(objectmode) %(objectname)%x09%(path)' HEAD | sed 's/^100664/100644/'",
  'git write-tree',
  "git rev-parse 'HEAD^{tree}'",
  'git fsck --no-dangling --no-progress 2>&1',
].join("; printf '\\f\\n'; ")

/** The refusal that a promise ends with, as a client gets it. */
export async function refusal(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await promise.then(
    answer => new Error(`not refused: ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refusal)) throw error
  const { message: _sentence, next_action: _action, ...told } = error.toJSON()
  return told
}

/** A batch that creates a file. */
export function create(path: string, text: string): EditInput {
  return { op: 'write_file', path, expected_rev: null, text }
}

async function openWorktree(gateway: Gateway, input: OpenWorktreeInput): Promise<TestWorktree> {
  const answer = await gateway.openWorktree(input)
  return testWorktree(await gateway.worktree(answer.id), answer)
}

function testWorktree(worktree: Worktree, answer: OpenedAnswer): TestWorktree {
  const { git, gitRaw, write, commit } = testRepository(answer.path)
  const read = (path: string): ReturnType<Worktree['read']> => worktree.read(parseRepoPath(path))
  const rev = async (path: string): Promise<string> => (await read(path)).oid
  const apply: TestWorktree['apply'] = (edits, options = {}) => {
    const { message, intent, expected_head, on_conflict, require_valid, ...rest } = options
    const said = { message, intent, expected_head, on_conflict, require_valid }
    const given = Object.entries(said).filter(([, value]) => value !== undefined)
    const input = batchSchema.parse({ edits, ...Object.fromEntries(given) })
    const fingerprint = JSON.stringify(input)
    return worktree.apply(parseBatch(input, defaultLimits), { fingerprint, ...rest })
  }
  return {
    id: answer.id,
    path: answer.path,
    opened: answer,
    worktree,
    git,
    gitRaw,
    write,
    commit,
    rev,
    text: async path => new TextDecoder().decode((await read(path)).bytes),
    apply,
    replace: async (path, find, replace) =>
      apply([{ op: 'replace_text', path, expected_rev: await rev(path), find, replace }]),
  }
}

/** Reads every commit that the gateway made in a repository with the second reader, each once. */
async function recheck(repository: TestRepository, made: ReadonlySet<string>): Promise<void> {
  const input = [...made].map(oid => `${oid}\n`).join('')
  const check = ['cat-file', '--batch-check=%(objecttype) %(objectname)']
  const told = new TextDecoder().decode(await repository.gitRaw(check, { input }))
  // Of several repositories each has its own; what was pruned is nowhere.
  const here = [...told.matchAll(/^commit (\S+)$/gm)].map(([, oid = '']) => oid)
  if (here.length === 0) return
  const ours = '--grep=^Editlatch-(Batch|Source): '
  for (const oid of (await repository.git('rev-list', '-E', ours, ...here)).split('\n')) {
    if (readAgain.has(oid)) continue
    const { checked } = await expectSameCommit(repository, oid)
    if (checked) readAgain.add(oid)
  }
}
