import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Repository } from '../../io/git/open-repository.js'
import { gitText } from '../../io/git/run-git.js'
import { whyNot } from '../repository/maintenance.js'
import { type MaintenanceRecord, readMaintenanceRecord } from '../repository/maintenance-record.js'
import type { DoctorCheck } from '../telling/answers.js'
import { type Finding, report } from './findings.js'

const written = ['', 'objects', 'objects/pack', 'refs', 'refs/heads', 'logs', 'worktrees']

/** Whether what git and we write to is ours to write. */
export function checkPermissions(commonDir: string): readonly DoctorCheck[] {
  const { uid } = userInfo()
  const findings: Finding[] = []
  for (const path of written.map(name => join(commonDir, name)).filter(path => existsSync(path))) {
    const owner = statSync(path).uid
    if (!isWritable(path)) {
      const todo = `Give the user ${uid} the right to write there.`
      findings.push({ status: 'problem', detail: `${path} cannot be written`, what_to_do: todo })
    } else if (uid >= 0 && owner !== uid) {
      const detail = `${path} belongs to user ${owner}, not ${uid}`
      const todo = `chown it, or let both users write what the other makes (core.sharedRepository).`
      findings.push({ status: 'warning', detail, what_to_do: todo })
    }
  }
  return report('permissions', findings, `all of ${commonDir} can be written`)
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where git's own defaults would repack. */
const manyLoose = 6_700
const manyPacks = 50

/** How many objects lie loose, and what became of the last packing. */
export async function checkObjects(
  repository: Repository,
  isMaintained: boolean,
): Promise<readonly DoctorCheck[]> {
  const lines = (await gitText(repository.main, ['count-objects', '-v'])).split('\n')
  const counts = new Map(lines.map(line => [line.split(': ')[0], Number(line.split(': ')[1])]))
  const [loose, packs, garbage] = ['count', 'packs', 'garbage'].map(key => counts.get(key) ?? 0)
  const detail = `${loose} loose objects, ${packs} packs, ${garbage} files of garbage`
  const isDue = (loose ?? 0) > manyLoose || (packs ?? 0) > manyPacks
  const finding: Finding = {
    status: 'warning',
    detail: `${detail}: a repack is due`,
    what_to_do: 'Run `git gc` in the repository; it may run while agents work.',
  }
  return [
    ...report('objects', isDue ? [finding] : [], detail),
    ...checkMaintenance(repository, isMaintained),
  ]
}

function checkMaintenance(repository: Repository, isMaintained: boolean): readonly DoctorCheck[] {
  const name = 'maintenance'
  const reason = isMaintained ? whyNot(repository) : 'it is switched off, or only a server does it'
  const last = readMaintenanceRecord(repository.commonDir)
  const told = last === undefined ? 'never packed' : describeLast(last)
  if (reason !== undefined) return report(name, [], `nothing is packed: ${reason}; ${told}`)
  const todo = 'It is tried again in an hour; free some space or mend what git says before.'
  const finding: Finding = { status: 'warning', detail: told, what_to_do: todo }
  return report(name, last?.state === 'failed' ? [finding] : [], told)
}

function describeLast({ state, at_ms, loose, problem }: MaintenanceRecord): string {
  const told = problem === undefined ? '' : `: ${problem}`
  return `packing ${state} ${new Date(at_ms).toISOString()}, ${loose} loose objects${told}`
}
