import { platform, tmpdir } from 'node:os'
import { spaceAt } from '../../io/files/file-system.js'
import { type HostEnvironment, userPlace } from '../../io/git/git-environment.js'
import { gitVersionText, isVersionAtLeast, nodeVersion } from '../../io/git/program-versions.js'
import type { DoctorCheck } from '../telling/answers.js'
import { describeError, type Finding, report } from './findings.js'

/** The git that is started, and what it is too old for. */
export async function checkGit(host: HostEnvironment): Promise<readonly DoctorCheck[]> {
  const name = 'git'
  let version: string
  try {
    version = await gitVersionText(userPlace(tmpdir(), host))
  } catch (error) {
    const todo = 'Install git 2.38 or newer, or put it into PATH.'
    return [{ name, status: 'problem', detail: describeError(error), what_to_do: todo }]
  }
  if (!isVersionAtLeast(version, 2, 38)) {
    return [{ name, status: 'problem', detail: version, what_to_do: 'Install git 2.38 or newer.' }]
  }
  const lacking = newerParts.filter(([, ...least]) => !isVersionAtLeast(version, ...least))
  const detail = [version, ...lacking.map(([part]) => `does not read ${part}`)].join('; ')
  return [{ name, status: 'ok', detail }]
}

const newerParts: readonly (readonly [part: string, major: number, minor: number])[] = [
  ['repositories with reftable (2.45)', 2, 45],
  ['relative worktree links (2.48)', 2, 48],
]

export function checkNode(): readonly DoctorCheck[] {
  const isEnough = isVersionAtLeast(nodeVersion, 20, 19)
  const finding: Finding = {
    status: 'problem',
    detail: nodeVersion,
    what_to_do: 'Run it with Node 20.19 or newer.',
  }
  return report('node', isEnough ? [] : [finding], nodeVersion)
}

export function checkPlatform(): readonly DoctorCheck[] {
  const finding: Finding = {
    status: 'warning',
    detail: `${platform()}: only Linux is supported`,
    what_to_do: 'Expect fewer guarantees when others write to the same files at the same moment.',
  }
  return report('platform', platform() === 'linux' ? [] : [finding], platform())
}

const fewBytes = 1024 ** 3
const hardlyAnyBytes = 64 * 1024 ** 2
const fewFiles = 10_000

/** Room on the disk for each of these places. */
export function checkSpace(paths: readonly string[]): readonly DoctorCheck[] {
  const findings: Finding[] = []
  const told: string[] = []
  for (const path of paths) {
    const { bytes, files } = spaceAt(path)
    const detail = `${Math.floor(bytes / 1024 ** 2)} MiB${files === undefined ? '' : ` and ${files} files`} free at ${path}`
    told.push(detail)
    if (bytes >= fewBytes && (files ?? fewFiles) >= fewFiles) continue
    const status = bytes < hardlyAnyBytes || files === 0 ? 'problem' : 'warning'
    findings.push({ status, detail, what_to_do: 'Free some space; batches are refused without.' })
  }
  return report('disk_space', findings, told.join('; '))
}
