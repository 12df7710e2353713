import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { defaultLimits, type Limits } from '#src/core/limits.js'
import { type BatchInput, type ParseOptions, parseBatch } from '#src/edit/batch.js'
import { resolve } from '#src/edit/resolve.js'
import { type FileSpec, revOf, treeOf } from './sandbox.js'

/** What is refused: files, a batch for them, and what differs from the usual. */
interface Scenario extends ParseOptions {
  readonly name: string
  readonly files?: Readonly<Record<string, FileSpec>>
  readonly batch: BatchInput
  readonly limits?: Partial<Limits>
}

const code = 'export function one() {\n\treturn 1\n}\n\nexport function two() {\n\treturn 2\n}\n'
const twins = 'a\nb\na\nb\n'
const files = { 'f.ts': code, 'twins.txt': twins }
const edit = (fields: object, path = 'f.ts'): BatchInput => ({
  expected_head: '1'.repeat(40),
  edits: [{ path, ...fields }],
})
const replace = (find: string, text = 'new', path = 'f.ts'): BatchInput =>
  edit({ op: 'replace_text', find, replace: text }, path)
const said = (dialect: BatchInput['dialect'] & string, edits: unknown): BatchInput => ({
  dialect,
  expected_head: '1'.repeat(40),
  edits,
})
const text = (dialect: BatchInput['dialect'] & string, ...lines: string[]): BatchInput => ({
  dialect,
  expected_head: '1'.repeat(40),
  patch: lines.map(line => `${line}\n`).join(''),
})
const v4a = (...lines: string[]): BatchInput =>
  text('apply_patch', '*** Begin Patch', ...lines, '*** End Patch')
const diff = (...lines: string[]): BatchInput =>
  text('unified_diff', '--- a/f.ts', '+++ b/f.ts', ...lines)
const blocks = (...lines: string[]): BatchInput => text('search_replace_blocks', 'f.ts', ...lines)
const fence = (rev: string, ...lines: string[]): BatchInput =>
  text('markdown', `\`\`\`edit:f.ts rev:${rev}`, ...lines, '```')
const block = (search: string, young: string): string[] => [
  '<<<<<<< SEARCH',
  search,
  '=======',
  young,
  '>>>>>>> REPLACE',
]
const missing = '\treturn 3'

const scenarios: readonly Scenario[] = [
  // No match, in the words of every dialect.
  {
    name: 'a text that differs in white space',
    batch: { ...replace('one() {\n    return 1\n}'), max_level: 'exact' },
  },
  { name: 'a text of which one line differs', batch: replace('one() {\n\treturn 3\n}') },
  { name: 'a text that looks alike', files: { 'f.ts': 'say(“a”)\n' }, batch: replace('say("a")') },
  { name: 'a text in another case', batch: replace('export function ONE() {') },
  { name: 'a text whose replacement is there', batch: replace('three()', 'return 2') },
  {
    name: 'a text that a stricter level rules out',
    batch: { ...replace('function one() {\n  return 1\n}'), max_level: 'exact' },
  },
  {
    name: 'search_replace finds nothing',
    batch: said('search_replace', { path: 'f.ts', old_string: missing, new_string: 'x' }),
  },
  {
    name: 'opencode finds nothing',
    batch: said('opencode', { filePath: 'f.ts', oldString: missing, newString: 'x' }),
  },
  {
    name: 'patches finds nothing',
    batch: said('patches', { path: 'f.ts', patches: [{ search: missing, replace: 'x' }] }),
  },
  { name: 'markdown finds nothing', batch: fence(revOf(code), ...block(missing, 'x')) },
  { name: 'search_replace_blocks finds nothing', batch: blocks(...block(missing, 'x')) },
  {
    name: 'apply_patch finds nothing',
    batch: v4a('*** Update File: f.ts', '@@', `-${missing}`, '+x'),
  },
  { name: 'apply_patch finds no @@ line', batch: v4a('*** Update File: f.ts', '@@ class X', '+x') },
  { name: 'unified_diff finds nothing', batch: diff('@@ -2 +2 @@', `-${missing}`, '+x') },
  {
    name: 'unified_diff is wrong about the end',
    batch: diff('@@ -7 +7 @@', '-}', '\\ No newline at end of file', '+};'),
  },
  {
    name: 'unified_diff is wrong about where the file ends',
    batch: diff('@@ -2 +2 @@', '-\treturn 1', '+\treturn 1', '\\ No newline at end of file'),
  },
  {
    name: 'unified_diff has other breaks than a file that mixes them',
    files: { 'f.ts': 'a\r\nb\n' },
    batch: text('unified_diff', '--- f.ts', '+++ f.ts', '@@ -1,2 +1,2 @@', ' a', '-b\r', '+c\r'),
  },
  // Several edits that find nothing, each told where it does not depend on another one.
  {
    name: 'several texts of one file',
    batch: {
      expected_head: '1'.repeat(40),
      edits: [
        { op: 'replace_text', path: 'f.ts', find: 'function one() {\n  x', replace: 'a' },
        { op: 'replace_text', path: 'f.ts', find: 'function two() {\n  y', replace: 'b' },
        { op: 'delete_lines', path: 'f.ts', start_line: 9, end_line: 9 },
      ],
    },
  },
  {
    name: 'several hunks of apply_patch',
    batch: v4a(
      '*** Update File: f.ts',
      ...['@@', ' export function one() {', '-\treturn 3', '+\treturn 4'],
      ...['@@', ' export function two() {', '-\treturn 5', '+\treturn 6'],
    ),
  },
  {
    name: 'several hunks of unified_diff',
    batch: diff(
      ...['@@ -1,2 +1,2 @@', ' export function one() {', '-\treturn 3', '+\treturn 4'],
      ...['@@ -5,2 +5,2 @@', ' export function two() {', '-\treturn 5', '+\treturn 6'],
    ),
  },
  {
    name: 'several blocks',
    batch: blocks(...block('one() {\n\tx', 'a'), 'f.ts', ...block('two() {\n\ty', 'b')),
  },
  {
    name: 'several blocks of a fence',
    batch: fence(revOf(code), ...block('one() {\n\tx', 'a'), ...block('two() {\n\ty', 'b')),
  },
  // Several matches.
  { name: 'a text in two places', batch: replace('b\n', 'c\n', 'twins.txt') },
  {
    name: 'search_replace in two places',
    batch: said('search_replace', { path: 'twins.txt', old_string: 'b', new_string: 'x' }),
  },
  {
    name: 'search_replace_blocks in two places',
    batch: blocks('', 'twins.txt', ...block('a', 'x')),
  },
  { name: 'apply_patch in two places', batch: v4a('*** Update File: twins.txt', '@@', '-b', '+x') },
  {
    name: 'unified_diff in two places',
    batch: text('unified_diff', '--- twins.txt', '+++ twins.txt', '@@ -3 +3 @@', '-b', '+x'),
  },
  {
    name: 'another number of places',
    batch: edit({ op: 'replace_text', find: 'b', replace: 'c', expected_count: 3 }, 'twins.txt'),
  },
  {
    name: 'lines that contain a text, of another number',
    batch: edit({ op: 'delete_lines_containing', contains: 'a', expected_count: 1 }, 'twins.txt'),
  },
  // Lines and anchors.
  { name: 'lines behind the end', batch: edit({ op: 'delete_lines', start_line: 7, end_line: 9 }) },
  {
    name: 'a line that begins otherwise',
    batch: edit({
      op: 'replace_lines',
      start_line: 1,
      end_line: 1,
      text: 'x',
      expect_prefix: '\treturn',
    }),
  },
  {
    name: 'an anchor of another line',
    batch: said('hashline', { path: 'f.ts', op: 'delete', anchor: '2:abc:def' }),
    anchors: 'chunk',
  },
  {
    name: 'an anchor whose line may be one of two',
    batch: said('hashline', { path: 'twins.txt', op: 'delete', anchor: '2:obk' }),
    anchors: 'content',
  },
  {
    name: 'an anchor cut short',
    batch: said('hashline', { path: 'f.ts', op: 'delete', anchor: '2:abc' }),
    anchors: 'chunk',
  },
  {
    name: 'anchors in a plain view',
    batch: said('hashline', { path: 'f.ts', op: 'delete', anchor: '2:abc:def' }),
  },
  { name: 'anchors in a text', batch: edit({ op: 'append_lines', text: '2:abc:def→x' }) },
  {
    name: 'lines that an earlier edit changed',
    batch: {
      expected_head: '1'.repeat(40),
      edits: [
        { op: 'delete_lines', path: 'f.ts', start_line: 1, end_line: 2 },
        { op: 'delete_lines', path: 'f.ts', start_line: 2, end_line: 3 },
      ],
    },
  },
  // New text.
  { name: 'a placeholder', batch: replace('return 1', '// ... existing code ...') },
  {
    name: 'a placeholder in a patch',
    batch: v4a('*** Update File: f.ts', '-\treturn 1', '+\t// ... rest of code'),
  },
  {
    name: 'lines with their numbers',
    batch: edit({ op: 'replace_lines', start_line: 2, end_line: 2, text: '2\treturn 5' }),
  },
  { name: 'escaped breaks', batch: replace('return 1', 'if (x) {\\n  return 1;\\n}') },
  {
    name: 'an escaped tab in a patch',
    batch: v4a('*** Update File: f.ts', '-\treturn 1', '+\\t\\treturn 5'),
  },
  // What cannot be read.
  {
    name: 'apply_patch without its end',
    batch: text('apply_patch', '*** Begin Patch', '*** Delete File: f.ts'),
  },
  { name: 'a patch that says no place', batch: v4a('*** Update File: f.ts', '@@', '+x') },
  { name: 'a unified diff of nothing', batch: text('unified_diff', 'Sorry.') },
  {
    name: 'a fence that is cut off',
    batch: text('markdown', `\`\`\`edit:f.ts rev:${revOf(code)}`, '<<<<<<< SEARCH'),
  },
  {
    name: 'a fence without a revision',
    batch: text('markdown', '```edit:f.ts', ...block('}', 'x'), '```'),
  },
  { name: 'a block that is never closed', batch: blocks('<<<<<<< SEARCH', 'a', '=======') },
  { name: 'no edit at all', batch: text('search_replace_blocks', 'Done.') },
  { name: 'no fields', batch: said('search_replace', { path: 'f.ts' }) },
  {
    name: 'equal texts',
    batch: said('search_replace', { path: 'f.ts', old_string: 'a', new_string: 'a' }),
  },
  {
    name: 'a dialect that is not offered',
    batch: said('opencode', []),
    offered: ['ops', 'apply_patch'],
  },
  { name: 'a path outside', batch: edit({ op: 'delete_file' }, '../f.ts') },
  // Files and revisions.
  { name: 'no file', batch: replace('a', 'b', 'g.ts') },
  { name: 'no revision', batch: { edits: [{ op: 'delete_file', path: 'f.ts' }] } },
  { name: 'another revision', batch: edit({ op: 'delete_file', expected_rev: revOf('old') }) },
  {
    name: 'a file that stands there',
    batch: edit({ op: 'write_file', expected_rev: null, text: '' }),
  },
  {
    name: 'a file in the way',
    batch: edit({ op: 'write_file', expected_rev: null, text: '' }, 'f.ts/x'),
  },
  { name: 'a link', files: { 'f.ts': { mode: '120000', content: 'g' } }, batch: replace('g') },
  {
    name: 'a submodule',
    files: { 'f.ts': { mode: '160000', content: '' } },
    batch: edit({ op: 'delete_file' }),
  },
  {
    name: 'a protected file',
    batch: edit({ op: 'write_file', expected_rev: null, text: '' }, '.github/workflows/x.yml'),
  },
  { name: 'a binary file', files: { 'f.ts': [0, 1, 2] }, batch: replace('a') },
  {
    name: 'an encoding that is none',
    files: { 'f.ts': [0xff, 0xfe, 0, 0xd8] },
    batch: replace('a'),
  },
  {
    name: 'a text that is too large',
    batch: replace('return 1', 'x'.repeat(20)),
    limits: { replaceChars: 10 },
  },
  {
    name: 'a file that would be too large',
    batch: replace('return 1', 'x'.repeat(20)),
    limits: { fileBytes: 80 },
  },
  {
    name: 'several failures',
    batch: {
      expected_head: '1'.repeat(40),
      edits: [
        { op: 'replace_text', path: 'twins.txt', find: 'a', replace: 'c' },
        { op: 'delete_file', path: 'g.ts' },
      ],
    },
  },
]

const golden = join(import.meta.dirname, 'golden/refusals.jsonl')

/** The refusal of a scenario as a client gets it, without its sentence. */
async function refuse({ batch, limits, ...given }: Scenario): Promise<Record<string, unknown>> {
  const all = { ...defaultLimits, ...limits }
  const tree = treeOf({ ...files, ...given.files })
  try {
    const parsed = parseBatch(batch, all, given)
    await resolve(parsed, tree, { limits: all, allowProtected: [], expectedTree: tree })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { message: _sentence, ...told } = error.toJSON()
    return told
  }
  return { code: 'DONE' }
}

test('every refusal is told as it was published', async () => {
  const told: string[] = []
  for (const scenario of scenarios) {
    told.push(JSON.stringify({ name: scenario.name, ...(await refuse(scenario)) }))
  }
  // A change of data is a change of what clients read: look at each line of it, then write the file anew.
  if (process.env.EDITLATCH_WRITE_GOLDEN !== undefined) {
    writeFileSync(golden, told.map(line => `${line}\n`).join(''))
  }
  const published = readFileSync(golden, 'utf8').trimEnd().split('\n')
  console.log(`${told.length} refusals, ${new Set(published).size} published`)
  expect(told.filter(line => line.includes('"code":"DONE"'))).toEqual([])
  expect(told.map(line => JSON.parse(line))).toEqual(published.map(line => JSON.parse(line)))
})
