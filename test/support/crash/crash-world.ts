import { type ChildProcess, spawn } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
} from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { hashObject } from '#src/io/git/hash-object.js'
import { openGateway, type TestGateway, type TestWorktree } from '../gateway.js'
import { makeRepository, type TestRepository, testRepository } from '../repository.js'
import type { Places } from './clients.js'

export type Durability = 'power' | 'process'
export type When = 'before' | 'after' | 'frozen' | 'paused'

/** What stands in a worktree by path, git's own file left out; an executable file has `x ` before its text, a link `-> `. */
export type Files = Readonly<Record<string, string>>

/** A repository with one agent's worktree, in which processes that work for the agent are killed. */
export interface CrashWorld {
  readonly repository: TestRepository
  readonly places: Places
  /** The agent's linked worktree and its git directory. */
  readonly worktree: TestRepository
  readonly gitDir: string
  /** Opens a gateway in this process, as one that is started after a crash. */
  open(): Promise<{ readonly gateway: TestGateway; readonly worktree: TestWorktree }>
  /** Starts a process that applies a batch. */
  start(run: Run): RunningBatch
}

export interface Run {
  /** Without edits a file is read. */
  readonly edits: readonly EditInput[]
  readonly key: string
  /** The number or the name of the step at which the process kills itself; never where absent. */
  readonly killAt?: number | string
  readonly when?: When
}

/** What a process told before it ended. */
export interface Ended {
  /** The names of the steps it began. */
  readonly steps: readonly string[]
  readonly killed: boolean
  /** A git that it left stopped. */
  readonly stopped: number | undefined
  readonly answer: Readonly<Record<string, unknown>> | undefined
}

export interface RunningBatch {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

const agent = 'dora'

/** A directory on another file system than the temporary one; undefined where there is none. */
export const otherFileSystem = ['/dev/shm'].find(place => {
  const stat = statSync(place, { throwIfNoEntry: false })
  return stat !== undefined && stat.dev !== statSync(tmpdir()).dev
})

export async function makeCrashWorld(
  files: Readonly<Record<string, string>>,
  durability: Durability,
  worktreesIn?: string,
): Promise<CrashWorld> {
  const repository = await makeRepository(files)
  // All fan-out directories, so that the same work has the same steps whatever the ids.
  for (let first = 0; first < 256; first += 1) {
    const name = first.toString(16).padStart(2, '0')
    mkdirSync(join(repository.path, '.git/objects', name), { recursive: true })
  }
  const root = await mkdtemp(join(tmpdir(), 'crash-'))
  const worktreesDir = worktreesIn ?? join(root, 'worktrees')
  const stateDir = join(root, 'state')
  const places = { repositories: [repository.path], worktreesDir, stateDir }
  const open = async (): Promise<Awaited<ReturnType<CrashWorld['open']>>> => {
    const gateway = await openGateway(repository, { ...places, durability, secondReader: false })
    return { gateway, worktree: await gateway.open(agent) }
  }
  const { gateway, worktree } = await open()
  await gateway.close()
  const options = {
    ...places,
    durability,
    branchPrefix: 'agent',
    allowProtected: [],
    trustConfig: false,
    secret: 'a secret of the test',
  }
  return {
    repository,
    places,
    worktree: testRepository(worktree.path),
    gitDir: await worktree.git('rev-parse', '--absolute-git-dir'),
    open,
    start: ({ killAt = '', when = 'before', ...run }) =>
      startBatch({ options, agent, killAt: String(killAt), when, ...run }),
  }
}

// One that waits for work or is paused must not outlive the tests.
const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

function startBatch(request: object): RunningBatch {
  const child = waiting ?? startChild()
  waiting = startChild()
  child.stdin?.end(JSON.stringify(request))
  return { child, ended: readToEnd(child) }
}

/** The next process, which has loaded the product and waits for work. */
let waiting: ChildProcess | undefined

function startChild(): ChildProcess {
  const args = ['--import', script('kill-switch.mjs'), script('batch-child.mjs')]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

function readToEnd(child: ChildProcess): Promise<Ended> {
  const chunks: Buffer[] = []
  child.stdout?.on('data', chunk => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const lines = Buffer.concat(chunks).toString('utf8').split('\n').filter(Boolean)
      const facts = lines.map(line => JSON.parse(line))
      const killed = signal === 'SIGKILL'
      if (!killed && code !== 0) reject(new Error(`the process ended with ${code} ${signal}`))
      const steps = facts.flatMap(fact => fact.name ?? [])
      const { answer } = facts.find(fact => fact.answer) ?? {}
      const { stopped } = facts.find(fact => fact.stopped) ?? {}
      resolve({ steps, killed, stopped, answer })
    })
  })
}

/** Every file of a directory but what lies at `.git`. */
export function readFiles(root: string, directory = ''): Files {
  const files: Record<string, string> = {}
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`
    if (path === '.git') continue
    if (entry.isDirectory()) Object.assign(files, readFiles(root, path))
    else files[path] = fileAt(root, path)
  }
  return files
}

function fileAt(root: string, path: string): string {
  const stat = lstatSync(join(root, path))
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(join(root, path))}`
  return ((stat.mode & 0o100) === 0 ? '' : 'x ') + readFileSync(join(root, path), 'utf8')
}

/** The revision that a read would answer for a file of the worktree. */
export function revOf({ worktree }: CrashWorld, path: string): string {
  return hashObject('sha1', 'blob', readFileSync(join(worktree.path, path)))
}

/** What of ours or of git's is left where nobody is at work: locks, records, intents, private files. */
export function findLeftovers({ repository, gitDir }: CrashWorld): readonly string[] {
  const common = join(repository.path, '.git')
  const ours = listFiles(join(gitDir, 'editlatch'))
  const locks = listFiles(common).filter(path => /\.(lock|new)$/.test(path))
  return [...new Set([...ours, ...locks])].map(path => path.slice(common.length + 1)).sort()
}

/** Objects that were begun and that git itself removes one day. */
export function findTemporaryObjects({ repository }: CrashWorld): readonly string[] {
  const objects = join(repository.path, '.git/objects')
  return listFiles(objects).filter(path => path.includes('/tmp_obj_'))
}

function listFiles(directory: string): readonly string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}
