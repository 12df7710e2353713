import { z } from 'zod'
import { defineOp } from './op-type.js'
import { requireFile } from './require-file.js'

/** Makes a file executable or not. */
export const setMode = defineOp({
  name: 'set_mode',
  summary: 'Make a file executable or not.',
  fields: { executable: z.boolean().describe('True for mode 100755, false for 100644.') },
  check: () => undefined,
  apply: async (op, { draft }) => {
    const file = await requireFile(draft, op.path)
    const mode = op.executable ? '100755' : '100644'
    return { draft: await draft.write(op.path, file.withMode(mode)) }
  },
})
