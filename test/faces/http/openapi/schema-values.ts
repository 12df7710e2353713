import fc from 'fast-check'
import { document } from '../../../support/api-document.js'

type Schema = Readonly<Record<string, unknown>>

/** Stands for something of the moment when a request is sent, such as the revision of a file. */
export const standIns = {
  path: '<path>',
  newPath: '<new path>',
  rev: '<rev>',
  head: '<head>',
  commit: '<commit>',
  line: '<line>',
} as const

/** What a field of such a name mostly holds, so that many requests come through. */
const hints: Readonly<Record<string, readonly unknown[]>> = {
  worktree: ['fuzz'],
  agent: ['ann', 'ben', 'cid'],
  repo: [undefined],
  base: [undefined, 'HEAD'],
  path: [standIns.path, standIns.path, standIns.path, standIns.newPath, 'src/cart.ts'],
  paths: [[standIns.path]],
  file_path: [standIns.path],
  filePath: [standIns.path],
  to: [standIns.newPath],
  prefix: ['src/'],
  glob: ['**/*.ts'],
  lines: ['1-', '1-2'],
  symbol: ['total', 'Cart/add'],
  draft: ['long'],
  after_lines: [0],
  pattern: ['total', 'return', 't.'],
  query: ['total', 'cart'],
  kinds: ['class,function'],
  expected_rev: [standIns.rev],
  rev: [standIns.rev],
  'if-match': [`"${standIns.rev}"`],
  'if-none-match': [`"${standIns.rev}"`, '*'],
  expected_head: [standIns.head],
  since: [standIns.commit],
  before: [standIns.commit],
  after: ['a'],
  commit: [standIns.commit],
  find: [standIns.line],
  old_string: [standIns.line],
  oldString: [standIns.line],
  search: [standIns.line],
  contains: [standIns.line],
  text: ['a new line\n'],
  directory: [undefined, 'src'],
  dialect: [undefined, undefined, undefined, undefined, undefined, 'search_replace'],
  patch: [undefined],
  expected_revs: [undefined],
  content_base64: ['AAEC'],
}

/** Values that have broken servers before; undefined leaves out what is needed. */
const odd: readonly unknown[] = [
  undefined,
  ...['', '../a', '/etc/passwd', '.git/config', '--output=x', 'a\u0000b', 'a\nb', '\ud800'],
  ...['constructor', '0'.repeat(40), 'x'.repeat(5_000), 'HEAD~1', '*', -1, 0, 1e308, true, null],
  ...[[], {}, [[]], { op: 'write_file' }],
]

/** Values that mostly fit a schema of the document; one in twenty is odd, and fewer within others. */
export function valuesOf(schema: Schema, name = '', depth = 0): fc.Arbitrary<unknown> {
  const fitting = fittingValues(schema, name, depth)
  const known = hints[name]
  const likely =
    known === undefined
      ? fitting
      : fc.oneof(
          { weight: 24, arbitrary: fc.constantFrom(...known) },
          { weight: 1, arbitrary: fitting },
        )
  return fc.oneof(
    { weight: depth > 0 ? 59 : 19, arbitrary: likely },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
}

function fittingValues(schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
  const { $ref, const: only, enum: words, anyOf, type } = schema
  if (typeof $ref === 'string') {
    const named = document.components.schemas[$ref.split('/').at(-1) ?? '']
    return fittingValues(named ?? {}, name, depth)
  }
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(words)) return fc.constantFrom(...words)
  if (Array.isArray(anyOf)) return choices(anyOf, name, depth)
  switch (type) {
    case 'object':
      return records(schema, depth)
    case 'array':
      return lists(schema, depth)
    case 'string':
      return texts(schema)
    case 'integer':
      return integers(schema)
    case 'number':
      return fc.double({ min: 0, max: 1, noNaN: true })
    case 'boolean':
      return fc.boolean()
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Free text among other choices says little, and most edits name their op. */
function choices(anyOf: readonly Schema[], name: string, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    ...anyOf.map(one => ({
      weight: one.type === 'string' ? 1 : isNativeEdit(one) ? 40 : 12,
      arbitrary: fittingValues(one, name, depth),
    })),
  )
}

function bound(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function isNativeEdit({ $ref }: Schema): boolean {
  const { properties } = document.components.schemas[String($ref).split('/').at(-1) ?? ''] ?? {}
  return JSON.stringify(properties ?? {}).includes('"const"')
}

function integers({ minimum, maximum }: Schema): fc.Arbitrary<number> {
  const min = bound(minimum, 0)
  return fc.integer({ min, max: Math.min(bound(maximum, min + 9), min + 20) })
}

function texts({ minLength, maxLength }: Schema): fc.Arbitrary<string> {
  const min = bound(minLength, 0)
  const max = Math.min(bound(maxLength, 30), 30)
  const plain = fc.constantFrom('one', 'a new line\n', 'x: 1\ny: 2\n', 'é→𝄞')
  return fc.oneof(plain, fc.string({ minLength: min, maxLength: max, unit: 'binary' }))
}

/** Most lists have one entry, as most batches have. */
function lists({ items, minItems }: Schema, depth: number): fc.Arbitrary<unknown> {
  const entries = valuesOf(
    typeof items === 'object' && items !== null ? { ...items } : {},
    '',
    depth + 1,
  )
  const many = fc.array(entries, { minLength: bound(minItems, 0), maxLength: 3 })
  return fc.oneof({ weight: 3, arbitrary: fc.tuple(entries) }, { weight: 1, arbitrary: many })
}

/** Fields that most requests need, though the schema lets them be absent. */
const useful = ['edits', 'expected_rev', 'expected_head', 'text']

/** What is required is there, of the rest every eighth. */
function records({ properties, required }: Schema, depth: number): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const isNeeded = useful.includes(name) || (Array.isArray(required) && required.includes(name))
    const values = valuesOf(field, name, depth + 1)
    return (isNeeded ? values : optional(values, 0.1)).map(value => [name, value])
  })
  return fc
    .tuple(...fields)
    .map(entries => Object.fromEntries(entries.filter(([, one]) => one !== undefined)))
}

/** The value so often, else undefined. */
export function optional(values: fc.Arbitrary<unknown>, share: number): fc.Arbitrary<unknown> {
  const weight = Math.round(share * 1_000)
  return fc.oneof(
    { weight, arbitrary: values },
    { weight: 1_000 - weight, arbitrary: fc.constant(undefined) },
  )
}
