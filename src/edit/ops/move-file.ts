import { z } from 'zod'
import { invalid } from './checks.js'
import { defineOp } from './op-type.js'
import { requireFile } from './require-file.js'

/** Moves a file; whether it can stay where it goes is judged at the end of the batch. */
export const moveFile = defineOp({
  name: 'move_file',
  summary: 'Move or rename a file. Nothing may be left at the new path when the batch is done.',
  fields: { to: z.string().describe('The new path, from the root of the repository.') },
  check: op => {
    if (op.to === op.path) throw invalid('to', 'is the path itself')
  },
  apply: async (op, { draft }) => {
    await requireFile(draft, op.path)
    return { draft: await draft.move(op.path, op.to) }
  },
})
