import { expect } from 'vitest'
import { create, type TestWorktree } from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'
import { makeStored, type Stored } from '../../support/stored-blob.js'
import { edits, type Situation } from './situation.js'

const edited = (stored: Stored): Pick<Situation, 'make' | 'ask' | 'expected'> => ({
  make: () => makeStored(stored),
  ask: worktree => worktree.replace('a.txt', 'two', 'TWO'),
  expected: { 'a.txt': Buffer.from(stored.blob.replace('two', 'TWO'), 'latin1') },
})

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`

const lfs = (): Promise<TestRepository> =>
  makeRepository({ '.gitattributes': '*.bin filter=lfs -text\n', 'a.txt': 'a\n', 'x.bin': pointer })

/** What git makes of a file on its way in and out. */
export const conversions: readonly Situation[] = [
  {
    name: 'CRLF without attributes',
    ...edited({ blob: 'one\r\ntwo\r\n' }),
    outcome: 'handled',
  },
  {
    name: 'eol=crlf',
    ...edited({ attributes: '*.txt eol=crlf\n', blob: 'one\ntwo\n' }),
    outcome: 'falls back',
  },
  {
    name: 'text=auto, a blob with LF',
    ...edited({ attributes: '* text=auto\n', blob: 'one\ntwo\n' }),
    outcome: 'handled',
  },
  {
    name: 'text=auto, a blob with CRLF',
    ...edited({ attributes: '* text=auto\n', blob: 'one\r\ntwo\r\n' }),
    outcome: 'handled',
  },
  {
    name: 'explicit text, a blob with LF',
    ...edited({ attributes: '*.txt text\n', blob: 'one\ntwo\n' }),
    outcome: 'handled',
  },
  {
    name: '-text',
    ...edited({ attributes: '*.txt -text\n', blob: 'one\r\ntwo\n' }),
    outcome: 'handled',
  },
  {
    name: 'core.autocrlf=true',
    ...edited({ config: { 'core.autocrlf': 'true' }, blob: 'one\ntwo\n' }),
    outcome: 'falls back',
  },
  {
    name: 'working-tree-encoding',
    ...edited({
      attributes: '*.txt text working-tree-encoding=UTF-16LE-BOM\n',
      blob: 'one\ntwo\u00c3\u00a9\n',
    }),
    outcome: 'falls back',
  },
  {
    name: 'ident',
    ...edited({ attributes: '*.txt ident\n', blob: '$Id$\ntwo\n' }),
    outcome: 'falls back',
  },
  {
    name: 'a byte order mark and stray bytes',
    ...edited({ blob: '\u00ef\u00bb\u00bfone\ntwo \u00ff\n' }),
    outcome: 'handled',
  },
  {
    name: 'an LFS pointer as a target',
    make: lfs,
    ask: async worktree =>
      worktree.apply([
        { op: 'append_lines', path: 'x.bin', text: 'x', expected_rev: await worktree.rev('x.bin') },
      ]),
    outcome: 'refused FILTERED',
  },
  {
    name: 'an LFS pointer, read, and a file beside it',
    make: lfs,
    ask: async worktree => {
      expect(await worktree.text('x.bin')).toBe(pointer)
      await worktree.replace('a.txt', 'a', 'A')
    },
    outcome: 'handled',
  },
  {
    name: 'a filter of the repository, with trust',
    make: () =>
      makeRepository(
        { '.gitattributes': '*.up filter=up\n', 'a.txt': 'a\n' },
        { config: { 'filter.up.clean': 'tr A-Z a-z', 'filter.up.smudge': 'tr a-z A-Z' } },
      ),
    gateway: { trustConfig: true },
    ask: async (worktree: TestWorktree) => {
      await worktree.apply([create('x.up', 'low\n')])
      expect(await worktree.text('x.up')).toBe('low\n')
    },
    expected: { 'x.up': 'low\n' },
    outcome: 'falls back',
  },
  {
    name: '.gitattributes made in the same batch',
    ask: edits(create('.gitattributes', '*.crlf eol=crlf\n'), create('n.crlf', 'n\n')),
    gateway: { allowProtected: ['**'] },
    expected: { '.gitattributes': '*.crlf eol=crlf\n', 'n.crlf': 'n\n' },
    outcome: 'falls back',
  },
]
