import type { OpBase } from '../../core/batch.js'
import type { Limits } from '../../core/limits.js'
import { parseRepoPath } from '../../core/repo-path.js'
import { invalid } from '../ops/checks.js'
import { checkOp, parseExpectedRev } from '../ops/parse-edit.js'
import type { Op } from '../ops/registry.js'

/** A replacement as the parameter dialects say it, whatever they call its fields. */
export interface Replacing {
  readonly path: string
  readonly rev: string | null | undefined
  readonly find: string
  readonly replace: string
  readonly all?: boolean | undefined
  readonly count?: number | undefined
  /** What the dialect calls the new text. */
  readonly replaceField: string
}

/** How the dialect wants its text found. */
export type Finding = Pick<OpBase, 'levels' | 'onMiss'>

/** The op of a replacement: an empty text to find creates the file, and one that is replaced by itself is refused. */
export function replacingOp(said: Replacing, finding: Finding, limits: Limits): Op {
  const { find, replace, all, count } = said
  if (find === replace) throw invalid(said.replaceField, 'is the same as the text to replace')
  const base = fileOf(said.path, said.rev)
  const op: Op =
    find === ''
      ? { op: 'create_file', ...base, text: replace }
      : {
          op: 'replace_text',
          ...base,
          ...finding,
          find,
          replace,
          ...(all !== undefined && { all }),
          ...(count !== undefined && { expected_count: count }),
        }
  return checkOp(op, limits)
}

/** The file that an edit names, and the revision of it where it names one. */
export function fileOf(
  path: string,
  rev: string | null | undefined,
): Pick<OpBase, 'path' | 'expected_rev'> {
  return {
    path: parseRepoPath(path),
    ...(rev !== undefined && { expected_rev: parseExpectedRev(rev) }),
  }
}
