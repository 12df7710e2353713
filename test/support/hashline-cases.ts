import type { AnchorScheme } from '#src/core/anchor-scheme.js'
import { anchorAt, anchorRules } from '#src/formats/text/anchors.js'
import { openText } from '#src/formats/text/text-file.js'
import { readCases, readCorpus } from './corpora.js'

/** One edit of a hashline case, with what must come of it. */
export interface HashlineCase {
  readonly id: string
  readonly scheme: AnchorScheme
  readonly file: string
  readonly before: Uint8Array
  readonly edits: readonly Readonly<Record<string, unknown>>[]
  /** Outcomes that are right; undefined stands for a refusal. */
  readonly right: readonly (Uint8Array | undefined)[]
  /** The fresh anchor that the peer tells. */
  readonly shifted?: string
  /** Where there is no right and wrong: what that peer does. */
  readonly policy?: string
}

type Content = string | { readonly base64: string }

interface PeerCase {
  readonly id: string
  readonly before: Readonly<Record<string, Content>>
  readonly after?: Readonly<Record<string, Content>>
  readonly edit: {
    readonly file: string
    readonly scheme: AnchorScheme
    readonly edits: HashlineCase['edits']
  }
  readonly expect: {
    readonly error: boolean
    readonly policy?: string
    readonly shifted_anchor?: string | null
  }
}

interface FailureCase {
  readonly id: string
  readonly dialect: string
  readonly before?: string
  readonly before_b64?: string
  readonly edit: {
    readonly read?: string
    readonly scheme: AnchorScheme
    readonly ops: readonly { readonly anchor_of_line: number; readonly [key: string]: unknown }[]
  }
  readonly expect: Outcome
  readonly also_acceptable?: readonly Outcome[]
}

interface Outcome {
  readonly refuse?: string
  readonly after?: string
  readonly after_b64?: string
}

/** The cases of the peer that has this format; none where the test data is not there. */
export function peerCases(): readonly HashlineCase[] {
  const cases = readCases<PeerCase>(readCorpus('edit/peers/grok-hashline.jsonl'))
  return cases.map(({ id, before, after, edit, expect }) => ({
    id: id.split('/').at(-1) ?? id,
    scheme: edit.scheme,
    file: edit.file,
    before: bytesOf(before[edit.file] ?? ''),
    edits: edit.edits,
    right: [expect.error ? undefined : bytesOf(after?.[edit.file] ?? '')],
    ...(typeof expect.shifted_anchor === 'string' && { shifted: expect.shifted_anchor }),
    ...(expect.policy !== undefined && { policy: expect.policy }),
  }))
}

/** The edits with anchors among those that users reported as going wrong. */
export function failureCases(): readonly HashlineCase[] {
  const cases = readCases<FailureCase>(readCorpus('edit/failures.jsonl'))
  return cases
    .filter(({ dialect }) => dialect === 'hashline')
    .map(({ id, before, before_b64, edit, expect, also_acceptable: also = [] }) => {
      const bytes = before_b64 === undefined ? bytesOf(before ?? '') : fromBase64(before_b64)
      const read = edit.read === undefined ? bytes : bytesOf(edit.read)
      return {
        id,
        scheme: edit.scheme,
        file: 'f.txt',
        before: bytes,
        edits: edit.ops.map(({ anchor_of_line: line, ...op }) => ({
          ...op,
          anchor: anchorOf(read, line, edit.scheme),
        })),
        right: [expect, ...also].map(outcomeOf),
      }
    })
}

/** The anchor that a read shows for a line. */
export function anchorOf(bytes: Uint8Array, line: number, scheme: AnchorScheme): string {
  const file = openText(bytes)
  if (file === undefined) throw new Error('no text')
  return anchorAt(file, line, anchorRules[scheme])
}

function outcomeOf({ after, after_b64 }: Outcome): Uint8Array | undefined {
  if (after_b64 !== undefined) return fromBase64(after_b64)
  return after === undefined ? undefined : bytesOf(after)
}

function bytesOf(content: Content): Uint8Array {
  return typeof content === 'string'
    ? new TextEncoder().encode(content)
    : fromBase64(content.base64)
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
