import { z } from 'zod'
import { setupAnswer } from './worktree.js'

const reader = z.enum(['isomorphic-git', 'git'])

const problemKinds = [
  'commit',
  'tree',
  'blob',
  'files',
  'trailer',
  'history',
  'connectivity',
  'index',
] as const

const repository = z
  .object({
    name: z.string(),
    path: z.string(),
    object_format: z.string(),
    head: z.string().nullable().describe('Null where there is no commit yet.'),
  })
  .meta({ id: 'Repository' })

export const reposAnswer = z
  .object({ repositories: z.array(repository) })
  .meta({ id: 'ReposAnswer' })

const verifyProblem = z
  .object({
    commit: z.string(),
    what: z.enum(problemKinds),
    path: z.string().exactOptional(),
    expected: z.string().nullable(),
    actual: z.string().nullable(),
  })
  .meta({
    id: 'VerifyProblem',
    description: 'Something that two readings of one thing do not agree on.',
  })

export const verifyAnswer = z
  .object({
    id: z.string(),
    head: z.string(),
    ok: z.boolean(),
    checked: z.object({ commits: z.int(), trees: z.int(), blobs: z.int(), trailers: z.int() }),
    checker: z
      .object({
        objects: reader,
        trailers: reader,
        index: z.literal('git'),
        parsed_by_git: z.int().exactOptional(),
        why: z.string().exactOptional(),
      })
      .describe('Which program was the second reader of what.'),
    problems: z.array(verifyProblem),
    staged: z.int().describe('Entries of the index that somebody staged.'),
    large_blobs: z.int().describe('Objects of which only the size was looked up.'),
    complete: z.boolean(),
    next: z.string().exactOptional().describe('The `before` that goes on.'),
  })
  .meta({ id: 'VerifyAnswer' })

const doctorCheck = z
  .object({
    name: z.string(),
    repository: z.string().exactOptional().describe('Absent for what is about the machine.'),
    status: z.enum(['ok', 'warning', 'problem']),
    detail: z.string(),
    what_to_do: z.string().exactOptional(),
  })
  .meta({ id: 'DoctorCheck' })

export const doctorAnswer = z
  .object({
    ok: z.boolean().describe('False where some check is a problem.'),
    checks: z.array(doctorCheck),
    settings: z.record(z.string(), z.unknown()).describe('Every setting that holds, no secrets.'),
  })
  .meta({ id: 'DoctorAnswer' })

export const gatewayEvent = z
  .object({
    id: z.int().describe('It only ever grows; name the last one seen to go on after it.'),
    type: z
      .enum(['batch', 'drift', 'setup', 'worktree_opened', 'worktree_closed', 'missed'])
      .describe('missed: events before this one are no longer known.'),
    worktree: z.string().exactOptional(),
    agent: z.string().exactOptional(),
    branch: z.string().exactOptional(),
    commit: z.string().exactOptional(),
    parent: z.string().exactOptional(),
    paths: z.array(z.string()).exactOptional(),
    more: z.int().exactOptional().describe('Changed paths beyond those that are named.'),
    setup: setupAnswer.exactOptional(),
  })
  .meta({ id: 'GatewayEvent', description: 'Something that happened to a worktree.' })
