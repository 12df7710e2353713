import { z } from 'zod'
import { fixedLimits } from '../core/limits.js'
import { filesAnswer } from './answers/worktree.js'
import { answer, defineCommand } from './command.js'
import { worktreeField } from './fields.js'
import { value } from './output.js'

/** The files of a worktree. */
export const files = defineCommand({
  name: 'files',
  summary: 'List the files of a worktree that git does not ignore.',
  input: z.strictObject({
    worktree: worktreeField,
    prefix: z.string().max(4_096).exactOptional().describe('Only paths that begin so.'),
    glob: z
      .string()
      .max(1_000)
      .exactOptional()
      .describe('Only paths that fit, such as src/**/*.ts.'),
    limit: z.number().int().min(1).max(100_000).exactOptional().describe('How many to answer.'),
    max_bytes: z
      .int()
      .min(200)
      .max(100_000_000)
      .exactOptional()
      .describe(`Bytes of paths to answer; ${fixedLimits.filesBytes} where nothing is said.`),
    after: z
      .string()
      .max(4_096)
      .exactOptional()
      .describe('Only paths after this one; `next` of the answer before.'),
  }),
  bind: {
    worktree: 'path',
    prefix: 'query',
    glob: 'query',
    limit: 'query',
    max_bytes: 'query',
    after: 'query',
  },
  routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/files' }],
  access: 'read',
  output: value(filesAnswer),
  positionals: ['prefix'],
  run: async (gateway, input) => {
    const { worktree: id, max_bytes: maxBytes, ...asked } = input
    const worktree = await gateway.worktree(id)
    return answer(await worktree.files({ ...asked, ...(maxBytes !== undefined && { maxBytes }) }))
  },
  render: found =>
    [
      ...found.files,
      ...(found.next === undefined
        ? []
        : [`(${found.total} in all; name a prefix or glob, or go on after ${found.next})`]),
    ].join('\n'),
})
