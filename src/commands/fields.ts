import { z } from 'zod'
import { patchDetails } from '../core/patch-detail.js'

/** Input fields that several commands share, worded once. */

export const worktreeField = z
  .string()
  .min(1)
  .max(200)
  .describe('The worktree: its id as answered at opening, or the agent name where that is unique.')

/** The same for a model. */
export const worktreeToolField = z
  .string()
  .exactOptional()
  .describe('Id of a worktree; your own where absent.')

export const pathField = z
  .string()
  .describe('Path of the file from the root of the repository, with forward slashes.')

export const commitField = z
  .string()
  .max(64)
  .describe(
    'Id of the commit, as a receipt or the log answered it; its first twelve digits are enough.',
  )

export const draftField = z
  .string()
  .max(40)
  .describe('Name of the draft: lower-case letters, digits, underscore and hyphen.')

export const messageField = z
  .string()
  .max(10_000)
  .describe(
    'Commit message; the first line is the subject. Made from the edits where it is absent.',
  )

export const intentField = z.string().max(500).describe('One line that says why.')

export const dryRunField = z.boolean().describe('Answer what would happen and change nothing.')

export const receiptDetailField = z
  .enum(patchDetails)
  .describe(
    'What the receipt shows of each file: changed line ranges only, or a patch with 0, 1 or 3 lines of context (u3: as git apply takes it). Absent: ranges, and u1 where the gateway chose place or text.',
  )

export const errorStyleField = z
  .enum(['current', 'legacy'])
  .describe('legacy: sentences of refusals as they were first published, word for word.')

export const keyField = z
  .string()
  .min(1)
  .max(200)
  .describe('Idempotency key: sending the same request with the same key again changes nothing.')
