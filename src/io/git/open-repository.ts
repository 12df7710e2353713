import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Refusal } from '../../core/errors.js'
import type { ObjectFormat } from '../../core/oid.js'
import type { Conversion } from './attributes.js'
import { checkContents, checkLayout } from './check-layout.js'
import { discoverRepository, type RepositoryPlace } from './discover-repository.js'
import { isOurs } from './effective-user.js'
import { buildFacade } from './facade.js'
import {
  configBoolean,
  configValue,
  type GitConfig,
  isPartialClone,
  mergeConfig,
  readConfigFile,
  readUserConfig,
} from './git-config.js'
import { gitPlace, type HostEnvironment, userPlace } from './git-environment.js'
import { type GitPlace, gitText } from './run-git.js'
import { parseSharing, type Sharing } from './shared-mode.js'

/** A repository that passed every check, and how git is started in it. */
export interface Repository {
  readonly name: string
  readonly commonDir: string
  readonly workTree?: string
  readonly objectFormat: ObjectFormat
  /** The person whose git this is; undefined where none is configured. */
  readonly identity?: { readonly name: string; readonly email: string }
  readonly ignoreCase: boolean
  /** Who else may read and write what is made here. */
  readonly sharing: Sharing
  /** True where git would fetch objects when they are needed. */
  readonly isPartial: boolean
  /** False where the executable bit on the disk means nothing. */
  readonly fileMode: boolean
  readonly conversion: Conversion
  /** Git on the common directory, for what belongs to no worktree of ours. */
  readonly main: GitPlace
  /** Git in one linked worktree. */
  place(gitDir: string, workTree: string): GitPlace
  /** Throws the refusal of `openRepository` when the repository has changed so that it would not be opened now. */
  recheck(): void
  /** True once a file that the facade was made from has changed. */
  isStale(): boolean
}

export interface OpenRepositoryOptions {
  readonly host: HostEnvironment
  /** Where caches and facades are kept; outside every repository. */
  readonly stateDir: string
  /** Use the repository's own configuration (filters run; hooks never). */
  readonly trustConfig: boolean
}

/**
 * Opens the repository around a directory. Refuses with `NOT_FOUND`, `FOREIGN_OWNER`, or
 * `UNSUPPORTED_REPOSITORY` (alternates, unknown extensions, an object or ref format git cannot read).
 */
export async function openRepository(
  path: string,
  options: OpenRepositoryOptions,
): Promise<Repository> {
  const place = discoverRepository(path)
  const { commonDir } = place
  // First of all, since git itself would wait for a pipe in the place of a file.
  checkLayout(commonDir)
  checkContents(commonDir)
  const user = userPlace(commonDir, options.host)
  const [userConfig, ownConfig, version] = await Promise.all([
    readUserConfig(user),
    readConfigFile(user, join(commonDir, 'config')),
    gitVersion(user),
  ])
  const recheck = (): void => {
    checkOwner([commonDir, ...(place.workTree ? [place.workTree] : [])], userConfig)
    checkLayout(commonDir)
  }
  recheck()
  checkApart(place, ownConfig)
  checkExtensions(ownConfig, version)

  const config = mergeConfig(userConfig, ownConfig)
  const signature = sourceSignature(commonDir)
  const facade = options.trustConfig
    ? undefined
    : makeFacade(commonDir, { config, userConfig }, options)
  const identity = identityOf(config)
  const target = { commonDir, ...(facade !== undefined && { facade }) }
  return {
    ...place,
    objectFormat:
      configValue(ownConfig, 'extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1',
    ...(identity && { identity }),
    fileMode: configBoolean(config, 'core.filemode') ?? true,
    ignoreCase: configBoolean(config, 'core.ignorecase') ?? false,
    isPartial: isPartialClone(ownConfig),
    sharing: parseSharing(configValue(config, 'core.sharedrepository')),
    conversion: conversionOf(
      commonDir,
      { config, userConfig: options.trustConfig ? config : userConfig },
      options.host,
    ),
    main: gitPlace({ ...target, gitDir: commonDir }, options.host),
    place: (gitDir, workTree) => gitPlace({ ...target, gitDir, workTree }, options.host),
    recheck,
    isStale: () => sourceSignature(commonDir) !== signature,
  }
}

/** All settings, and those that the user made: only a user says which files of patterns count everywhere. */
interface Settings {
  readonly config: GitConfig
  readonly userConfig: GitConfig
}

function makeFacade(
  commonDir: string,
  { config, userConfig }: Settings,
  { host, stateDir }: OpenRepositoryOptions,
): string {
  const facade = join(repositoryStateDir(commonDir, stateDir), 'facade')
  mkdirSync(facade, { recursive: true, mode: 0o700 })
  const userExcludes = userPatternFile(userConfig, 'core.excludesfile', 'ignore', host)
  const userAttributes = userPatternFile(userConfig, 'core.attributesfile', 'attributes', host)
  buildFacade(facade, {
    commonDir,
    config,
    ...(userExcludes !== undefined && { userExcludes }),
    ...(userAttributes !== undefined && { userAttributes }),
  })
  return facade
}

/** The folder of one repository below the state directory. */
export function repositoryStateDir(commonDir: string, stateDir: string): string {
  return join(stateDir, createHash('sha256').update(commonDir).digest('hex').slice(0, 24))
}

async function gitVersion(place: GitPlace): Promise<readonly [number, number]> {
  const match = /(\d+)\.(\d+)/.exec(await gitText(place, ['version']))
  const version = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)] as const
  if (!isAtLeast(version, 2, 38)) {
    throw new Refusal('UNSUPPORTED_REPOSITORY', { problem: 'git 2.38 or newer is needed' })
  }
  return version
}

function isAtLeast(version: readonly [number, number], major: number, minor: number): boolean {
  return version[0] > major || (version[0] === major && version[1] >= minor)
}

function checkOwner(directories: readonly string[], userConfig: GitConfig): void {
  // Git's own check is skipped when GIT_DIR is given, so it is made here.
  const safe = safeDirectories(userConfig)
  for (const directory of directories) {
    if (isOurs(statSync(directory).uid)) continue
    const workTree = directories.at(-1) ?? directory
    if (!safe.has('*') && !safe.has(directory) && !safe.has(workTree)) {
      throw new Refusal('FOREIGN_OWNER', { directory })
    }
  }
}

function safeDirectories(config: GitConfig): ReadonlySet<string> {
  const values = config.get('safe.directory') ?? []
  // An empty value forgets those before it.
  return new Set(values.slice(values.lastIndexOf('') + 1))
}

/**
 * A `.git` file may name any directory, also one that belongs to the checkout of somebody else, so the git directory
 * must not contradict: an ordinary checkout or a bare repository has no other one.
 */
function checkApart({ commonDir, workTree, apart }: RepositoryPlace, config: GitConfig): void {
  if (!apart || workTree === undefined) return
  const named = configValue(config, 'core.worktree')
  const isNamed = named === undefined || realpathOf(resolve(commonDir, named)) === workTree
  if (isNamed && basename(commonDir) !== '.git' && configBoolean(config, 'core.bare') !== true)
    return
  throw unsupported('the .git file names the git directory of another checkout')
}

function realpathOf(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined
}

const harmlessExtensions = ['noop', 'noop-v1', 'preciousobjects', 'worktreeconfig', 'partialclone']

function checkExtensions(config: GitConfig, version: readonly [number, number]): void {
  for (const [key, values] of config) {
    const name = key.startsWith('extensions.') ? key.slice('extensions.'.length) : undefined
    if (name === undefined || harmlessExtensions.includes(name)) continue
    const value = values.at(-1)?.toLowerCase() ?? ''
    if (!canRead(name, value, version)) throw unsupported(`extensions.${name} = ${value}`)
  }
}

function canRead(name: string, value: string, version: readonly [number, number]): boolean {
  if (name === 'objectformat') return value === 'sha1' || value === 'sha256'
  if (name === 'refstorage') return value === 'files' || isAtLeast(version, 2, 45)
  if (name === 'relativeworktrees') return isAtLeast(version, 2, 48)
  return false
}

function unsupported(problem: string): Refusal {
  return new Refusal('UNSUPPORTED_REPOSITORY', { problem })
}

function identityOf(config: GitConfig): Repository['identity'] {
  const name = configValue(config, 'user.name')
  const email = configValue(config, 'user.email')
  return name && email ? { name, email } : undefined
}

function conversionOf(
  commonDir: string,
  { config, userConfig }: Settings,
  host: HostEnvironment,
): Conversion {
  const autocrlf = configValue(config, 'core.autocrlf')?.toLowerCase() === 'input'
  const converts = configBoolean(config, 'core.autocrlf') ?? false
  const files = [
    join(commonDir, 'info', 'attributes'),
    userPatternFile(userConfig, 'core.attributesfile', 'attributes', host),
  ]
  return {
    autocrlf: autocrlf ? 'input' : converts ? 'true' : 'false',
    eolIsCrlf: configValue(config, 'core.eol')?.toLowerCase() === 'crlf',
    otherAttributeFiles: files.some(file => file !== undefined && isNotEmpty(file)),
  }
}

function isNotEmpty(file: string): boolean {
  return existsSync(file) && (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}

function userPatternFile(
  config: GitConfig,
  key: string,
  standardName: string,
  host: HostEnvironment,
): string | undefined {
  const home = host.HOME
  const configured = configValue(config, key)
  if (configured?.startsWith('~/') && home !== undefined) return join(home, configured.slice(2))
  if (configured !== undefined) return configured
  const base = host.XDG_CONFIG_HOME ?? (home === undefined ? undefined : join(home, '.config'))
  return base === undefined ? undefined : join(base, 'git', standardName)
}

function sourceSignature(commonDir: string): string {
  return ['config', 'info/exclude', 'info/attributes', 'shallow']
    .map(name => {
      const path = join(commonDir, name)
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
      return stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeNs}`
    })
    .join(' ')
}
