import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnchorScheme, anchorSchemes } from '../../core/anchor-scheme.js'
import { Refusal } from '../../core/errors.js'
import { ownDirectory } from '../../io/git/owner-record.js'
import { readRegular } from '../../io/git/read-regular.js'
import type { WorktreeAnswer } from '../telling/answers.js'

/** How files of a worktree are read: as they stand, or each line after an anchor. */
export type ViewName = 'plain' | 'hashline'

/** Keeps for the life of a worktree how its anchors are made; one without this is read plain. */
export function keepAnchors(gitDir: string, anchors: AnchorScheme): void {
  writeFileSync(anchorsPath(gitDir), `${anchors}\n`)
}

/** How the anchors of a worktree are made; undefined where it is read plain. */
export function keptAnchors(gitDir: string): AnchorScheme | undefined {
  const kept = readRegular(anchorsPath(gitDir), keptBytes)?.toString('utf8').trimEnd()
  return anchorSchemes.find(scheme => scheme === kept)
}

/** Where that is kept. */
export function anchorsPath(gitDir: string): string {
  return join(ownDirectory(gitDir), 'anchors')
}

/** Refuses with `WORKTREE_EXISTS` to go on with a worktree in another view than it was opened with. */
export function assertView(answer: WorktreeAnswer, asked: ViewName): void {
  const { id, view = 'plain' } = answer
  if (view !== asked) throw new Refusal('WORKTREE_EXISTS', { worktree: id, view, asked })
}

const keptBytes = 64
