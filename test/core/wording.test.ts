import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { catalogue } from '#src/core/error-catalogue.js'
import { Refusal, type RefusalCode } from '#src/core/errors.js'
import { nativeWords } from '#src/core/wording.js'
import golden from './golden/refusals.json' with { type: 'json' }

const codes = Object.keys(catalogue) as RefusalCode[]

test('codes, statuses, next actions and the first wording are those that were published', () => {
  const published = Object.fromEntries(
    codes.map(code => {
      const refusal = new Refusal(code)
      const { status, nextAction } = refusal
      const legacy = sha(refusal.inLegacyStyle().message)
      return [code, { status, next_action: nextAction, first_wording_sha256: legacy }]
    }),
  )
  expect(Object.keys(published).length).toBeGreaterThan(0)
  // A code that is published stays as it is; a new one is added to the file.
  expect(published).toEqual(golden)
})

test.each(codes)('%s has no hole left in its sentence, whoever asks', code => {
  expect(new Refusal(code).message).not.toMatch(/[{}]/)
  const words = { read: 'R', list: 'L', create: 'C', write_bytes: 'W', no_file: 'N' }
  expect(new Refusal(code).inWords(words).message).not.toMatch(/[{}]/)
})

test('a refusal speaks in the words of its caller and keeps the rest', () => {
  const refusal = new Refusal('FILE_NOT_FOUND', { path: 'a' }, 410)
  const words = { ...nativeWords, list: 'Call repo_map' }
  expect(refusal.inWords(words).toJSON()).toEqual({
    ...refusal.toJSON(),
    message:
      'There is no file at this path. Call repo_map, or create it with write_file and expected_rev null.',
  })
})

test('legacy sentences do not change with the words', () => {
  expect(new Refusal('FILE_NOT_FOUND').inLegacyStyle().message).toBe(
    'There is no file at this path. List the files, or create it with write_file and expected_rev null.',
  )
})

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
