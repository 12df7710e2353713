import { createHash } from 'node:crypto'
import type { Blob, FileMode } from '#src/core/blob.js'
import type { Change } from '#src/core/change.js'
import { Refusal } from '#src/core/errors.js'
import { defaultLimits, type Limits } from '#src/core/limits.js'
import type { Matching } from '#src/core/matching.js'
import { type Oid, parseOid } from '#src/core/oid.js'
import type { Parsers } from '#src/core/parsers.js'
import { parseRepoPath, type RepoPath } from '#src/core/repo-path.js'
import { applyTextEdits } from '#src/core/text-edit.js'
import { memoryTree, type Tree } from '#src/core/tree.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import { type Resolution, resolve } from '#src/edit/resolve.js'

/** A file of a tree for tests: text, bytes, or either with a mode. */
export type FileSpec = string | readonly number[] | { mode: FileMode; content: string }

function blobOf(spec: FileSpec): Blob {
  const { mode, content } =
    typeof spec === 'string' || 'length' in spec ? { mode: '100644' as const, content: spec } : spec
  const bytes =
    typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content)
  return { oid: oidOf(bytes), mode, bytes }
}

export function treeOf(files: Readonly<Record<string, FileSpec>>): Tree {
  return memoryTree(
    new Map(Object.entries(files).map(([path, spec]) => [parseRepoPath(path), blobOf(spec)])),
  )
}

/** The revision that a file of this content has. */
export function revOf(spec: FileSpec): Oid {
  return blobOf(spec).oid
}

function oidOf(bytes: Uint8Array): Oid {
  return parseOid(createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'))
}

export type EditJson = Readonly<Record<string, unknown>> & { readonly path: string }

export interface RunOptions {
  readonly limits?: Partial<Limits>
  readonly allowProtected?: readonly string[]
  readonly matching?: Matching
  /** Further fields of the batch. */
  readonly said?: Readonly<Record<string, unknown>>
  readonly tree?: Tree
  readonly pause?: () => Promise<void>
  readonly parsers?: Parsers
}

/** Resolves edits against files; each file's revision is named for it unless the edit says otherwise. */
export async function run(
  files: Readonly<Record<string, FileSpec>>,
  edits: readonly EditJson[],
  options: RunOptions = {},
): Promise<Resolution> {
  const limits = { ...defaultLimits, ...options.limits }
  const named = edits.map(edit => ({ ...revFor(files, edit.path), ...edit }))
  const batch = parseBatch(batchSchema.parse({ edits: named, ...options.said }), limits)
  return resolve(batch, options.tree ?? treeOf(files), {
    limits,
    allowProtected: options.allowProtected ?? [],
    ...(options.matching && { matching: options.matching }),
    ...(options.parsers && { parsers: options.parsers }),
    ...(options.pause && { pause: options.pause }),
  })
}

function revFor(
  files: Readonly<Record<string, FileSpec>>,
  path: string,
): { expected_rev?: string } {
  const spec = files[path]
  return spec === undefined ? {} : { expected_rev: revOf(spec) }
}

/** The files that changed, as text; null for those that are gone. Checks that the edits lead there. */
export async function changed(
  files: Readonly<Record<string, FileSpec>>,
  edits: readonly EditJson[],
  options: RunOptions = {},
): Promise<Record<string, string | null>> {
  const { changes } = await run(files, edits, options)
  return Object.fromEntries(changes.map(change => [change.path, contentOf(change)]))
}

function contentOf({ before, after, edits }: Change): string | null {
  if (after === undefined) return null
  if (before !== undefined && edits !== undefined) {
    const built = applyTextEdits(before.bytes, edits)
    if (Buffer.compare(built, after.bytes) !== 0) throw new Error('edits do not lead to the file')
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(after.bytes)
}

/** What one file becomes. */
export async function edited(
  before: FileSpec,
  ...edits: Readonly<Record<string, unknown>>[]
): Promise<string | null | undefined> {
  const named = edits.map(edit => ({ path: 'f', ...edit }))
  const files = await changed({ f: before }, named)
  return files.f
}

/** Code and data of the refusal. */
export async function refusal(work: () => unknown): Promise<Record<string, unknown>> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, ...error.data }
    throw error
  }
  throw new Error('not refused')
}

export function path(text: string): RepoPath {
  return parseRepoPath(text)
}
