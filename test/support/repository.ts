import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { type Oid, parseOid } from '#src/core/oid.js'

/** What a file of a test repository holds. */
export type Content =
  | string
  | Uint8Array
  | {
      readonly text?: string
      readonly bytes?: Uint8Array
      readonly mode?: '755'
      readonly symlink?: string
    }

export interface RepositoryOptions {
  readonly objectFormat?: 'sha1' | 'sha256'
  /** A bare clone; its files are committed, but it has no worktree to write to. */
  readonly bare?: boolean
  /** The branch that is checked out; `main` if not given. */
  readonly branch?: string
  /** Written to the repository's configuration before its first commit. */
  readonly config?: Readonly<Record<string, string>>
}

export interface GitOptions {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
}

/** A real git repository for one test file. */
export interface TestRepository {
  readonly path: string
  /** Runs git here and answers what it printed, trimmed; throws with git's own words when it fails. */
  git(...args: readonly string[]): Promise<string>
  /** The same in bytes, with input and further environment variables. */
  gitRaw(args: readonly string[], options?: GitOptions): Promise<Uint8Array>
  /** Writes a file of the worktree without committing it. */
  write(path: string, content: Content): Promise<void>
  /** Commits all that is in the worktree and not ignored, a minute after the commit before. */
  commit(message: string): Promise<Oid>
  remove(): Promise<void>
}

const made: TestRepository[] = []
afterAll(async () => {
  for (const repository of made.splice(0)) await repository.remove()
})

/** Makes a repository with one commit of these files; it is removed after the test file. */
export async function makeRepository(
  files: Readonly<Record<string, Content>>,
  options: RepositoryOptions = {},
): Promise<TestRepository> {
  const path = await mkdtemp(join(tmpdir(), 'repository-'))
  const repository = testRepository(path)
  made.push(repository)
  const { objectFormat = 'sha1', branch = 'main', config = {} } = options
  await repository.git('init', '--quiet', `--object-format=${objectFormat}`, '-b', branch)
  for (const [key, value] of Object.entries(config)) await repository.git('config', key, value)
  for (const [file, content] of Object.entries(files)) await repository.write(file, content)
  await repository.commit('first')
  return options.bare ? cloneBare(repository) : repository
}

async function cloneBare(source: TestRepository): Promise<TestRepository> {
  const path = await mkdtemp(join(tmpdir(), 'repository-'))
  const repository = testRepository(path)
  made.push(repository)
  await source.git('clone', '--quiet', '--bare', '.', path)
  return repository
}

/** A repository that stands somewhere already; removing it is up to the caller. */
export function testRepository(path: string): TestRepository {
  let commits = 0
  const gitRaw = (args: readonly string[], options: GitOptions = {}): Promise<Uint8Array> =>
    runGit(path, args, options)
  const git = async (...args: readonly string[]): Promise<string> =>
    new TextDecoder().decode(await gitRaw(args)).trim()
  return {
    path,
    git,
    gitRaw,
    write: (file, content) => writeContent(join(path, file), content),
    commit: async message => {
      const date = new Date(Date.UTC(2024, 0, 2, 3, 4 + commits, 5)).toISOString()
      commits += 1
      await git('add', '--all')
      await gitRaw(['commit', '--quiet', '--allow-empty', '-m', message], {
        env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      })
      return parseOid(await git('rev-parse', 'HEAD'))
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

async function writeContent(file: string, content: Content): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await rm(file, { force: true })
  if (typeof content === 'string' || content instanceof Uint8Array) return writeFile(file, content)
  if (content.symlink !== undefined) return symlink(content.symlink, file)
  await writeFile(file, content.bytes ?? content.text ?? '')
  if (content.mode === '755') await chmod(file, 0o755)
}

function runGit(cwd: string, args: readonly string[], options: GitOptions): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...options.env }
    const settings = { cwd, env, encoding: 'buffer', maxBuffer: 256 * 1024 * 1024 } as const
    const child = execFile('git', args, settings, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else
        reject(new Error(`git ${args.join(' ')} in ${cwd}: ${stderr.toString() || error.message}`))
    })
    // A git that ends before it has read its input says so by its exit code.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(options.input)
  })
}
