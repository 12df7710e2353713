import { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import { checkText } from './checks.js'
import { defineOp } from './op-type.js'
import { writeFile } from './write-file.js'

/** Creates a file where none stands, or only an empty one. */
export const createFile = defineOp({
  name: 'create_file',
  summary: 'Create a file where none stands, or only an empty one.',
  fields: { text: z.string() },
  check: (op, limits) => checkText({ field: 'text', text: op.text }, limits.writeBytes),
  apply: async (op, context) => {
    const before = await context.draft.read(op.path)
    if (before !== undefined && before.bytes.length > 0) {
      throw new Refusal('PATH_EXISTS', { path: op.path })
    }
    return writeFile.apply({ ...op, op: 'write_file' }, context)
  },
})
