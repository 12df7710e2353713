import type { AnchorScheme } from '#src/core/anchor-scheme.js'
import { defaultLimits } from '#src/core/limits.js'
import { applyTextEdits } from '#src/core/text-edit.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import { resolve } from '#src/edit/resolve.js'
import { revOf, treeOf } from '../sandbox.js'

export type HashlineEdit = Readonly<Record<string, unknown>>

/** What hashline edits make of one file `f`, at the revision that it has; refused as they are. */
export async function editHashline(
  before: Uint8Array,
  edits: unknown,
  scheme: AnchorScheme = 'chunk',
): Promise<Uint8Array> {
  const content = [...before]
  const expected = { expected_revs: [{ path: 'f', rev: revOf(content) }] }
  const input = batchSchema.parse({ dialect: 'hashline', edits, ...expected })
  const batch = parseBatch(input, defaultLimits, { anchors: scheme })
  const { changes } = await resolve(batch, treeOf({ f: content }), {
    limits: defaultLimits,
    allowProtected: [],
  })
  const [change] = changes
  if (change === undefined) return before
  const after = change.after?.bytes ?? new Uint8Array()
  const built = change.edits && applyTextEdits(before, change.edits)
  if (built && Buffer.compare(built, after) !== 0) throw new Error('edits do not lead to the file')
  return after
}
