import { defineOp } from './op-type.js'
import { requireFile } from './require-file.js'

/** Deletes a file. */
export const deleteFile = defineOp({
  name: 'delete_file',
  summary: 'Delete a file.',
  fields: {},
  check: () => undefined,
  apply: async (op, { draft }) => {
    await requireFile(draft, op.path)
    return { draft: await draft.remove(op.path) }
  },
})
