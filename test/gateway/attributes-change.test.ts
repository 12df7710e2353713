import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { create, expectClean, openGateway, type TestWorktree } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const rules = 'd/.gitattributes'
const crlf = 'a eol=crlf\n'

const remove = async (worktree: TestWorktree): Promise<EditInput> => ({
  op: 'delete_file',
  path: rules,
  expected_rev: await worktree.rev(rules),
})
const write = async (worktree: TestWorktree, text: string): Promise<EditInput> => ({
  op: 'write_file',
  path: rules,
  expected_rev: await worktree.rev(rules),
  text,
})

/** The rules before, what the batch does to them, and the other file on the disk afterwards. */
const cases: readonly (readonly [
  name: string,
  before: string | undefined,
  edit: (worktree: TestWorktree) => Promise<EditInput>,
  onDisk: string,
])[] = [
  ['go', crlf, remove, 'b\n'],
  ['come', undefined, async () => create(rules, crlf), 'b\r\n'],
  ['change', crlf, worktree => write(worktree, 'a -text\n'), 'b\n'],
]

test.each(cases)(
  'a file is written by the attributes that %s in the same batch',
  async (_, ...given) => {
    const [before, edit, onDisk] = given
    const files = { 'd/a': 'a\n', ...(before !== undefined && { [rules]: before }) }
    const repository = await makeRepository(files)
    const gateway = await openGateway(repository, { allowProtected: ['.gitattributes'] })
    const worktree = await gateway.open('x')
    const rev = await worktree.rev('d/a')
    const change = { op: 'replace_lines', path: 'd/a', expected_rev: rev, text: 'b' } as const
    await worktree.apply([{ ...change, start_line: 1, end_line: 1 }, await edit(worktree)])
    expect(readFileSync(join(worktree.path, 'd/a'), 'latin1')).toBe(onDisk)
    expect(await worktree.rev('d/a')).toBe(await worktree.git('rev-parse', 'HEAD:d/a'))
    await expectClean(worktree)
  },
)
