import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  configBoolean,
  configValue,
  type GitConfig,
  isPartialClone,
} from '../../io/git/git-config.js'
import { runGit } from '../../io/git/run-git.js'
import type { ServedRepository } from '../repository/served-repository.js'
import type { DoctorCheck } from '../telling/answers.js'
import { type Finding, report } from './findings.js'

/** What the repository has set up and the gateway does not do. */
export async function checkSkipped(
  served: ServedRepository,
  config: GitConfig,
  isTrusted: boolean,
): Promise<readonly DoctorCheck[]> {
  const findings = [
    ...hooks(served.repository.commonDir, config),
    ...signing(config),
    ...(isTrusted ? [] : await filters(served)),
    ...cloneKind(served.repository.commonDir, config),
  ]
  return report('skipped_features', findings, 'nothing that the repository has set up is left out')
}

function hooks(commonDir: string, config: GitConfig): readonly Finding[] {
  const configured = configValue(config, 'core.hookspath')
  const directory = join(commonDir, 'hooks')
  const names = existsSync(directory) ? readdirSync(directory) : []
  const set = names.filter(name => isHook(join(directory, name)))
  if (configured === undefined && set.length === 0) return []
  const what = configured === undefined ? set.sort().join(', ') : `core.hooksPath = ${configured}`
  return [
    {
      status: 'warning',
      detail: `hooks do not run on an agent's commits: ${what}`,
      what_to_do: 'Run what they check when an agent’s branch is merged, or in CI.',
    },
  ]
}

function isHook(path: string): boolean {
  const stat = lstatSync(path)
  return !path.endsWith('.sample') && !stat.isDirectory() && (stat.mode & 0o111) !== 0
}

function signing(config: GitConfig): readonly Finding[] {
  if (configBoolean(config, 'commit.gpgsign') !== true) return []
  return [
    {
      status: 'warning',
      detail: "commit.gpgSign is set, but an agent's commits are not signed",
      what_to_do: 'Sign the merge, or rebase the branch with your own git before it lands.',
    },
  ]
}

const mostAttributeFiles = 200
const attributeBytes = 1024 * 1024

/** Filters named by the .gitattributes of HEAD. */
async function filters(served: ServedRepository): Promise<readonly Finding[]> {
  if ((await served.resolveRef('HEAD')) === undefined) return []
  const { main } = served.repository
  const { stdout } = await runGit(main, ['ls-tree', '-r', '-z', '--name-only', 'HEAD'])
  const files = stdout.toString('utf8').split('\0').filter(isAttributeFile)
  const found = new Set<string>()
  for (const file of files.slice(0, mostAttributeFiles)) {
    const object = await served.reader.info(`HEAD:${file}`)
    if (object === undefined || object.type !== 'blob' || object.bytes > attributeBytes) continue
    const text = (await served.reader.blob(object.oid, attributeBytes)).toString('utf8')
    for (const [, name = ''] of text.matchAll(/^[^#\n]*\sfilter=(\S+)/gm)) found.add(name)
  }
  if (found.size === 0) return []
  return [
    {
      status: 'warning',
      detail: `filters do not run: ${[...found].sort().join(', ')}; such files are shown as git stores them (LFS pointers) and cannot be edited`,
      what_to_do: 'Start with --trust-config where you trust the repository’s own configuration.',
    },
  ]
}

function isAttributeFile(path: string): boolean {
  return path === '.gitattributes' || path.endsWith('/.gitattributes')
}

function cloneKind(commonDir: string, config: GitConfig): readonly Finding[] {
  const isShallow = existsSync(join(commonDir, 'shallow'))
  const isPartial = isPartialClone(config)
  return [
    ...(isShallow
      ? [
          {
            status: 'warning' as const,
            detail: 'the clone is shallow: history ends early',
            what_to_do: 'git fetch --unshallow, where an agent’s base may be older.',
          },
        ]
      : []),
    ...(isPartial
      ? [
          {
            status: 'warning' as const,
            detail: 'the clone is partial: nothing is fetched here, so missing objects are refused',
            what_to_do: 'Fetch what is missing with your own git: git fetch --refetch --no-filter.',
          },
        ]
      : []),
  ]
}
