import { z } from 'zod'
import { materialise as materialiseFiles } from '../gateway/materialise.js'
import { materialisedAnswer } from './answers/worktree.js'
import { answer, defineCommand } from './command.js'
import { pathField, worktreeField } from './fields.js'
import { value } from './output.js'

/** Writes the files of a worktree that was opened without them. */
export const materialise = defineCommand({
  name: 'materialise',
  summary: 'Write the files of a worktree that was opened without them, all or some.',
  input: z.strictObject({
    worktree: worktreeField,
    paths: z
      .array(pathField)
      .min(1)
      .max(1_000)
      .exactOptional()
      .describe('Only these files, and those below these directories.'),
  }),
  bind: { worktree: 'path', paths: 'json' },
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/materialise' }],
  access: 'edit',
  output: value(materialisedAnswer),
  positionals: ['worktree', 'paths'],
  run: async (gateway, input) => {
    const { worktree: id, ...asked } = input
    return answer(await materialiseFiles(await gateway.worktree(id), asked))
  },
  render: done =>
    [
      `${done.written} written, ${done.absent_files} still absent`,
      ...done.kept.map(path => `kept ${path}`),
    ].join('\n'),
})
