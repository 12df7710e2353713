import { formatCommitMessage } from '../report/commit-message.js'
import { editTrailers } from '../report/edit-trailers.js'
import type { IdentifiedChange } from './plan-commits.js'
import type { WorkingFile } from './working-file.js'

/** The message of a commit that keeps what somebody changed beside the gateway. */
export function externalMessage(
  agent: string,
  files: readonly WorkingFile[],
  message?: string,
): string {
  const changes = files.map(
    ({ path, head, blob }): IdentifiedChange => ({
      path,
      ...(head && { before: { ...head, bytes: new Uint8Array() } }),
      ...(blob && { after: blob, afterOid: blob.oid }),
    }),
  )
  const ops = changes.map(({ path }, index) => ({ index, op: 'external', path }))
  return formatCommitMessage({
    message:
      message ?? `Keep changes made outside${files.length === 1 ? `: ${files[0]?.path}` : ''}`,
    ops,
    changes,
    trailers: [
      { key: 'Editlatch-Agent', value: agent },
      { key: 'Editlatch-Source', value: 'external' },
      ...editTrailers(changes, ops, []),
    ],
  })
}
