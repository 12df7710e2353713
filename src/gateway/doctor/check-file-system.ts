import { type Abilities, fileSystemOf, tryAbilities } from '../../io/files/file-system.js'
import type { DoctorCheck } from '../telling/answers.js'
import { type Finding, report } from './findings.js'

/** What kind of file system the places lie on. */
export function checkMounts(paths: readonly string[]): readonly DoctorCheck[] {
  const mounts = paths.map(path => ({ path, found: fileSystemOf(path) }))
  const findings = mounts.flatMap(({ path, found }): Finding[] =>
    found?.isShared
      ? [
          {
            status: 'warning',
            detail: `${path} lies on ${found.type} (${found.mountPoint}), which other machines may write to`,
            what_to_do:
              'Keep the repository and its worktrees on a local disk: locks, renames and syncs promise less here.',
          },
        ]
      : [],
  )
  const told = mounts.map(({ path, found }) => `${path}: ${found?.type ?? 'unknown'}`)
  return report('file_system', findings, [...new Set(told)].join('; '))
}

/** Tries out what is relied on, in a directory of ours. */
export function checkAbilities(directory: string, ignoreCase: boolean): readonly DoctorCheck[] {
  const abilities = tryAbilities(directory)
  const missing = needed.filter(([ability]) => !abilities[ability])
  const findings = missing.map(
    ([, status, detail, todo]): Finding => ({ status, detail, what_to_do: todo }),
  )
  if (abilities.caseSensitive === ignoreCase) {
    findings.push({
      status: 'warning',
      detail: `file names ${ignoreCase ? 'differ by case here, but core.ignoreCase is true' : 'do not differ by case here, but core.ignoreCase is false'}`,
      what_to_do: `git config core.ignoreCase ${!ignoreCase}`,
    })
  }
  const names = abilities.caseSensitive ? 'case-sensitive' : 'case-insensitive'
  return report(
    'file_system_abilities',
    findings,
    `exclusive create, hard links, rename over, directory sync; ${names} names`,
  )
}

const needed: readonly (readonly [
  ability: Exclude<keyof Abilities, 'caseSensitive'>,
  status: Finding['status'],
  detail: string,
  todo: string,
])[] = [
  [
    'exclusiveCreate',
    'problem',
    'exclusive creation does not exclude: no lock can be trusted',
    'Move the repository to another file system.',
  ],
  [
    'renameOver',
    'problem',
    'a file cannot be renamed over another',
    'Move the repository to another file system.',
  ],
  [
    'hardLinks',
    'warning',
    'there are no hard links: locks and new files are made in a weaker way',
    'Move the repository to a file system with hard links where several programs work on it.',
  ],
  [
    'directorySync',
    'warning',
    'directories cannot be synced: an acknowledged batch may not survive a power cut',
    'Move the repository to another file system, or live with --durability process.',
  ],
]
