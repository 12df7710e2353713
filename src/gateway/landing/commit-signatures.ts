import type { Repository } from '../../io/git/open-repository.js'
import type { Signatures } from './plan-commits.js'

/** The agent as author; the person whose repository it is, where known, as committer. */
export function commitSignatures(
  repository: Repository,
  agent: string,
  seconds: number,
): Signatures {
  const gateway = { name: 'Editlatch', email: 'gateway@editlatch.invalid' }
  return {
    author: { name: agent, email: `${agent}@editlatch.invalid`, seconds },
    committer: { ...(repository.identity ?? gateway), seconds },
  }
}
