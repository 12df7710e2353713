import { z } from 'zod'
import { Refusal } from '../core/errors.js'
import { checkText, invalid } from '../edit/ops/checks.js'
import { draftAnswer } from './answers/worktree.js'
import { answer, defineCommand } from './command.js'
import { draftField, worktreeField } from './fields.js'
import { value } from './output.js'

/** Stores whole lines of a long text outside of the tree. */
export const draftWrite = defineCommand({
  name: 'draft-write',
  summary: 'Add whole lines to a draft: a long text that is written in pieces and then landed.',
  input: z.strictObject({
    worktree: worktreeField,
    draft: draftField.exactOptional(),
    after_lines: z
      .int()
      .min(0)
      .describe('How many lines the draft has already; 0 begins it. Refused where that is wrong.'),
    text: z.string().describe('The next lines; a last one without its newline gets it.'),
  }),
  bind: {
    worktree: 'path',
    draft: ['json', 'query'],
    after_lines: ['json', 'query'],
    text: ['json', 'text-body'],
  },
  readsText: () => true,
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/drafts' }],
  access: 'edit',
  output: value(draftAnswer, { statuses: [201] }),
  tools: [
    {
      name: 'draft_write',
      title: 'Write a draft',
      description:
        'Send a long text in pieces of at most 200 lines; nothing of it is in any file before draft_commit. Begin with after_lines 0, go on with the number of lines that the answer tells. Where a call was cut off, send the missing lines only: a wrong after_lines is refused with how the draft ends. Example: {"draft":"readme","after_lines":0,"text":"# Title\\n..."}',
      fields: ['worktree', 'draft', 'after_lines', 'text'],
      shape: () => ({
        draft: z.string().exactOptional().describe('A name of your choice: a-z, 0-9, hyphen.'),
        after_lines: z.int().describe('Lines that the draft has already.'),
        text: z.string().describe('The next whole lines.'),
      }),
      effect: 'adds',
      repeatable: false,
    },
  ],
  run: async (gateway, { worktree: id, draft, after_lines: afterLines, text }) => {
    checkText({ field: 'text', text }, gateway.limits.writeBytes)
    if (text === '') throw invalid('text', 'is empty')
    if (draft !== undefined) checkDraftName(draft)
    const worktree = await gateway.worktree(id)
    const whole = text.endsWith('\n') ? text : `${text}\n`
    const written = await worktree.drafts.write({ draft, afterLines, text: whole })
    return answer(written, { status: 201 })
  },
  render: ({ draft, lines, bytes, expires }) =>
    `draft ${draft}: ${lines} lines, ${bytes} bytes; go on with after_lines ${lines}. It is kept until ${expires}.`,
})

/** A name that git takes as a part of a ref. */
export function checkDraftName(name: string): void {
  if (/^[a-z0-9][a-z0-9_-]{0,39}$/.test(name)) return
  const problem = 'is not 1 to 40 of a-z 0-9 _ - that begin with a letter or digit'
  throw new Refusal('INVALID_ARGUMENTS', { problems: [{ field: 'draft', problem }] })
}
