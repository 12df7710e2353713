import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Refusal } from '../../core/errors.js'
import { discoverRepository } from '../../io/git/discover-repository.js'
import { mergeConfig, readConfigFile, readUserConfig } from '../../io/git/git-config.js'
import { userPlace } from '../../io/git/git-environment.js'
import { findRipgrep } from '../../io/git/ripgrep.js'
import type { GatewayOptions } from '../opening/gateway-options.js'
import { agentPlace } from '../opening/open-checkout.js'
import type { RefusedRepository } from '../opening/open-served.js'
import type { ServedRepository } from '../repository/served-repository.js'
import type { DoctorAnswer, DoctorCheck } from '../telling/answers.js'
import { checkAbilities, checkMounts } from './check-file-system.js'
import { checkGit, checkNode, checkPlatform, checkSpace } from './check-host.js'
import { checkLocks, checkOwners } from './check-locks.js'
import { checkObjects, checkPermissions } from './check-repository.js'
import { checkRipgrep } from './check-ripgrep.js'
import { checkOwnSettings, checkSettings } from './check-settings.js'
import { checkSkipped } from './check-skipped.js'
import { checkUpkeep } from './check-upkeep.js'
import { checkIntents, checkWorktrees, linkedGitDirs } from './check-worktrees.js'
import { effectiveSettings } from './effective-settings.js'
import { attempt, describeError, type Finding, report } from './findings.js'

/** What there is to look at. */
export interface Patients {
  readonly options: GatewayOptions
  readonly served: readonly ServedRepository[]
  readonly refused: readonly RefusedRepository[]
}

/** Looks at the machine, at each repository and at what was left behind. It changes nothing; what it tries out it tries in directories of ours. */
export async function examine({ options, served, refused }: Patients): Promise<DoctorAnswer> {
  const checks: DoctorCheck[] = [
    ...(await checkHost(options, served)),
    ...(await attempt('settings', () => checkSettings(options))),
  ]
  for (const one of served) {
    const found = await checkServed(one, options)
    checks.push(...found.map(check => ({ ...check, repository: one.name })))
  }
  for (const one of refused) {
    const found = await checkRefused(one)
    checks.push(...found.map(check => ({ ...check, repository: one.path })))
  }
  const ok = checks.every(({ status }) => status !== 'problem')
  return { ok, checks, settings: effectiveSettings(options, served) }
}

async function checkHost(
  { host, stateDir }: GatewayOptions,
  served: readonly ServedRepository[],
): Promise<readonly DoctorCheck[]> {
  const places = [stateDir, ...served.map(({ repository }) => repository.commonDir)]
  return [
    ...(await checkGit(host)),
    ...checkNode(),
    ...checkPlatform(),
    ...checkRipgrep(findRipgrep()),
    ...(await attempt('state_directory', () => checkStateDirectory(stateDir))),
    ...(await attempt('disk_space', () => checkSpace(places))),
  ]
}

function checkStateDirectory(stateDir: string): readonly DoctorCheck[] {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  const isOpen = (statSync(stateDir).mode & 0o022) !== 0
  const finding: Finding = {
    status: 'problem',
    detail: `${stateDir} can be written by others, who could change what git reads`,
    what_to_do: `chmod go-w ${stateDir}`,
  }
  return [
    ...report('state_directory', isOpen ? [finding] : [], stateDir),
    ...checkMounts([stateDir]),
  ]
}

async function checkServed(
  served: ServedRepository,
  options: GatewayOptions,
): Promise<readonly DoctorCheck[]> {
  const { repository } = served
  const { commonDir, ignoreCase } = repository
  const { maintenance: isMaintained = true } = { ...options, ...served.settings.own }
  const gitDirs = linkedGitDirs(commonDir)
  const worktrees = dirname(agentPlace(served, 'x', options).path)
  const own = join(commonDir, 'editlatch')
  const user = userPlace(commonDir, options.host)
  const config = mergeConfig(
    await readUserConfig(user),
    await readConfigFile(user, join(commonDir, 'config')),
  )
  const all = [
    await attempt('repository', () => checkServable(served)),
    await attempt('settings', () => checkOwnSettings(served, options)),
    await attempt('file_system', () => checkMounts([commonDir, worktrees])),
    await attempt('permissions', () => checkPermissions(commonDir)),
    await attempt('file_system_abilities', () => checkAbilities(own, ignoreCase)),
    await attempt('locks', () => checkLocks(commonDir, gitDirs, Date.now())),
    await attempt('processes', () => checkOwners([commonDir, ...gitDirs])),
    await attempt('unfinished_batches', () => checkIntents(served, gitDirs)),
    await attempt('worktrees', () => checkWorktrees(served, options)),
    await attempt('upkeep', () => checkUpkeep(served)),
    await attempt('objects', () => checkObjects(repository, isMaintained)),
    await attempt('skipped_features', () => checkSkipped(served, config, options.trustConfig)),
  ]
  return all.flat()
}

/** A repository may have become one that is refused. */
async function checkServable(served: ServedRepository): Promise<readonly DoctorCheck[]> {
  const { repository } = served
  try {
    repository.recheck()
  } catch (error) {
    return [refusal(error)]
  }
  const identity = repository.identity?.name ?? 'nobody configured: commits name the gateway'
  const detail = `${repository.commonDir}, ${repository.objectFormat}, committer ${identity}`
  return [{ name: 'repository', status: 'ok', detail }]
}

async function checkRefused({ path, error }: RefusedRepository): Promise<readonly DoctorCheck[]> {
  const commonDir = findCommonDir(path)
  if (commonDir === undefined) return [refusal(error)]
  return [
    refusal(error),
    ...(await attempt('file_system', () => checkMounts([commonDir]))),
    ...(await attempt('permissions', () => checkPermissions(commonDir))),
  ]
}

function findCommonDir(path: string): string | undefined {
  try {
    return discoverRepository(path).commonDir
  } catch {
    return undefined
  }
}

function refusal(error: unknown): DoctorCheck {
  const todo = error instanceof Refusal ? error.message : 'See what git or the system says.'
  const detail = `refused: ${describeError(error)}`
  return { name: 'repository', status: 'problem', detail, what_to_do: todo }
}
