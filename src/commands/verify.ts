import { z } from 'zod'
import { shortOid } from '../core/oid.js'
import { verifyBranch } from '../gateway/verify-branch.js'
import { verifyAnswer } from './answers/upkeep.js'
import { answer, defineCommand } from './command.js'
import { commitField, worktreeField } from './fields.js'
import { value } from './output.js'

/** Reads every commit of a worktree once more with a second, independent implementation. */
export const verify = defineCommand({
  name: 'verify',
  summary: 'Read every commit of a worktree again with a second implementation of git and compare.',
  input: z.strictObject({
    worktree: worktreeField,
    before: commitField
      .exactOptional()
      .describe('Only commits before this one; `next` of the answer before.'),
  }),
  bind: { worktree: 'path', before: 'query' },
  routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/verify' }],
  access: 'read',
  output: value(verifyAnswer),
  positionals: ['worktree'],
  run: async (gateway, input) => {
    const { worktree: id, ...asked } = input
    return answer(await verifyBranch(await gateway.worktree(id), asked))
  },
  render: ({ ok, checked, checker, problems, complete, next }) =>
    [
      `${ok ? 'ok' : 'PROBLEMS'}: ${checked.commits} commits, ${checked.trees} trees, ${checked.blobs} blobs, ${checked.trailers} trailers read by ${checker.objects}`,
      ...(checker.why === undefined ? [] : [checker.why]),
      ...problems.map(
        one =>
          `${shortOid(one.commit)} ${one.what} ${one.path ?? ''}: expected ${one.expected}, found ${one.actual}`,
      ),
      ...(complete ? [] : [`(not all: go on before ${next ?? 'nothing'})`]),
    ].join('\n'),
})
