import { GitError, type SimpleGit, simpleGit } from 'simple-git'
import { fixedLimits } from '../../core/limits.js'
import { GitFailed, type GitPlace } from './run-git.js'

/** A linked worktree as git lists it. */
export interface ListedWorktree {
  readonly path: string
  readonly head: string
  readonly branch?: string
  readonly locked: boolean
  /** Why git would prune it; set when its directory is gone. */
  readonly prunable?: string
}

/**
 * The rare commands, where 50 ms more do not matter. Nothing hot and nothing binary goes here: simple-git
 * waits after a command that prints nothing, and decodes all output as UTF-8.
 */
export interface Porcelain {
  addWorktree(input: {
    path: string
    branch: string
    base: string
    lockReason: string
  }): Promise<void>
  /** Links a worktree for a branch that exists. */
  adoptWorktree(input: { path: string; branch: string; lockReason: string }): Promise<void>
  listWorktrees(): Promise<readonly ListedWorktree[]>
  removeWorktree(path: string): Promise<void>
  /** Removes the registration of worktrees whose directory is gone, unlocked ones only. */
  forgetWorktree(path: string): Promise<void>
}

export function openPorcelain(place: GitPlace): Porcelain {
  const git = connect(place)
  return {
    addWorktree: ({ path, branch, base, lockReason }) =>
      silent(git, [
        'worktree',
        'add',
        ...addFlags(lockReason),
        '--no-track',
        '-b',
        branch,
        path,
        base,
      ]),
    adoptWorktree: ({ path, branch, lockReason }) =>
      silent(git, ['worktree', 'add', ...addFlags(lockReason), path, branch]),
    listWorktrees: async () =>
      parseWorktrees(await git.raw(['worktree', 'list', '--porcelain', '-z'])),
    // The second --force is for the lock that we hold ourselves.
    removeWorktree: path => silent(git, ['worktree', 'remove', '--force', '--force', path]),
    forgetWorktree: async path => {
      await silent(git, ['worktree', 'unlock', path]).catch(() => {})
      await silent(git, ['worktree', 'remove', '--force', path])
    },
  }
}

function addFlags(lockReason: string): readonly string[] {
  return ['--quiet', '--no-checkout', '--lock', '--reason', lockReason]
}

function connect(place: GitPlace): SimpleGit {
  return simpleGit({
    baseDir: place.cwd,
    config: place.flags.filter(flag => flag !== '-c'),
    timeout: { block: fixedLimits.checkoutMs },
    maxConcurrentProcesses: 2,
    allowEnvironment: Object.keys(allowed(place)),
    unsafe: {
      allowUnsafeConfigPaths: true,
      allowUnsafeHooksPath: true,
      allowUnsafeFsMonitor: true,
    },
  }).env(allowed(place))
}

/** simple-git refuses variables that name programs; git needs none of them for these commands. */
function allowed(place: GitPlace): Record<string, string> {
  const programs = /PAGER|EDITOR|ASKPASS|SSH/
  return Object.fromEntries(Object.entries(place.env).filter(([name]) => !programs.test(name)))
}

async function silent(git: SimpleGit, args: readonly string[]): Promise<void> {
  await git.raw([...args]).catch(error => {
    // What simple-git throws holds git's own words as its message.
    throw error instanceof GitError ? new GitFailed(args, null, error.message) : error
  })
}

function parseWorktrees(listing: string): readonly ListedWorktree[] {
  return listing
    .split('\0\0')
    .filter(record => record.startsWith('worktree '))
    .map(record => {
      const lines = record.split('\0')
      const value = (key: string): string | undefined =>
        lines.find(line => line === key || line.startsWith(`${key} `))?.slice(key.length + 1)
      const branch = value('branch')
      const prunable = value('prunable')
      return {
        path: value('worktree') ?? '',
        head: value('HEAD') ?? '',
        ...(branch !== undefined && { branch }),
        locked: value('locked') !== undefined,
        ...(prunable !== undefined && { prunable }),
      }
    })
}
