import { z } from 'zod'
import { anchorSchemes } from '../../core/anchor-scheme.js'
import { leftOutReasons, setupStates } from '../../gateway/telling/answers.js'

const worktree = z
  .object({
    id: z.string(),
    repo: z.string(),
    agent: z.string(),
    branch: z.string(),
    path: z.string().describe('Its directory.'),
    base: z.string().describe('The commit that the branch started at.'),
    head: z.string(),
    reported: z.string().describe('The commit up to which changes were reported.'),
    files: z
      .literal('none')
      .exactOptional()
      .describe('Where files are written only when asked for.'),
    view: z.literal('hashline').exactOptional().describe('Where lines are read after anchors.'),
    anchors: z.enum(anchorSchemes).exactOptional(),
  })
  .meta({ id: 'Worktree', description: "An agent's worktree." })

export const worktreesAnswer = z
  .object({ worktrees: z.array(worktree) })
  .meta({ id: 'WorktreesAnswer' })

const included = z
  .object({
    files: z.int(),
    links: z.int().describe('Packages of node_modules, and links that were links before.'),
    bytes: z.int(),
    paths: z.array(z.string()).describe('The first of what was chosen: files and directories.'),
    left_out: z
      .array(
        z.object({
          path: z.string().describe('For no_match the pattern.'),
          why: z
            .enum(leftOutReasons)
            .describe(
              'not_ignored: git would track it here. link_out: a link to elsewhere. special: neither file nor directory. cache: what tools keep in node_modules for themselves.',
            ),
        }),
      )
      .exactOptional()
      .describe('The first of what is not there although it was chosen.'),
    left_out_total: z.int().exactOptional(),
  })
  .meta({ id: 'IncludedAnswer', description: 'Ignored files that a new worktree was given.' })

export const setupAnswer = z
  .object({
    state: z.enum(setupStates).describe('interrupted: the server has ended before it.'),
    command: z.array(z.string()),
    exit_code: z.int().exactOptional(),
    reason: z.string().exactOptional().describe('Why it failed, where it did not say so itself.'),
    seconds: z.number().exactOptional(),
    output: z.string().exactOptional().describe('The end of what it printed, where it failed.'),
  })
  .meta({ id: 'SetupAnswer', description: "The operator's command in a new worktree." })

export const openedAnswer = z
  .object({
    ...worktree.shape,
    token: z.string().describe('Works on this worktree and nowhere else.'),
    base_dirty: z
      .literal(true)
      .exactOptional()
      .describe("The person's own checkout has uncommitted work that is not part of this."),
    included: included.exactOptional(),
    setup: setupAnswer.exactOptional(),
  })
  .meta({ id: 'OpenedAnswer', description: 'A worktree just opened.' })

export const closedAnswer = z
  .object({
    id: z.string(),
    closed: z.literal(true),
    kept_ref: z.string().exactOptional().describe('The ref under which unlanded work is kept.'),
  })
  .meta({ id: 'ClosedAnswer' })

export const draftAnswer = z
  .object({
    draft: z.string(),
    lines: z.int(),
    bytes: z.int(),
    expires: z.string().describe('When it is let go, unless it is written to before.'),
  })
  .meta({ id: 'DraftAnswer', description: 'A text that is written in pieces.' })

export const stateAnswer = z
  .object({
    ...worktree.shape,
    dirty: z
      .array(z.object({ path: z.string(), status: z.string() }))
      .describe("Files that differ from head, with git's two status letters."),
    unreported_commits: z.int(),
    unlanded_commits: z.int().describe('Commits that no other branch has.'),
    absent_files: z.int().describe('Files that are in git alone.'),
    setup: setupAnswer.exactOptional(),
    drafts: z.array(draftAnswer).exactOptional().describe('Texts that are being written.'),
    locked: z.string().exactOptional().describe('Why batches are refused just now.'),
  })
  .meta({ id: 'StateAnswer', description: 'Where a worktree stands.' })

export const materialisedAnswer = z
  .object({
    id: z.string(),
    written: z.int(),
    kept: z.array(z.string()).describe('Where something else stood already, which stays.'),
    absent_files: z.int(),
  })
  .meta({
    id: 'MaterialisedAnswer',
    description: 'What was written into a worktree that was opened without files.',
  })

export const filesAnswer = z
  .object({
    files: z.array(z.string()),
    total: z.int(),
    truncated: z.boolean(),
    next: z.string().exactOptional().describe('The `after` that goes on.'),
  })
  .meta({ id: 'FilesAnswer' })
