import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownDirectory } from '../../io/git/owner-record.js'
import { type CheckoutPlace, worktreeGone } from '../checkout/checkout.js'
import { findCheckout, isLinked } from '../checkout/find-checkout.js'
import { isUnfinished } from '../landing/finish-checkout.js'
import { intentPath, readIntent } from '../landing/intent.js'
import { isMaterialising } from '../landing/recover-materialising.js'
import { agentPlace, type CheckoutOptions } from '../opening/open-checkout.js'
import type { ServedRepository } from '../repository/served-repository.js'
import type { DoctorCheck } from '../telling/answers.js'
import { type Finding, report } from './findings.js'

/** The git directories of all linked worktrees, ours and others. */
export function linkedGitDirs(commonDir: string): readonly string[] {
  const directory = join(commonDir, 'worktrees')
  return existsSync(directory) ? readdirSync(directory).map(name => join(directory, name)) : []
}

/** Whether each agent's worktree is there, whole, and where git thinks it is. */
export async function checkWorktrees(
  served: ServedRepository,
  options: CheckoutOptions,
): Promise<readonly DoctorCheck[]> {
  const names = await served.agentNames()
  const findings: Finding[] = []
  for (const name of names) {
    const { refs, path } = agentPlace(served, name, options)
    const { commonDir } = served.repository
    const place = findCheckout(commonDir, refs.branch, path)
    const hasBranch = (await served.resolveRef(refs.branch)) !== undefined
    findings.push(...judge(name, place, hasBranch, refs.branch))
  }
  return report('worktrees', findings, `${names.length} of agents, all sound`)
}

function judge(
  agent: string,
  place: CheckoutPlace | undefined,
  hasBranch: boolean,
  branch: string,
): readonly Finding[] {
  const warn = (detail: string, todo: string): Finding[] => [
    { status: 'warning', detail: `${agent}: ${detail}`, what_to_do: todo },
  ]
  if (!hasBranch) {
    const todo = 'Find the commit in a reflog and make the branch again, or close the worktree.'
    return [
      { status: 'problem', detail: `${agent}: the branch ${branch} is gone`, what_to_do: todo },
    ]
  }
  if (place === undefined)
    return warn('git knows of no worktree', 'Open it again: its branch is still there.')
  if (!isLinked(place)) {
    const { data } = worktreeGone(place, true)
    const detail = `${agent}: ${place.path} is gone or no longer belongs to ${place.gitDir}`
    return [{ status: 'problem', detail, what_to_do: String(data.repair) }]
  }
  const later = 'Nothing: it is finished when the worktree is used next.'
  if (isUnfinished({ ...place, indexPath: join(place.gitDir, 'index') }))
    return warn('its checkout was cut off', later)
  if (isMaterialising(place)) return warn('writing its files was cut off, or is under way', later)
  if (!existsSync(join(place.gitDir, 'index'))) {
    const todo = `git -C "${place.path}" reset`
    return [{ status: 'problem', detail: `${agent}: the index is missing`, what_to_do: todo }]
  }
  const head = readFileSync(join(place.gitDir, 'HEAD'), 'utf8').trimEnd()
  if (head === `ref: ${branch}`) return []
  return warn(
    `HEAD stands at ${head.replace(/^ref: /, '')}`,
    `git -C "${place.path}" switch ${branch.slice('refs/heads/'.length)}`,
  )
}

/** Batches that were cut off between their first step and their last. */
export async function checkIntents(
  served: ServedRepository,
  gitDirs: readonly string[],
): Promise<readonly DoctorCheck[]> {
  const findings: Finding[] = []
  for (const workDir of gitDirs.map(ownDirectory)) {
    const intent = readIntent(workDir)
    if (intent === undefined) continue
    const head = await served.resolveRef(intent.ref)
    const isClear = head === intent.old || head === intent.new
    findings.push({
      status: isClear ? 'warning' : 'problem',
      detail: `${intentPath(workDir)}: a batch on ${intent.ref} was cut off, or is under way`,
      what_to_do: isClear
        ? 'Nothing: the next request on this worktree finishes or drops it.'
        : `The branch was moved meanwhile, to ${head ?? 'nothing'}. Compare ${intent.new} with it, then delete the file.`,
    })
  }
  return report('unfinished_batches', findings, 'none')
}
