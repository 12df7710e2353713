import { formatCommitMessage } from '../../report/commit-message.js'
import { editTrailers } from '../../report/edit-trailers.js'
import type { IdentifiedChange, OutsideChange } from './plan-commits.js'

/** The message of a commit that keeps what somebody changed beside the gateway. */
export function externalMessage(
  agent: string,
  outside: readonly OutsideChange[],
  message?: string,
): string {
  const bytes = new Uint8Array()
  const changes = outside.map(
    ({ path, before, after }): IdentifiedChange => ({
      path,
      ...(before && { before: { ...before, bytes } }),
      ...(after && { after: { mode: after.mode, bytes }, afterOid: after.oid }),
    }),
  )
  const ops = changes.map(({ path }, index) => ({ index, op: 'external', path }))
  return formatCommitMessage({
    message:
      message ?? `Keep changes made outside${outside.length === 1 ? `: ${outside[0]?.path}` : ''}`,
    ops,
    changes,
    trailers: [
      { key: 'Editlatch-Agent', value: agent },
      { key: 'Editlatch-Source', value: 'external' },
      ...editTrailers(changes, ops, []),
    ],
  })
}
