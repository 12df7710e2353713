import type { Limits } from '../../core/limits.js'
import type { RepoPath } from '../../core/repo-path.js'
import { checkOp } from '../ops/parse-edit.js'
import type { Op } from '../ops/registry.js'
import { type DialectContext, defineTextDialect } from './dialect.js'
import { ladders } from './ladders.js'
import { atLine, type PathUse, requireDistinct } from './patch-lines.js'
import { type PatchSection, parseSections } from './patch-sections.js'

/**
 * The patch format that many models were trained on:
 *
 *     patch   := "*** Begin Patch" section+ "*** End Patch"
 *     section := "*** Add File: " path ("+" text)*
 *              | "*** Delete File: " path
 *              | "*** Update File: " path ["*** Move to: " path] hunk+
 *     hunk    := ("@@" [text])* line+ ["*** End of File"]
 *     line    := " " text | "-" text | "+" text
 *
 * The lines of a hunk without those that it adds must stand in the file one after the other, below
 * the hunk before and below its `@@` lines, each of which is passed in turn. They are found exactly,
 * else without regard to white space at their ends, else without regard to indentation (new lines
 * are then indented as the place is), else with plain for typographic punctuation. Two places at
 * one level are refused, unless the request says `first_match`; a stricter `max_level` counts here
 * too. New lines alone go right after
 * their `@@` line, which must stand there once, or to the end by `*** End of File`; in an empty file
 * there is only one place. How a file ends stays as it is. A created file ends with a newline.
 * In Python and YAML all of a hunk must be indented alike otherwise, in Makefiles not at all.
 *
 * Leniencies, each as other readers of the format have it:
 * - white space around the patch and around marker lines, except inside a hunk;
 * - a Markdown fence or a shell here-document around it;
 * - CRLF in the patch;
 * - the first hunk without `@@`, `@@text` without the space, line numbers as in a unified diff
 *   after `@@` (they are not looked at);
 * - an empty line in a hunk is an empty line of context, and at the end of a hunk it may be nothing;
 * - lines without a prefix right after `@@` are context;
 * - a hunk that stands nowhere below may stand above, exactly, in one place of the file;
 * - two sections may change the same file, one after the other.
 *
 * Refused with the line: a patch without its end, for it may be cut off; no section; a section or
 * hunk that says nothing; any other line; a path that two sections create, delete or move. Nothing
 * is created or moved over a file that stands there.
 */
export const applyPatch = defineTextDialect({
  name: 'apply_patch',
  summary:
    'A patch from *** Begin Patch to *** End Patch that adds, updates, deletes and moves files.',
  toOps: (text, context) => {
    const sections = parseSections(text)
    requireDistinct(sections.flatMap(usesOf))
    return sections.flatMap(section =>
      atLine(section.line, () => opsOf(section, context).map(op => checked(op, section, context))),
    )
  },
})

function usesOf(section: PatchSection): readonly PathUse[] {
  const { line, path } = section
  const to = section.kind === 'update' ? section.to : undefined
  const isPlain = section.kind === 'update' && to === undefined
  return [path, ...(to === undefined || to === path ? [] : [to])].map(use => ({
    path: use,
    line,
    isPlain,
  }))
}

function opsOf(section: PatchSection, { takesFirst }: DialectContext): readonly Op[] {
  const { kind, path } = section
  if (kind === 'add') return [{ op: 'write_file', path, expected_rev: null, text: section.text }]
  if (kind === 'delete') return [{ op: 'delete_file', path }]
  const { hunks, to } = section
  const update: Op = {
    op: 'apply_hunks',
    path,
    hunks,
    placing: 'in_order',
    levels: ladders.apply_patch,
    ...(takesFirst && { first_match: true }),
  }
  return to === undefined ? [update] : [update, moveTo(path, to)]
}

function moveTo(path: RepoPath, to: RepoPath): Op {
  return { op: 'move_file', path, to }
}

function checked(op: Op, { line }: PatchSection, { limits }: { readonly limits: Limits }): Op {
  return checkOp({ ...op, said: { patch_line: line } }, limits)
}
