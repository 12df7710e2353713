import type { RepoPath } from '../core/repo-path.js'
import type { Op } from './ops/registry.js'

/** Every path that an op touches. */
export function targetsOf(op: Op): readonly RepoPath[] {
  return 'to' in op ? [op.path, op.to] : [op.path]
}
