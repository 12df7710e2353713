import type { GitPlace } from './run-git.js'

/** What the process was given: the variables that git and we look at. */
export type HostEnvironment = Readonly<Record<string, string | undefined>>

/** Which worktree of which repository a git command is about. */
export interface GitTarget {
  readonly commonDir: string
  /** Our stand-in for the common directory; absent where the repository's configuration is trusted. */
  readonly facade?: string
  readonly gitDir: string
  readonly workTree?: string
}

const fallbackPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Nothing of the outside is inherited: each variable that git may see is written here. */
const closedEnvironment = {
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  GIT_SSH_COMMAND: 'false',
} as const

const noUserConfig = {
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
} as const

const trustedFlags = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'gc.auto=0',
]

/** How git is started for a worktree, so that nothing of the repository runs (or, with trust, its filters alone). */
export function gitPlace(target: GitTarget, host: HostEnvironment): GitPlace {
  const env: Record<string, string> = {
    PATH: programPath(host),
    ...closedEnvironment,
    ...(target.facade === undefined ? userVariables(host) : noUserConfig),
    GIT_DIR: target.gitDir,
    GIT_COMMON_DIR: target.facade ?? target.commonDir,
    ...(target.workTree !== undefined && { GIT_WORK_TREE: target.workTree }),
  }
  return {
    git: 'git',
    env,
    cwd: target.workTree ?? target.commonDir,
    flags: target.facade === undefined ? trustedFlags : [],
  }
}

/** How git is started to read the user's own configuration. */
export function userPlace(commonDir: string, host: HostEnvironment): GitPlace {
  const env = {
    PATH: programPath(host),
    ...closedEnvironment,
    ...userVariables(host),
    GIT_DIR: commonDir,
  }
  return { git: 'git', env, cwd: '/', flags: [] }
}

/** Where programs are looked for, without places that depend on the current directory: a worktree may hold a `git`. */
export function programPath({ PATH = fallbackPath }: HostEnvironment): string {
  return PATH.split(':')
    .filter(place => place.startsWith('/'))
    .join(':')
}

function userVariables(host: HostEnvironment): Record<string, string> {
  const names = [
    'HOME',
    'XDG_CONFIG_HOME',
    'GIT_CONFIG_GLOBAL',
    'GIT_CONFIG_SYSTEM',
    'GIT_CONFIG_NOSYSTEM',
  ]
  return Object.fromEntries(
    names.flatMap(name => (host[name] === undefined ? [] : [[name, host[name]]])),
  )
}
