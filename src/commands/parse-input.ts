import type { z } from 'zod'
import { Refusal } from '../core/errors.js'

const reportedProblems = 20

/** The input as its schema reads it; `INVALID_ARGUMENTS` names every field that does not fit. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.slice(0, reportedProblems).map(issue => ({
    field: issue.path.join('.'),
    problem: issue.message,
  }))
  throw new Refusal('INVALID_ARGUMENTS', { problems })
}
