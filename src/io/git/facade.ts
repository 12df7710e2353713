import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pid } from 'node:process'
import { configBoolean, configValue, type GitConfig } from './git-config.js'

/** What the facade copies: the repository's and the user's settings, and files of patterns. */
export interface FacadeSource {
  readonly commonDir: string
  readonly config: GitConfig
  /** The user's own global files; read as data. */
  readonly userExcludes?: string
  readonly userAttributes?: string
}

const linkedNames = [
  'objects',
  'refs',
  'logs',
  'worktrees',
  'packed-refs',
  'HEAD',
  'shallow',
  'reftable',
]
const patternBytes = 1024 * 1024

/**
 * Makes (or renews) a directory that stands in for the repository's common directory: links to its
 * objects, refs and logs, and a configuration written here from an allow-list. With GIT_COMMON_DIR
 * on it no hook, filter, driver, alias or include of the repository is ever read.
 */
export function buildFacade(directory: string, source: FacadeSource): void {
  mkdirSync(join(directory, 'info'), { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700)
  for (const name of linkedNames) link(join(source.commonDir, name), join(directory, name))
  copyPatterns(join(source.commonDir, 'info', 'exclude'), join(directory, 'info', 'exclude'))
  copyPatterns(join(source.commonDir, 'info', 'attributes'), join(directory, 'info', 'attributes'))
  copyPatterns(source.userExcludes, join(directory, 'excludes'))
  copyPatterns(source.userAttributes, join(directory, 'attributes'))
  replace(join(directory, 'config'), facadeConfig(directory, source.config))
}

/** The settings that may pass, with the check each value must stand. */
const copiedSettings: readonly (readonly [key: string, valid: RegExp])[] = [
  ['core.filemode', /^(true|false)$/],
  ['core.ignorecase', /^(true|false)$/],
  ['core.symlinks', /^(true|false)$/],
  ['core.precomposeunicode', /^(true|false)$/],
  ['core.autocrlf', /^(true|false|input)$/],
  ['core.eol', /^(lf|crlf|native)$/],
  ['core.sharedrepository', /^(true|false|umask|group|all|world|everybody|0?[0-7]{3,4})$/],
  ['core.sparsecheckout', /^(true|false)$/],
  ['core.sparsecheckoutcone', /^(true|false)$/],
  ['extensions.objectformat', /^(sha1|sha256)$/],
  ['extensions.refstorage', /^(files|reftable)$/],
]

const booleanSpellings: ReadonlyMap<string, string> = new Map([
  ['yes', 'true'],
  ['on', 'true'],
  ['1', 'true'],
  ['no', 'false'],
  ['off', 'false'],
  ['0', 'false'],
])

function facadeConfig(directory: string, config: GitConfig): string {
  const settings = new Map<string, string>([
    ['core.repositoryformatversion', '1'],
    ['core.bare', String(configBoolean(config, 'core.bare') ?? false)],
    ['core.logallrefupdates', 'true'],
    ['core.protectntfs', 'true'],
    ['core.protecthfs', 'true'],
    ['core.hookspath', '/dev/null'],
    ['core.fsmonitor', 'false'],
    ['core.excludesfile', join(directory, 'excludes')],
    ['core.attributesfile', join(directory, 'attributes')],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
  ])
  for (const [key, valid] of copiedSettings) {
    const written = configValue(config, key)?.toLowerCase()
    const value = written === undefined ? undefined : (booleanSpellings.get(written) ?? written)
    if (value !== undefined && valid.test(value)) settings.set(key, value)
  }
  return [...settings].map(([key, value]) => configLines(key, value)).join('')
}

function configLines(key: string, value: string): string {
  const [section = '', name = ''] = key.split('.')
  const quoted = value.replace(/[\\"]/g, '\\$&')
  return `[${section}]\n\t${name} = "${quoted}"\n`
}

function copyPatterns(from: string | undefined, to: string): void {
  replace(to, from === undefined ? '' : readRegularFile(from))
}

function readRegularFile(path: string): string {
  // A FIFO or a device here would hang git, so only regular files of a sane size are read. A home that is no directory
  // holds none.
  const stat = existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined
  return stat?.isFile() && stat.size <= patternBytes ? readFileSync(path, 'latin1') : ''
}

function replace(path: string, content: string): void {
  const fresh = `${path}.${pid}`
  writeFileSync(fresh, content, { encoding: 'latin1', mode: 0o600 })
  renameSync(fresh, path)
}

function link(target: string, path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink() && readlinkSync(path) === target) return
  if (stat !== undefined) rmSync(path, { recursive: true })
  symlinkSync(target, path)
}
