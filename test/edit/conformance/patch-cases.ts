import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { FileSpec } from '../sandbox.js'

/** One patch of the corpora and what it should do. */
export interface PatchCase {
  readonly id: string
  readonly dialect: 'apply_patch' | 'unified_diff'
  readonly patch: string
  readonly files: Readonly<Record<string, FileSpec>>
  readonly isRefused: boolean
  /** The files afterwards; undefined where only the reading of the patch is told. */
  readonly after?: Readonly<Record<string, FileSpec>>
  /** The sections that the peer reads, where that is what the case tells. */
  readonly sections?: readonly unknown[]
  /** The peer's own choice; absent where every sane implementation agrees. */
  readonly policy?: string
  /** Other results that are as good; null for a refusal. */
  readonly acceptable?: readonly (string | null)[]
}

/** The folder of the corpora; undefined where it is absent. */
export const corpora = ((): string | undefined => {
  const place = resolve(process.env.EDITLATCH_CORPORA ?? '../shared/corpora')
  return existsSync(place) ? place : undefined
})()

const peers = ['codex', 'opencode', 'roo', 'cline', 'copilot', 'jsdiff', 'openhands'] as const

/** Every patch in the peers' own tests, but for what is no patch. */
export function peerCases(place: string): readonly PatchCase[] {
  return peers
    .flatMap(peer => readLines(join(place, 'edit', 'peers', `${peer}.jsonl`)) as PeerCase[])
    .flatMap(peerCase)
}

/** Every patch in the failures that users reported. */
export function failureCases(place: string): readonly PatchCase[] {
  return (readLines(join(place, 'edit', 'failures.jsonl')) as FailureCase[]).flatMap(failureCase)
}

function readLines(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

type CorpusFile = string | { readonly base64: string }
type CorpusFiles = Readonly<Record<string, CorpusFile>>

interface PeerCase {
  readonly id: string
  readonly before?: CorpusFiles
  readonly after?: CorpusFiles
  readonly 'patch.txt'?: string
  readonly edit?: {
    readonly dialect: string
    readonly file?: string
    readonly patch?: unknown
    readonly chunks?: readonly Chunk[]
  }
  readonly expect: {
    readonly dialect: string
    readonly error: boolean
    readonly policy?: string
    readonly hunks?: readonly unknown[] | null
  }
}

function peerCase(found: PeerCase): readonly PatchCase[] {
  const { id, before = {}, after, edit, expect } = found
  const dialect = expect.dialect.startsWith('v4a')
    ? 'apply_patch'
    : expect.dialect === 'unified_diff'
      ? 'unified_diff'
      : undefined
  const patch = patchOf(found)
  if (dialect === undefined || patch === undefined) return []
  return [
    {
      id,
      dialect,
      patch: dialect === 'unified_diff' && edit?.file ? renamed(patch, edit.file) : patch,
      files: filesOf(before),
      isRefused: expect.error,
      ...(after && { after: filesOf(after) }),
      ...(expect.hunks && { sections: expect.hunks }),
      ...(expect.policy !== undefined && { policy: expect.policy }),
    },
  ]
}

function patchOf({ edit, ...found }: PeerCase): string | undefined {
  if (found['patch.txt'] !== undefined) return found['patch.txt']
  const path = edit?.file ?? ''
  if (edit?.chunks) return chunksText(path, edit.chunks)
  const [parsed] = [edit?.patch].flat()
  return edit?.dialect === 'unified_diff_parsed' && typeof parsed === 'object'
    ? parsedText(path, parsed as ParsedPatch)
    : undefined
}

function filesOf(files: CorpusFiles): Readonly<Record<string, FileSpec>> {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => [
      path,
      typeof file === 'string' ? file : [...Buffer.from(file.base64, 'base64')],
    ]),
  )
}

/** That peer is told the file beside the patch, whatever name stands in it. */
function renamed(patch: string, file: string): string {
  return patch.replace(/^(---|\+\+\+) [^\t\r\n]*/gm, `$1 ${file}`)
}

interface Chunk {
  readonly changeContext: string | null
  readonly oldLines: readonly string[]
  readonly newLines: readonly string[]
  readonly isEndOfFile: boolean
}

/** Chunks as the text that they were read from: what both sides begin and end with is context. */
function chunksText(path: string, chunks: readonly Chunk[]): string {
  const hunks = chunks.flatMap(({ changeContext, oldLines: old, newLines: young, isEndOfFile }) => {
    let head = 0
    while (head < Math.min(old.length, young.length) && old[head] === young[head]) head += 1
    const shorter = Math.min(old.length, young.length) - head
    let tail = 0
    while (tail < shorter && old.at(-1 - tail) === young.at(-1 - tail)) tail += 1
    const context = (line: string): string => (line === '' ? '' : ` ${line}`)
    return [
      changeContext === null ? '@@' : `@@ ${changeContext}`,
      ...old.slice(0, head).map(context),
      ...old.slice(head, old.length - tail).map(line => `-${line}`),
      ...young.slice(head, young.length - tail).map(line => `+${line}`),
      ...old.slice(old.length - tail).map(context),
      ...(isEndOfFile ? ['*** End of File'] : []),
    ]
  })
  return ['*** Begin Patch', `*** Update File: ${path}`, ...hunks, '*** End Patch', ''].join('\n')
}

interface ParsedPatch {
  readonly hunks: readonly {
    readonly oldStart: number
    readonly oldLines: number
    readonly newStart: number
    readonly newLines: number
    readonly lines: readonly string[]
  }[]
}

/** That peer counts one more than the text where a side has no line. */
function parsedText(path: string, { hunks }: ParsedPatch): string {
  const side = (start: number, lines: number): string => `${start - (lines === 0 ? 1 : 0)},${lines}`
  return [
    `--- ${path}`,
    `+++ ${path}`,
    ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${side(oldStart, oldLines)} +${side(newStart, newLines)} @@`,
      ...lines,
    ]),
    '',
  ].join('\n')
}

interface FailureCase {
  readonly id: string
  readonly dialect: string
  readonly before?: string
  readonly before_b64?: string
  readonly edit: string
  readonly need: string
  readonly expect: FailureExpect
  readonly also_acceptable?: readonly FailureExpect[]
}

interface FailureExpect {
  readonly after?: string
  readonly after_b64?: string
  readonly refuse?: string
}

function failureCase(found: FailureCase): readonly PatchCase[] {
  const { id, edit: patch, expect, also_acceptable: also = [] } = found
  const isKnown = found.dialect === 'v4a' || found.dialect === 'unified_diff'
  if (!isKnown) return []
  const text = ({ after, after_b64: base64 }: FailureExpect): string | null =>
    after ?? (base64 === undefined ? null : Buffer.from(base64, 'base64').toString('utf8'))
  const before = found.before ?? Buffer.from(found.before_b64 ?? '', 'base64').toString('utf8')
  const after = text(expect)
  return [
    {
      id,
      dialect: found.dialect === 'v4a' ? 'apply_patch' : 'unified_diff',
      patch,
      files: { 'f.txt': before },
      isRefused: after === null,
      ...(after !== null && { after: { 'f.txt': after } }),
      acceptable: also.map(text),
    },
  ]
}
