import { defaultLimits } from '#src/core/limits.js'
import { type BatchInput, batchSchema, parseBatch } from '#src/edit/batch.js'
import { type Resolution, resolve } from '#src/edit/resolve.js'
import { type FileSpec, revOf, treeOf } from '../sandbox.js'

export type Files = Readonly<Record<string, FileSpec>>

/** What a patch is sent with. */
export type PatchOptions = Omit<BatchInput, 'patch' | 'edits' | 'message' | 'intent'>

/** Resolves a patch against files whose revisions a head vouches for. */
export async function applyText(
  files: Files,
  patch: string,
  options: PatchOptions,
): Promise<Resolution> {
  const head = revOf('the head')
  const input = batchSchema.omit({ edits: true }).parse({ expected_head: head, ...options, patch })
  const tree = treeOf(files)
  return resolve(parseBatch(input, defaultLimits), tree, {
    limits: defaultLimits,
    allowProtected: ['**'],
    expectedTree: tree,
  })
}

/** The bytes of every file after a patch. */
export async function patchedBytes(
  files: Files,
  patch: string,
  options: PatchOptions,
): Promise<Map<string, Buffer>> {
  const { changes } = await applyText(files, patch, options)
  const after = new Map(Object.keys(files).map(path => [path, bytesOf(files[path] ?? '')]))
  for (const change of changes) {
    after.delete(change.from ?? change.path)
    if (change.after !== undefined) after.set(change.path, Buffer.from(change.after.bytes))
  }
  return after
}

/** The text of every file after a patch. */
export async function patched(
  files: Files,
  patch: string,
  options: PatchOptions,
): Promise<Record<string, string>> {
  const after = await patchedBytes(files, patch, options)
  return Object.fromEntries([...after].map(([path, bytes]) => [path, bytes.toString('utf8')]))
}

function bytesOf(spec: FileSpec): Buffer {
  if (typeof spec === 'string') return Buffer.from(spec)
  return 'mode' in spec ? Buffer.from(spec.content) : Buffer.from(spec)
}
