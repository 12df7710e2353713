import { expect, test } from 'vitest'
import type { AnchorScheme } from '#src/core/anchor-scheme.js'
import { readCases, readCorpus } from '../../support/corpora.js'
import { refusal } from '../sandbox.js'
import { editHashline, type HashlineEdit } from './hashline-sandbox.js'

/** A case of the peer that has this format, of which `conformance.test.ts` looks at the outcome. */
interface PeerCase {
  readonly before: Readonly<Record<string, string>>
  readonly edit: {
    readonly file: string
    readonly scheme: AnchorScheme
    readonly edits: readonly HashlineEdit[]
  }
  readonly expect: { readonly shifted_anchor?: string | null }
}

test('where the peer tells a fresh anchor we tell the same one', async context => {
  const all = readCases<PeerCase>(readCorpus('edit/peers/grok-hashline.jsonl'))
  const cases = all.filter(one => typeof one.expect.shifted_anchor === 'string')
  if (cases.length === 0) return context.skip()
  const told = await Promise.all(
    cases.map(({ before, edit: { file, scheme, edits } }) => {
      const bytes = new TextEncoder().encode(before[file])
      return refusal(() => editHashline(bytes, { path: 'f', edits }, scheme))
    }),
  )
  console.log(`fresh anchors: ${cases.length}`)
  expect(told.map(({ shifted_to }) => shifted_to)).toEqual(
    cases.map(one => one.expect.shifted_anchor),
  )
})
