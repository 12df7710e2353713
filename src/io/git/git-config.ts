import type { GitPlace } from './run-git.js'
import { runGit } from './run-git.js'

/** Configuration values by lower-case section and key, the subsection as it is; the last value wins. */
export type GitConfig = ReadonlyMap<string, readonly string[]>

/** Reads the user's own configuration (system and global), which is trusted, with its includes. */
export async function readUserConfig(place: GitPlace): Promise<GitConfig> {
  const [system, global] = await Promise.all([
    listConfig(place, ['--system', '--includes']),
    listConfig(place, ['--global', '--includes']),
  ])
  return mergeConfig(system, global)
}

/** Reads one configuration file of a repository as data: no includes, nothing run. */
export function readConfigFile(place: GitPlace, file: string): Promise<GitConfig> {
  return listConfig(place, ['--file', file, '--no-includes'])
}

/** The values of both; where both have a key, the values of the second come last and so win. */
export function mergeConfig(first: GitConfig, second: GitConfig): GitConfig {
  const merged = new Map(first)
  for (const [key, values] of second) merged.set(key, [...(merged.get(key) ?? []), ...values])
  return merged
}

/** The value that counts for a key. */
export function configValue(config: GitConfig, key: string): string | undefined {
  return config.get(key)?.at(-1)
}

/** A boolean as git reads it; undefined where it is absent or no boolean. */
export function configBoolean(config: GitConfig, key: string): boolean | undefined {
  const value = configValue(config, key)?.toLowerCase()
  if (value === undefined) return undefined
  if (['true', 'yes', 'on', '1', ''].includes(value)) return true
  if (['false', 'no', 'off', '0'].includes(value)) return false
  return undefined
}

const missingFile = 1
const unreadable = 128

async function listConfig(place: GitPlace, where: readonly string[]): Promise<GitConfig> {
  const { stdout, exitCode } = await runGit(place, ['config', ...where, '--null', '--list'], {
    exitCodes: [missingFile, unreadable],
    outputBytes: 4 * 1024 * 1024,
  })
  const config = new Map<string, string[]>()
  if (exitCode !== 0) return config
  for (const record of stdout.toString('utf8').split('\0')) {
    if (record === '') continue
    const newline = record.indexOf('\n')
    const key = newline < 0 ? record : record.slice(0, newline)
    const value = newline < 0 ? 'true' : record.slice(newline + 1)
    config.set(key, [...(config.get(key) ?? []), value])
  }
  return config
}

/** True where the settings name a remote that objects may be fetched from when they are needed. */
export function isPartialClone(config: GitConfig): boolean {
  return [...config.keys()].some(
    key =>
      key === 'extensions.partialclone' ||
      /^remote\..*\.(?:promisor|partialclonefilter)$/.test(key),
  )
}
