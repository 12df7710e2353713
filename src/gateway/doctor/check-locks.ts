import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isHeldBy } from '../../io/git/lock-file.js'
import {
  canBeSeen,
  isAlive,
  listOwnerRecords,
  listOwners,
  readOwner,
} from '../../io/git/owner-record.js'
import type { DoctorCheck } from '../telling/answers.js'
import { type Finding, report } from './findings.js'

const lockNames = ['index.lock', 'HEAD.lock', 'packed-refs.lock', 'config.lock', 'shallow.lock']
const mostRefs = 20_000
/** A git that works holds its locks for less than this. */
const usualMs = 60_000

/** Locks that stand in the way just now, with their age and whose they are. */
export function checkLocks(
  commonDir: string,
  gitDirs: readonly string[],
  nowMs: number,
): readonly DoctorCheck[] {
  const places = [commonDir, ...gitDirs].flatMap(gitDir =>
    lockNames.map(name => ({ gitDir, path: join(gitDir, name) })),
  )
  const refs = refLocks(commonDir).map(path => ({ gitDir: commonDir, path }))
  const standing = [...places, ...refs].filter(({ path }) => existsSync(path))
  const findings = standing.map(({ gitDir, path }) => judge(gitDir, path, nowMs))
  return report('locks', findings, 'none')
}

function judge(gitDir: string, path: string, nowMs: number): Finding {
  const ageMs = nowMs - (lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? nowMs)
  const detail = `${path}, ${Math.round(ageMs / 1_000)} s old`
  const owner = listOwners(gitDir).find(one => isHeldBy(path, one))
  if (owner === undefined) {
    const isOld = ageMs > usualMs
    return {
      status: isOld ? 'problem' : 'warning',
      detail: `${detail}: held by a git that is not ours`,
      what_to_do: isOld
        ? 'Look whether a git still works there; if none does, delete the file.'
        : 'A git is at work; look again in a minute.',
    }
  }
  if (isAlive(owner) && !canBeSeen(owner)) {
    return {
      status: ageMs > usualMs ? 'problem' : 'warning',
      detail: `${detail}: held by our process ${owner.pid} of another machine or container`,
      what_to_do:
        'If that machine or container is gone, delete the file; else look again in a minute.',
    }
  }
  return isAlive(owner)
    ? {
        status: 'warning',
        detail: `${detail}: held by our process ${owner.pid}, which is alive`,
        what_to_do: 'A batch is being written; look again in a moment.',
      }
    : {
        status: 'warning',
        detail: `${detail}: held by our process ${owner.pid}, which has ended`,
        what_to_do: 'Nothing: the next request on this worktree finishes its work and frees it.',
      }
}

function refLocks(commonDir: string): readonly string[] {
  const directory = join(commonDir, 'refs')
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).slice(0, mostRefs)
  return names.filter(name => name.endsWith('.lock')).map(name => join(directory, name))
}

/** Records of processes that work, or worked, in these git directories. */
export function checkOwners(gitDirs: readonly string[]): readonly DoctorCheck[] {
  const records = gitDirs.flatMap(gitDir => listOwnerRecords(gitDir)).map(readOwner)
  const alive = records.filter(owner => owner !== undefined && isAlive(owner))
  const ended = records.length - alive.length
  const finding: Finding = {
    status: 'warning',
    detail: `${ended} processes ended without taking their records away`,
    what_to_do: 'Nothing: the next batch in each worktree removes them.',
  }
  return report('processes', ended === 0 ? [] : [finding], `${alive.length} at work`)
}
