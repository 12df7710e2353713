import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { defaultLimits } from '#src/core/limits.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import { resolve } from '#src/edit/resolve.js'
import { seededRandom } from '../support/random.js'
import { type EditJson, path, refusal, revOf, run, treeOf } from './sandbox.js'

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

test('every independent failure is listed, and what depends on one is not', async () => {
  const files = { a: '1\n', b: '2\n', c: '3\n' }
  const edits: EditJson[] = [
    { op: 'delete_text', path: 'a', find: 'x' },
    { op: 'delete_text', path: 'a', find: '1' },
    { op: 'move_file', path: 'c', to: 'a' },
    { op: 'delete_lines', path: 'b', start_line: 2, end_line: 2 },
    { op: 'delete_text', path: 'c', find: 'x' },
  ]
  expect(await refusal(() => run(files, edits))).toEqual({
    code: 'ZERO_MATCHES',
    index: 0,
    op: 'delete_text',
    path: 'a',
    rev: revOf('1\n'),
    candidates: [],
    already_present: false,
    failures: [
      {
        index: 0,
        op: 'delete_text',
        path: 'a',
        rev: revOf('1\n'),
        code: 'ZERO_MATCHES',
        candidates: [],
        already_present: false,
      },
      {
        index: 3,
        op: 'delete_lines',
        path: 'b',
        rev: revOf('2\n'),
        code: 'OUT_OF_RANGE',
        start_line: 2,
        end_line: 2,
        total_lines: 1,
      },
    ],
  })
})

test('a path conflict is listed beside other failures', async () => {
  const edits: EditJson[] = [
    { op: 'write_file', path: 'a/b', text: '', expected_rev: null },
    { op: 'delete_text', path: 'b', find: 'x' },
  ]
  const { failures } = await refusal(() => run({ a: '1', b: '2' }, edits))
  expect(failures).toMatchObject([
    { index: 0, code: 'PATH_EXISTS' },
    { index: 1, code: 'ZERO_MATCHES' },
  ])
})

test('changes are sorted by path', async () => {
  const edits = ['c', 'a', 'b'].map(name => ({
    op: 'write_file',
    path: name,
    text: '',
    expected_rev: null,
  }))
  expect((await run({}, edits)).changes.map(change => change.path)).toEqual(['a', 'b', 'c'])
})

test('ops say the lines they found and left', async () => {
  const edits: EditJson[] = [
    { op: 'insert_lines', path: 'f', line: 1, text: 'top' },
    { op: 'replace_text', path: 'f', find: 'line 3', replace: 'x\ny' },
    { op: 'delete_lines', path: 'f', start_line: 5, end_line: 6 },
    { op: 'append_lines', path: 'f', text: 'end' },
    { op: 'write_file', path: 'g', text: '1\n2\n', expected_rev: null },
  ]
  const { ops } = await run({ f: numbered(6) }, edits)
  expect(ops.map(({ lines, new_lines }) => [lines, new_lines])).toEqual([
    [[{ start: 1, end: 0 }], [{ start: 1, end: 1 }]],
    [[{ start: 3, end: 3 }], [{ start: 4, end: 5 }]],
    [[{ start: 5, end: 6 }], [{ start: 7, end: 6 }]],
    [[{ start: 7, end: 6 }], [{ start: 7, end: 7 }]],
    [undefined, [{ start: 1, end: 2 }]],
  ])
})

test('a long list of ranges is cut', async () => {
  const edit = { op: 'replace_text', path: 'f', find: 'x', replace: 'y', all: true }
  const { ops } = await run({ f: 'x\n\n'.repeat(200) }, [edit])
  expect([ops[0]?.lines?.length, ops[0]?.lines?.at(-1)]).toEqual([64, { start: 127, end: 399 }])
})

test.each<[string, number, EditJson, number]>([
  ['lines', 201, { op: 'replace_lines', path: 'f', start_line: 1, end_line: 180, text: 'x' }, 1],
  [
    'fewer lines',
    201,
    { op: 'replace_lines', path: 'f', start_line: 1, end_line: 150, text: 'x' },
    0,
  ],
  [
    'a short file',
    200,
    { op: 'replace_lines', path: 'f', start_line: 1, end_line: 200, text: 'x' },
    0,
  ],
  ['a written file', 201, { op: 'write_file', path: 'f', text: 'x\n' }, 1],
  [
    'a written file that is mostly the same',
    201,
    { op: 'write_file', path: 'f', text: `${numbered(201)}x\n` },
    0,
  ],
])('a near rewrite of %s is warned of', async (_, count, edit, warnings) => {
  const resolution = await run({ f: numbered(count) }, [edit])
  const warning = { code: 'near_rewrite', path: 'f', op: 0 }
  expect(resolution.warnings).toEqual(Array(warnings).fill(warning))
})

test.each([
  ['AGENTS.md', [], true],
  ['AGENTS.md', ['agents.md'], false],
  ['src/a.ts', [], false],
])('%s with %j allowed is protected: %s', async (name, allowProtected, isRefused) => {
  const edits = [{ op: 'write_file', path: name, text: '', expected_rev: null }]
  const attempt = run({}, edits, { allowProtected })
  if (isRefused) await expect(attempt).rejects.toMatchObject({ code: 'PROTECTED_PATH' })
  else expect((await attempt).changes.length).toBe(1)
})

test('the target of a move is protected too', async () => {
  const edits = [{ op: 'move_file', path: 'a', to: '.env' }]
  expect(await refusal(() => run({ a: '' }, edits))).toMatchObject({
    code: 'PROTECTED_PATH',
    path: '.env',
  })
})

test('a batch with an expected head needs its tree', async () => {
  const batch = parseBatch(
    batchSchema.parse({
      edits: [{ op: 'delete_file', path: 'a' }],
      expected_head: 'a'.repeat(40),
    }),
    defaultLimits,
  )
  const options = { limits: defaultLimits, allowProtected: [] }
  await expect(resolve(batch, treeOf({}), options)).rejects.toThrow(TypeError)
})

test('any batch is resolved or refused, and the tree is as before', async () => {
  const random = seededRandom(11)
  let refused = 0
  for (let round = 0; round < 400; round += 1) {
    const files = { a: random.text(20), b: random.text(20), 'd/c': random.text(20) }
    const tree = treeOf(files)
    const edits = Array.from({ length: random.int(1, 6) }, () => randomEdit(random))
    try {
      const { changes } = await run(files, edits, { tree })
      for (const change of changes) expect(change.after ?? change.before).toBeDefined()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused += 1
    }
    for (const [name, text] of Object.entries(files)) {
      expect((await tree.read(path(name)))?.oid).toBe(revOf(text))
      expect([...((await tree.read(path(name)))?.bytes ?? [])]).toEqual([
        ...new TextEncoder().encode(text),
      ])
    }
  }
  expect(refused).toBeGreaterThan(50)
  expect(refused).toBeLessThan(390)
})

function randomEdit(random: ReturnType<typeof seededRandom>): EditJson {
  const name = random.pick(['a', 'b', 'd/c'])
  const line = random.int(1, 3)
  const text = random.text(3)
  return random.pick<EditJson>([
    { op: 'replace_text', path: name, find: random.text(1), replace: text, all: true },
    { op: 'insert_lines', path: name, line, text: `${text}x` },
    { op: 'replace_lines', path: name, start_line: line, end_line: line, text },
    { op: 'append_lines', path: name, text: `${text}x` },
    { op: 'write_file', path: name, text },
    { op: 'move_file', path: name, to: random.pick(['a', 'b', 'd', 'e']) },
    { op: 'delete_file', path: name },
  ])
}
