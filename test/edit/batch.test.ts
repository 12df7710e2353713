import { expect, test } from 'vitest'
import { z } from 'zod'
import { defaultLimits } from '#src/core/limits.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import { editSchema } from '#src/edit/ops/parse-edit.js'
import { opTypes } from '#src/edit/ops/registry.js'
import { refusal } from './sandbox.js'

const rev = 'a'.repeat(40)

test('a batch is parsed', () => {
  const input = batchSchema.parse({
    edits: [
      { op: 'move_file', path: 'a', to: 'b/c', expected_rev: rev },
      { op: 'write_file', path: 'd', text: '', expected_rev: 'new' },
    ],
    message: 'Move',
    intent: 'why',
    expected_head: rev,
  })
  expect(parseBatch(input, defaultLimits)).toEqual({
    ops: [
      { op: 'move_file', path: 'a', to: 'b/c', expected_rev: rev },
      { op: 'write_file', path: 'd', text: '', expected_rev: null },
    ],
    message: 'Move',
    intent: 'why',
    expectedHead: rev,
  })
})

test.each([
  ['an absolute path', { path: '/etc/passwd' }, 'BAD_PATH'],
  ['a path that climbs', { path: 'a/../../b' }, 'BAD_PATH'],
  ['git itself', { path: '.GIT/config' }, 'PROTECTED_PATH'],
  ['an abbreviated revision', { expected_rev: 'abc' }, 'INVALID_ARGUMENTS'],
  ['nothing to find', { find: '' }, 'INVALID_ARGUMENTS'],
])('%s is refused', async (_, fields, code) => {
  const edit = { op: 'delete_text', path: 'a', find: 'x', ...fields }
  const input = batchSchema.parse({ edits: [edit] })
  expect(await refusal(() => parseBatch(input, defaultLimits))).toMatchObject({ code, index: 0 })
})

test('a bad target of a move is refused', async () => {
  const input = batchSchema.parse({ edits: [{ op: 'move_file', path: 'a', to: '../b' }] })
  expect(await refusal(() => parseBatch(input, defaultLimits))).toMatchObject({ code: 'BAD_PATH' })
})

test('every edit that does not parse is named', async () => {
  const input = batchSchema.parse({
    edits: [
      { op: 'delete_file', path: '' },
      { op: 'delete_file', path: 'a' },
      { op: 'delete_text', path: 'b', find: '' },
    ],
  })
  const { code, failures } = await refusal(() => parseBatch(input, defaultLimits))
  expect({ code, failures }).toMatchObject({
    code: 'BAD_PATH',
    failures: [
      { index: 0, code: 'BAD_PATH' },
      { index: 2, code: 'INVALID_ARGUMENTS' },
    ],
  })
})

test('a bad head is refused', async () => {
  const input = batchSchema.parse({ edits: [{ op: 'delete_file', path: 'a' }], expected_head: 'x' })
  expect(await refusal(() => parseBatch(input, defaultLimits))).toEqual({
    code: 'INVALID_ARGUMENTS',
    problems: [
      {
        field: 'expected_head',
        problem: 'is not an object id, nor at least the first twelve digits of one',
      },
    ],
  })
})

test('an unknown op is told which there are', () => {
  const { error } = editSchema.safeParse({ op: 'rename', path: 'a' })
  expect(error?.issues[0]?.message).toContain('replace_text, delete_text')
  expect(error?.issues[0]?.path).toEqual(['op'])
})

test('an unknown field is named', () => {
  const { error } = editSchema.safeParse({ op: 'delete_file', path: 'a', force: true })
  expect(error?.issues[0]?.message).toContain('"force"')
})

test('a missing field is named', () => {
  const { error } = editSchema.safeParse({ op: 'delete_text', path: 'a' })
  expect(error?.issues[0]?.path).toEqual(['find'])
})

test('a batch holds at least one edit', async () => {
  expect(await refusal(() => parseBatch({ edits: [] }, defaultLimits))).toMatchObject({
    code: 'INVALID_ARGUMENTS',
  })
})

test.each(opTypes.map(type => [type.name, type.schema] as const))(
  'every field of %s is described',
  (_, schema) => {
    const { properties } = z.toJSONSchema(schema)
    const silent = Object.entries(properties ?? {}).filter(
      ([, field]) => typeof field !== 'object' || field.description === undefined,
    )
    expect(silent).toEqual([])
  },
)
