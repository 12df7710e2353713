import { isRegular } from '../../core/blob.js'
import type { Draft, DraftContent } from '../../core/draft.js'
import { Refusal } from '../../core/errors.js'
import type { RepoPath } from '../../core/repo-path.js'
import { WorkingFile } from './working-file.js'

/** The regular file at a path of the draft. `FILE_NOT_FOUND`, `SYMLINK` or `NOT_REGULAR` where there is none. */
export async function requireFile(draft: Draft, path: RepoPath): Promise<WorkingFile> {
  const content = await draft.read(path)
  if (content === undefined) throw new Refusal('FILE_NOT_FOUND', { path })
  requireRegular(content)
  return WorkingFile.of(content)
}

/** Refuses symbolic links and submodules, which no op touches. */
export function requireRegular({ mode }: DraftContent): void {
  if (isRegular(mode)) return
  throw mode === '120000'
    ? new Refusal('SYMLINK', { mode })
    : new Refusal('NOT_REGULAR', { mode, kind: 'submodule' })
}
