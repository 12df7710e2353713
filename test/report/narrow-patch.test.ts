import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { patchInDetail } from '#src/report/narrow-patch.js'
import { seededRandom } from '../support/random.js'

const place = mkdtempSync(join(tmpdir(), 'narrow-'))
afterAll(() => rmSync(place, { recursive: true }))

const head = 'diff --git a/f b/f\nindex aaaaaaa..bbbbbbb 100644\n--- a/f\n+++ b/f\n'

test.each<[string, string, string, string]>([
  [
    'context is taken away at both ends',
    `${head}@@ -1,4 +1,4 @@ function f\n a\n b\n-c\n+C\n d\n`,
    '@@ -3 +3 @@\n-c\n+C\n',
    '@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n',
  ],
  [
    'changes far apart are hunks of their own',
    `${head}@@ -1,6 +1,5 @@\n-a\n b\n c\n d\n-e\n+E\n f\n`,
    '@@ -1 +0,0 @@\n-a\n@@ -5 +4 @@\n-e\n+E\n',
    '@@ -1,2 +1 @@\n-a\n b\n@@ -4,3 +3,3 @@\n d\n-e\n+E\n f\n',
  ],
  [
    'a last line without an end',
    `${head}@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n`,
    '@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n',
    '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n',
  ],
  [
    'lines that look like headers',
    `${head}@@ -1,3 +1,3 @@\n \n--- a/x\n+@@ -1 +1 @@\n ++ b\n`,
    '@@ -2 +2 @@\n--- a/x\n+@@ -1 +1 @@\n',
    '@@ -1,3 +1,3 @@\n \n--- a/x\n+@@ -1 +1 @@\n ++ b\n',
  ],
  [
    'a mode alone',
    'diff --git a/f b/f\nold mode 100644\nnew mode 100755\n',
    'old mode 100644\nnew mode 100755\n',
    'old mode 100644\nnew mode 100755\n',
  ],
  [
    'what is no text',
    'diff --git a/f b/f\nindex a..b\nBinary files a/f and b/f differ\n',
    'Binary files a/f and b/f differ\n',
    'Binary files a/f and b/f differ\n',
  ],
])('%s', (_, patch, u0, u1) => {
  expect(patchInDetail(patch, 'u0')).toBe(u0)
  expect(patchInDetail(patch, 'u1')).toBe(u1)
  expect(patchInDetail(patch, 'u3')).toBe(patch)
  expect(patchInDetail(patch, 'ranges')).toBeUndefined()
})

test('narrowed hunks are those that git makes with less context', () => {
  const random = seededRandom(7)
  let compared = 0
  for (let round = 0; round < 40; round += 1) {
    const before = Array.from({ length: random.int(0, 30) }, () => random.pick([...'abc', '']))
    const after = before.flatMap(line => {
      const dice = random.int(0, 8)
      return dice === 0 ? [] : dice === 1 ? [line, 'new'] : dice === 2 ? ['other'] : [line]
    })
    const [old, young] = [before, after].map(lines => lines.join('\n') + random.pick(['', '\n']))
    writeFileSync(join(place, 'old'), old ?? '')
    writeFileSync(join(place, 'young'), young ?? '')
    const wide = gitDiff(3)
    if (wide === '') continue
    compared += 1
    expect(patchInDetail(wide, 'u0')).toBe(hunksOf(gitDiff(0)))
    expect(patchInDetail(wide, 'u1')).toBe(hunksOf(gitDiff(1)))
  }
  expect(compared).toBeGreaterThan(20)
})

/** Git ends with 1 where the files differ. */
function gitDiff(contextLines: number): string {
  const args = ['diff', '--no-index', `-U${contextLines}`, '--inter-hunk-context=0', 'old', 'young']
  try {
    return execFileSync('git', args, { cwd: place, encoding: 'utf8' })
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout)
  }
}

/** Without the lines above, and without the function that git names behind a header. */
function hunksOf(patch: string): string {
  return patch.slice(patch.search(/^@@ /m)).replace(/^(@@ .* @@) .*$/gm, '$1')
}
