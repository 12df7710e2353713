import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileMode } from '#src/core/blob.js'
import type { Change } from '#src/core/change.js'
import { parseOid } from '#src/core/oid.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { applyTextEdits, type TextEdit } from '#src/core/text-edit.js'
import { changedRanges, leastPatchBytes, renderPatch } from '#src/report/patch.js'

type Edit = readonly [from: number, to: number, insert: string]

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8')
const zeros = parseOid('0'.repeat(40))

function textEdits(edits: readonly Edit[]): readonly TextEdit[] {
  return edits.map(([from, to, insert]) => ({ from, to, insert: bytes(insert) }))
}

/** A change of `f` by edits in bytes of the old text. */
function changed(before: string, edits: readonly Edit[], path = 'f'): Change {
  const original = { oid: zeros, mode: '100644', bytes: bytes(before) } as const
  const textual = textEdits(edits)
  const after = { mode: '100644', bytes: applyTextEdits(original.bytes, textual) } as const
  return { path: parseRepoPath(path), before: original, after, edits: textual }
}

function hunksOf(change: Change, contextLines: number): string {
  const patch = renderPatch(change, { contextLines })
  return patch.slice(Math.max(0, patch.indexOf('@@')))
}

describe('hunks', () => {
  const nine = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n'
  test.each<[string, string, readonly Edit[], number, string]>([
    ['a changed line', nine, [[8, 9, 'E']], 1, '@@ -4,3 +4,3 @@\n d\n-e\n+E\n f\n'],
    ['no context', nine, [[8, 9, 'E']], 0, '@@ -5 +5 @@\n-e\n+E\n'],
    ['context is cut at both ends', 'a\nb\n', [[0, 1, 'A']], 3, '@@ -1,2 +1,2 @@\n-a\n+A\n b\n'],
    ['an inserted line', nine, [[8, 8, 'x\n']], 0, '@@ -4,0 +5 @@\n+x\n'],
    ['a line at the start', nine, [[0, 0, 'x\n']], 0, '@@ -0,0 +1 @@\n+x\n'],
    ['a line at the end', 'a\n', [[2, 2, 'b\n']], 0, '@@ -1,0 +2 @@\n+b\n'],
    ['a removed line', nine, [[8, 10, '']], 0, '@@ -5 +4,0 @@\n-e\n'],
    ['one of two equal lines is the one removed', 'a\na\n', [[0, 2, '']], 0, '@@ -1 +0,0 @@\n-a\n'],
    ['all is removed', 'a\n', [[0, 2, '']], 3, '@@ -1 +0,0 @@\n-a\n'],
    ['an empty file is filled', '', [[0, 0, 'a\n']], 3, '@@ -0,0 +1 @@\n+a\n'],
    [
      'contexts that touch make one hunk',
      nine,
      [
        [2, 3, 'B'],
        [8, 9, 'E'],
      ],
      1,
      '@@ -1,6 +1,6 @@\n a\n-b\n+B\n c\n d\n-e\n+E\n f\n',
    ],
    [
      'contexts apart make two hunks',
      nine,
      [
        [2, 3, 'B'],
        [10, 11, 'F\nF'],
      ],
      1,
      '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -5,3 +5,4 @@\n e\n-f\n+F\n+F\n g\n',
    ],
    [
      'edits of neighbouring lines make one block',
      nine,
      [
        [2, 4, 'B\n'],
        [4, 5, 'C'],
      ],
      0,
      '@@ -2,2 +2,2 @@\n-b\n-c\n+B\n+C\n',
    ],
    [
      'edits of one line',
      'abc\n',
      [
        [0, 1, 'A'],
        [2, 3, 'C'],
      ],
      0,
      '@@ -1 +1 @@\n-abc\n+AbC\n',
    ],
    ['joined lines', nine, [[1, 2, '']], 0, '@@ -1,2 +1 @@\n-a\n-b\n+ab\n'],
    [
      'equal lines of an edit are left out',
      nine,
      [[0, 6, 'a\nB\nc\n']],
      0,
      '@@ -2 +2 @@\n-b\n+B\n',
    ],
    ['an edit that changes nothing', nine, [[0, 1, 'a']], 3, ''],
    [
      'no final newline before',
      'a',
      [[1, 1, '\n']],
      3,
      '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n',
    ],
    [
      'no final newline after',
      'a\n',
      [[1, 2, '']],
      3,
      '@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n',
    ],
    [
      'no final newline in the context',
      'a\nb',
      [[0, 1, 'A']],
      3,
      '@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n',
    ],
    [
      'two edits at the end of the file',
      'a\nb\n',
      [
        [2, 4, 'X'],
        [4, 4, 'Y\n'],
      ],
      0,
      '@@ -2 +2 @@\n-b\n+XY\n',
    ],
    ['CRLF is kept', 'a\r\nb\r\n', [[3, 4, 'B']], 1, '@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n'],
    [
      'a byte order mark is kept',
      '\ufeffa\n',
      [[3, 4, 'b']],
      0,
      '@@ -1 +1 @@\n-\ufeffa\n+\ufeffb\n',
    ],
  ])('%s', (_, before, edits, contextLines, expected) =>
    expect(hunksOf(changed(before, edits), contextLines)).toBe(expected),
  )

  test('bytes that are not UTF-8 show as U+FFFD', () => {
    const before = {
      oid: zeros,
      mode: '100644',
      bytes: Uint8Array.of(0xe4, 0x0a, 0x62, 0x0a),
    } as const
    const edits = [{ from: 2, to: 3, insert: bytes('B') }]
    const after = { mode: '100644', bytes: applyTextEdits(before.bytes, edits) } as const
    const change = { path: parseRepoPath('f'), before, after, edits }
    expect(hunksOf(change, 1)).toBe('@@ -1,2 +1,2 @@\n \ufffd\n-b\n+B\n')
  })
})

describe('changedRanges', () => {
  test.each<[string, Change, readonly (readonly [number, number])[]]>([
    ['a changed line', changed('a\nb\n', [[2, 3, 'B']]), [[2, 2]]],
    [
      'lines that grew',
      changed('a\nb\nc\n', [
        [0, 1, 'A\nA'],
        [4, 5, 'C'],
      ]),
      [
        [1, 2],
        [4, 4],
      ],
    ],
    ['a removed line', changed('a\nb\nc\n', [[2, 4, '']]), [[2, 1]]],
    ['all removed', changed('a\n', [[0, 2, '']]), [[1, 0]]],
    [
      'a created file',
      { path: parseRepoPath('f'), after: { mode: '100644', bytes: bytes('a\nb') } },
      [[1, 2]],
    ],
    [
      'an empty created file',
      { path: parseRepoPath('f'), after: { mode: '100644', bytes: bytes('') } },
      [],
    ],
    [
      'a deleted file',
      { path: parseRepoPath('f'), before: { oid: zeros, mode: '100644', bytes: bytes('a') } },
      [],
    ],
    [
      'a binary file',
      { path: parseRepoPath('f'), after: { mode: '100644', bytes: bytes('a\0') } },
      [],
    ],
  ])('%s', (_, change, expected) =>
    expect(changedRanges(change).map(({ start, end }) => [start, end])).toEqual(expected),
  )
})

describe('changedRanges counts the lines that a reader is shown', () => {
  function utf16(text: string, order: 'le' | 'be'): Uint8Array {
    const little = Buffer.from(`\ufeff${text}`, 'utf16le')
    return order === 'le' ? little : little.swap16()
  }

  // U+0A0A and U+010A hold the byte of a line feed and end no line.
  test.each<[string, (text: string) => Uint8Array]>([
    ['UTF-16, little endian', text => utf16(text, 'le')],
    ['UTF-16, big endian', text => utf16(text, 'be')],
    ['UTF-8', bytes],
    ['lone CR', text => bytes(text.replaceAll('\n', '\r'))],
  ])('%s', (_, encode) => {
    const lines = ['\u0a0a', '\u010a', 'c', 'd', 'e']
    const offsets = lines.map(
      (_line, index) => encode(`${lines.slice(0, index).join('\n')}\n`).length,
    )
    const insert = encode('X\nY').subarray(encode('').length)
    const edits = [2, 4].map(line => {
      const from = offsets[line] ?? 0
      return { from, to: from + encode('c').length - encode('').length, insert }
    })
    const before = { oid: zeros, mode: '100644', bytes: encode(lines.join('\n')) } as const
    const after = { mode: '100644', bytes: applyTextEdits(before.bytes, edits) } as const
    expect(changedRanges({ path: parseRepoPath('f'), before, after, edits })).toEqual([
      { start: 3, end: 4 },
      { start: 6, end: 7 },
    ])
  })
})

describe('with git', () => {
  let directory = ''
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: directory,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'a',
        GIT_AUTHOR_EMAIL: 'a@example.org',
        GIT_COMMITTER_NAME: 'a',
        GIT_COMMITTER_EMAIL: 'a@example.org',
      },
    })
  const write = (path: string, content: Uint8Array, mode: FileMode = '100644'): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
    chmodSync(join(directory, path), mode === '100755' ? 0o755 : 0o644)
  }

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'editlatch-patch-'))
    git('init', '-q', '-b', 'main')
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  interface Version {
    readonly path: string
    readonly text: string
    readonly mode?: FileMode
  }

  /** What git prints for the two versions, and the change between them with git's own ids. */
  function commitBoth(before: Version | undefined, after: Version | undefined) {
    git('rm', '-rqf', '--ignore-unmatch', '.')
    if (before) write(before.path, bytes(before.text), before.mode)
    git('add', '-A')
    git('commit', '-qm', 'before', '--allow-empty')
    if (before) rmSync(join(directory, before.path))
    if (after) write(after.path, bytes(after.text), after.mode)
    git('add', '-A')
    const oidOf = (rev: string) => parseOid(git('rev-parse', rev).trim())
    const change = {
      path: parseRepoPath((after ?? before)?.path ?? ''),
      ...(before && after && before.path !== after.path && { from: parseRepoPath(before.path) }),
      ...(before && {
        before: {
          oid: oidOf(`HEAD:${before.path}`),
          mode: before.mode ?? '100644',
          bytes: bytes(before.text),
        },
      }),
      ...(after && { after: { mode: after.mode ?? '100644', bytes: bytes(after.text) } }),
    } as const
    const newOid = after && { newOid: oidOf(`:${after.path}`) }
    return { change, newOid: newOid ?? {} }
  }

  const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n'
  test.each<[string, Version | undefined, Version | undefined]>([
    ['a changed file', { path: 'f', text }, { path: 'f', text: text.replace('five', 'FIVE') }],
    ['a created file', undefined, { path: 'd/f', text }],
    ['a created file without final newline', undefined, { path: 'f', text: 'a' }],
    ['a created executable', undefined, { path: 'f', text, mode: '100755' }],
    ['an empty created file', undefined, { path: 'with space', text: '' }],
    ['a deleted file', { path: 'f', text }, undefined],
    ['an emptied file', { path: 'f', text }, { path: 'f', text: '' }],
    ['a filled file', { path: 'f', text: '' }, { path: 'f', text }],
    ['a changed mode', { path: 'f', text }, { path: 'f', text, mode: '100755' }],
    ['mode and text', { path: 'f', text }, { path: 'f', text: `${text}x`, mode: '100755' }],
    ['a moved file', { path: 'a b', text }, { path: 'd/ä', text }],
    ['a moved file with a new mode', { path: 'a', text }, { path: 'b', text, mode: '100755' }],
    ['a binary file', { path: 'f', text: 'a\0b' }, { path: 'f', text: 'a\0c' }],
    ['a created binary file', undefined, { path: 'f', text: '\0' }],
    ['a deleted binary file', { path: 'ü f', text: '\0' }, undefined],
    ['a name with a space', { path: 'a b', text: 'x\n' }, { path: 'a b', text: 'y\n' }],
    ['a name with quotes', { path: 'a"b', text: 'x\n' }, { path: 'a"b', text: 'y\n' }],
    ['a name beyond ASCII', { path: '日 本', text: 'x\n' }, { path: '日 本', text: 'y\n' }],
  ])('%s is printed as git prints it', (_, before, after) => {
    const { change, newOid } = commitBoth(before, after)
    const printed = git('diff', '--cached', '-M', '--abbrev=7', 'HEAD').replace(
      /^(@@.*@@).*$/gm,
      '$1',
    )
    expect(renderPatch(change, { contextLines: 3, ...newOid })).toBe(printed)
  })

  test('a moved and edited file is a patch that git takes', () => {
    const { change, newOid } = commitBoth({ path: 'a', text }, { path: 'b', text: `${text}x\n` })
    const edits = textEdits([[text.length, text.length, 'x\n']])
    const patch = renderPatch({ ...change, edits }, { contextLines: 3, ...newOid })
    expect(patch).toContain('similarity index 96%\nrename from a\nrename to b\n')
    git('reset', '-q', '--hard')
    git('apply', patchFile(patch))
    expect(readFileSync(join(directory, 'b'), 'utf8')).toBe(`${text}x\n`)
  })

  function patchFile(patch: string): string {
    const file = join(directory, '.git', 'test.patch')
    writeFileSync(file, patch)
    return file
  }

  test.each([0, 1, 3, 10])('random edits with %i lines of context apply', contextLines => {
    const random = seededRandom(contextLines + 1)
    const changes = Array.from({ length: 200 }, (_, index) => randomChange(random, `r/${index}`))
    for (const { path, before } of changes) if (before) write(path, before.bytes)
    const patch = changes.map(change => renderPatch(change, { contextLines })).join('')
    git('apply', '--whitespace=nowarn', '--unidiff-zero', patchFile(patch))
    const results = changes.map(({ path }) => readFileSync(join(directory, path), 'utf8'))
    expect(results).toEqual(changes.map(({ after }) => Buffer.from(after?.bytes ?? []).toString()))
    for (const change of changes) {
      const length = bytes(renderPatch(change, { contextLines })).length
      expect(length).toBeGreaterThanOrEqual(leastPatchBytes(change))
    }
  })

  /** Up to six edits, often touching, of a text of few words and every kind of line end. */
  function randomChange(random: (below: number) => number, path: string): Change {
    const pick = (from: readonly string[]): string => from[random(from.length)] ?? ''
    const words = ['a', 'bb', '', 'a', 'ä', '😀', '\t', '--- x', '\\ No newline', '@@ -1 +1 @@']
    const ends = random(3) === 0 ? ['\r\n', '\n', '\r'] : ['\n']
    const some = (most: number): string =>
      Array.from({ length: random(most) }, () => pick(words) + pick(ends)).join('') +
      (random(2) === 0 ? pick(words) : '')
    const chars = [...some(14)]
    const offsets = [0]
    for (const char of chars) offsets.push((offsets.at(-1) ?? 0) + bytes(char).length)
    const cuts = Array.from({ length: 2 * random(7) }, () => random(offsets.length))
    cuts.sort((one, other) => one - other)
    const edits: Edit[] = []
    for (let at = 0; at < cuts.length; at += 2) {
      edits.push([offsets[cuts[at] ?? 0] ?? 0, offsets[cuts[at + 1] ?? 0] ?? 0, some(3)])
    }
    return changed(chars.join(''), edits, path)
  }
})

/** A small deterministic generator (mulberry32). */
function seededRandom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
