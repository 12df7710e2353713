import { expect, test } from 'vitest'
import { changedBy, resolveSaid } from './dialects/said.js'
import { changed, refusal, revOf, run } from './sandbox.js'
import { sayings } from './say-edit.js'

const file = 'one()\ntwo()\nthree()\n'
const slip = '// ... existing code ...'

test.each([
  ['replace', { op: 'replace_text', find: 'two()', replace: slip }],
  ['text', { op: 'replace_lines', start_line: 2, end_line: 2, text: slip }],
  ['text', { op: 'insert_lines', line: 2, text: slip }],
  ['text', { op: 'append_lines', text: slip }],
  ['text', { op: 'replace_lines_containing', contains: 'two', text: slip }],
  ['text', { op: 'write_file', text: `one()\n${slip}\n` }],
])('a slip in %s of %j is refused, unless it is meant', async (field, edit) => {
  const edits = (more: object) => [{ path: 'f', ...edit, ...more }]
  const line = edit.op === 'write_file' ? 2 : 1
  expect(await refusal(() => run({ f: file }, edits({})))).toEqual({
    code: 'SUSPECT_TEXT',
    index: 0,
    op: edit.op,
    path: 'f',
    rev: revOf(file),
    field,
    kind: 'placeholder',
    line,
    text: slip,
  })
  const { f } = await changed({ f: file }, edits({ literal: true }))
  expect(f).toContain(slip)
})

test('a line sent with its number is refused where it goes', async () => {
  const edit = { path: 'f', op: 'insert_lines', line: 3, text: '3\tmore()' }
  expect((await refusal(() => run({ f: file }, [edit]))).kind).toBe('line_numbers')
  expect(await changed({ f: file }, [{ ...edit, line: 1 }])).toEqual({ f: `3\tmore()\n${file}` })
})

test('a new file may hold what it likes', async () => {
  const edit = { path: 'g', expected_rev: null, op: 'write_file', text: `${slip}\n` }
  expect(await changed({}, [edit])).toEqual({ g: `${slip}\n` })
})

test.each(Object.entries(sayings))(
  'a slip said in %s is refused, unless it is meant',
  async (_, say) => {
    const batch = say({ path: 'f', rev: revOf(file), start: 1, wanted: ['two()'], young: [slip] })
    expect(await refusal(() => resolveSaid({ f: file }, batch))).toMatchObject({
      code: 'SUSPECT_TEXT',
      path: 'f',
      kind: 'placeholder',
      line: 1,
      text: slip,
    })
    const literal = await changedBy({ f: file }, { ...batch, literal: true })
    expect(literal).toEqual({ f: file.replace('two()', slip) })
  },
)

test('new lines of a patch that were copied with their numbers are refused', async () => {
  const patch = '*** Begin Patch\n*** Update File: f\n-two()\n+2\ttoo()\n*** End Patch\n'
  expect(
    await refusal(() => resolveSaid({ f: file }, { dialect: 'apply_patch', patch })),
  ).toMatchObject({ code: 'SUSPECT_TEXT', kind: 'line_numbers', hunk: 1, patch_line: 3 })
})
