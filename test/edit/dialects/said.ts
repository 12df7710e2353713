import { defaultLimits } from '#src/core/limits.js'
import { type BatchInput, type ParseOptions, parseBatch } from '#src/edit/batch.js'
import { type Resolution, resolve } from '#src/edit/resolve.js'
import { type FileSpec, treeOf } from '../sandbox.js'

type Files = Readonly<Record<string, FileSpec>>

/** A commit that vouches for every file, for edits that name no revision. */
const head = '1'.repeat(40)

/** Resolves a batch in any dialect against files that all are as the agent read them. */
export async function resolveSaid(
  files: Files,
  batch: BatchInput,
  options: ParseOptions = {},
): Promise<Resolution> {
  const parsed = parseBatch({ ...batch, expected_head: head }, defaultLimits, options)
  const tree = treeOf(files)
  return resolve(parsed, tree, { limits: defaultLimits, allowProtected: [], expectedTree: tree })
}

/** The files that changed, as text; null for those that are gone. */
export async function changedBy(
  files: Files,
  batch: BatchInput,
): Promise<Record<string, string | null>> {
  const { changes } = await resolveSaid(files, batch)
  return Object.fromEntries(
    changes.map(({ path, after }) => [path, after ? Buffer.from(after.bytes).toString() : null]),
  )
}

/** The bytes that the only changed file has afterwards. */
export async function changedBytes(
  files: Files,
  batch: BatchInput,
  options: ParseOptions = {},
): Promise<Buffer> {
  const { changes } = await resolveSaid(files, batch, options)
  return Buffer.from(changes[0]?.after?.bytes ?? [])
}
