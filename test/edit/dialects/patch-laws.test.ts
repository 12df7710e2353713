import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { type Random, seededRandom } from '../../support/random.js'
import { applyText, patchedBytes } from './patched.js'

/** What git prints for each of many changes of a file f; nothing for those that change nothing. */
async function gitDiffs(
  changes: readonly Change[],
  flags: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const place = await mkdtemp(join(tmpdir(), 'diff-'))
  for (const side of ['a', 'b']) await mkdir(join(place, side))
  for (const [index, { before, after }] of changes.entries()) {
    await writeFile(join(place, 'a', `f${index}`), before)
    await writeFile(join(place, 'b', `f${index}`), after)
  }
  const args = ['diff', '--no-index', '--no-prefix', '--no-color', '--text', ...flags, 'a', 'b']
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const printed = await new Promise<string>((done, fail) => {
    execFile('git', args, { cwd: place, env, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      // Status 1 says that they differ.
      if (error !== null && error.code !== 1) fail(new Error(stderr))
      else done(stdout)
    })
  })
  await rm(place, { recursive: true })
  const diffs = new Map(
    printed.split(/^(?=diff --git )/m).map(diff => [/^diff --git a\/(f\d+)/.exec(diff)?.[1], diff]),
  )
  return changes.map((_, index) => {
    const diff = diffs.get(`f${index}`)
    return diff
      ?.replace(/^diff --git .*/, 'diff --git a/f b/f')
      .replace(/^--- .*\n\+\+\+ .*/m, '--- a/f\n+++ b/f')
  })
}

interface Change {
  readonly before: string
  readonly after: string
}

/** A text of few different lines, so that they repeat, and the same text changed here and there. */
function someChange(random: Random, endings: readonly string[]): Change {
  const words = Array.from({ length: random.int(2, 12) }, () =>
    random.text(random.int(0, 9)).replaceAll(/[\r\n]/g, ''),
  )
  const line = (): string => random.pick(words) + random.pick(endings)
  const old = Array.from({ length: random.int(0, 40) }, line)
  const young = old.flatMap(kept => {
    const roll = random.int(0, 12)
    if (roll === 0) return []
    if (roll === 1) return [line()]
    return roll === 2 ? [kept, line(), line()] : [kept]
  })
  const text = (lines: readonly string[]): string =>
    (random.int(0, 4) === 0 ? [...lines, random.pick(words)] : lines).join('')
  return { before: text(old), after: text(young) }
}

test.each([0, 1, 3])(
  'what git prints with %i lines of context leads to the new bytes',
  async context => {
    const random = seededRandom(2_000 + context)
    const changes = Array.from({ length: 300 }, (): Change => {
      const endings = random.pick([['\n'], ['\r\n'], ['\n', '\r\n'], ['\n', '\n', '\r\r\n']])
      const mark = random.int(0, 6) === 0 ? '\ufeff' : ''
      const { before, after } = someChange(random, endings)
      return { before: mark + before, after: mark + after }
    })
    const diffs = await gitDiffs(changes, [`-U${context}`, '--full-index'])
    let changed = 0
    for (const [index, patch] of diffs.entries()) {
      const { before = '', after = '' } = changes[index] ?? {}
      if (patch === undefined) continue
      changed += 1
      const files = await patchedBytes({ f: before }, patch, { dialect: 'unified_diff' })
      expect({ index, text: files.get('f')?.toString() }).toEqual({ index, text: after })
    }
    console.info(`git diff -U${context}: ${changed} of 300 changes, each led to the new bytes`)
    expect(changed).toBeGreaterThan(250)
  },
)

test('the same change as a patch of the other dialect leads there too', async () => {
  const random = seededRandom(97)
  const changes = Array.from({ length: 300 }, (): Change => {
    const { before, after } = someChange(random, ['\n'])
    const end = random.pick(['', '\n'])
    return { before: before.replace(/\n*$/, end), after: after.replace(/\n*$/, end) }
  })
  let changed = 0
  for (const [index, diff] of (await gitDiffs(changes, ['-U9999'])).entries()) {
    const { before = '', after = '' } = changes[index] ?? {}
    if (diff === undefined || before.trim() === '' || after.trim() === '') continue
    changed += 1
    const body = diff
      .split('\n')
      .slice(diff.split('\n').findIndex(line => line.startsWith('@@')) + 1)
    const lines = body.filter(line => line !== '' && !line.startsWith('\\'))
    const patch = ['*** Begin Patch', '*** Update File: f', '@@', ...lines, '*** End Patch'].join(
      '\n',
    )
    const carriage = (text: string): string =>
      index % 2 === 0 || !before.includes('\n') ? text : text.replaceAll('\n', '\r\n')
    const files = await patchedBytes({ f: carriage(before) }, patch, { dialect: 'apply_patch' })
    expect({ index, text: files.get('f')?.toString() }).toEqual({ index, text: carriage(after) })
  }
  console.info(`V4A of whole files: ${changed} of 300 changes, each led to the new bytes`)
  expect(changed).toBeGreaterThan(200)
})

const scraps = [
  '*** Begin Patch',
  '*** End Patch',
  '*** Update File: f',
  '*** Add File: n',
  '*** Delete File: f',
  '*** Move to: m',
  '*** End of File',
  '@@',
  '@@ a',
  '@@ -1,2 +1,2 @@',
  '@@ -2 +2 @@',
  '@@ -9999999999 +1 @@',
  '@@ -0,0 +1 @@',
  'diff --git a/f b/f',
  'diff --git a/',
  'index 1111111..2222222 100644',
  'new file mode 100644',
  'deleted file mode 100644',
  'rename from f',
  'rename to g',
  '--- a/f',
  '+++ b/f',
  '--- /dev/null',
  '+++ /dev/null',
  '\\ No newline at end of file',
  '-- ',
  ' a',
  '-a',
  '+b',
  ' b',
  '-b',
  '',
  '\t',
  '```',
  '"',
  '--- "a/\\',
  '+++ "\\777"',
]

test('garbage is refused or done, and nothing else', async () => {
  const random = seededRandom(4)
  const results = { refused: 0, done: 0 }
  for (let round = 0; round < 2_000; round += 1) {
    const dialect = random.pick(['apply_patch', 'unified_diff'] as const)
    const lines = Array.from({ length: random.int(0, 8) }, () =>
      random.int(0, 20) === 0 ? random.text(random.int(0, 8)) : random.pick(scraps),
    )
    const frame =
      dialect === 'apply_patch' ? ['*** Begin Patch', '*** Update File: f'] : ['--- a/f', '+++ b/f']
    const body = random.int(0, 3) === 0 ? lines : [...frame, ...lines]
    const patch = [...body, ...(dialect === 'apply_patch' ? ['*** End Patch'] : [])].join('\n')
    try {
      await applyText({ f: random.pick(['a\nb\na\n', '', 'a', 'a\r\nb\n']) }, patch, { dialect })
      results.done += 1
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      results.refused += 1
    }
  }
  console.info(`garbage: ${results.refused} refused, ${results.done} done, of 2000`)
  expect(results.done).toBeGreaterThan(5)
}, 120_000)
