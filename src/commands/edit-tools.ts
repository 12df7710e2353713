import { z } from 'zod'
import { type DialectName, dialectOf, dialects } from '../edit/dialects/registry.js'
import { flatShape } from './flat-schema.js'
import type { Tool, ToolSettings } from './tool.js'

type Offered = ToolSettings['dialects']

const patchDialects = ['apply_patch', 'unified_diff', 'markdown', 'search_replace_blocks'] as const

/** The dialect of objects that the edit tool speaks: the first that is offered. */
export function editsDialect(offered: Offered): DialectName | undefined {
  return (offered ?? ['ops']).find(name => dialectOf(name).kind === 'edits')
}

/** The dialects of text that models are offered. */
function textDialects(offered: Offered): readonly string[] {
  return patchDialects.filter(name => offered?.includes(name) ?? true)
}

/** The tools of the command `edit`: edits as objects, and edits as one text. */
export const editTools: readonly Tool[] = [
  {
    name: 'edit_files',
    title: 'Edit files',
    description: settings => `${about}\n${wordsOf(settings)}\n${afterwards}`,
    fields: [
      'worktree',
      'edits',
      'expected_head',
      'message',
      'intent',
      'on_conflict',
      'dry_run',
      'idempotency_key',
    ],
    shape: settings => ({
      ...said,
      expected_head: headField.exactOptional(),
      edits: editsField(settings),
    }),
    preset: ({ dialects: offered }) => {
      const dialect = editsDialect(offered) ?? 'ops'
      return dialect === 'ops' ? {} : { dialect }
    },
    effect: 'changes',
    repeatable: true,
    isOffered: ({ dialects: offered }) => editsDialect(offered) !== undefined,
  },
  {
    name: 'apply_patch',
    title: 'Apply a patch',
    description: ({ dialects: offered }) =>
      `Apply one text that holds edits of any number of files, as ONE git commit, all or none.${editsDialect(offered) === undefined ? '' : ' Use it where you have a patch already; else edit_files.'} expected_head (the commit that you read, from worktree_state or the last receipt) vouches for every file. Example: {"dialect":"apply_patch","expected_head":"<commit>","patch":"*** Begin Patch\\n*** Update File: f\\n@@\\n-old\\n+new\\n*** End Patch"}`,
    fields: ['worktree', 'dialect', 'patch', 'expected_head', 'message', 'intent'],
    shape: ({ dialects: offered }) => ({
      ...said,
      dialect: z.enum(textDialects(offered)).describe('The format of the text.'),
      patch: z.string().describe('The text.'),
      expected_head: headField,
    }),
    effect: 'changes',
    repeatable: true,
    isOffered: ({ dialects: offered, degraded = false }) =>
      !degraded && textDialects(offered).length > 0,
  },
]

const headField = z
  .string()
  .describe('The commit that you read: it vouches for files without a rev.')

/** Fields of both, in fewer words. */
const said = {
  message: z.string().exactOptional().describe('Commit message; the first line is the subject.'),
  intent: z.string().exactOptional().describe('One line that says why.'),
  on_conflict: z
    .enum(['refuse', 'rebase'])
    .exactOptional()
    .describe('rebase: merge with what changed since your rev, if that is clean.'),
  dry_run: z.boolean().exactOptional().describe('Only answer what would happen.'),
  idempotency_key: z
    .string()
    .exactOptional()
    .describe('The same call with the same key is done once.'),
}

const about =
  'Edit any number of files as ONE git commit: all edits or none. Read each file first and name its rev as expected_rev, once per file.'

const afterwards =
  'The answer has the commit and the new rev of each file: go on with that, no second read is needed. A refusal wrote nothing; it says what stands there and what to do next.'

/** What a model has to know of the dialect it edits in. */
function wordsOf({ dialects: offered, degraded = false }: ToolSettings): string {
  const dialect = editsDialect(offered)
  if (dialect !== 'ops') return dialects.find(({ name }) => name === dialect)?.summary ?? ''
  return degraded ? shortOps : allOps
}

const shortOps =
  'Short texts only: replace_text (find must stand there exactly once) and delete_text. Anything longer than 500 characters goes through draft_write and draft_commit.'

const allOps = `Ops: replace_text, delete_text (find must stand in the file exactly once: 10 to 40 characters that are unique, copied exactly, or whole lines; else all or expected_count); insert_lines (before line), replace_lines, delete_lines (start_line to end_line), append_lines; replace_lines_containing, delete_lines_containing; replace_symbol, delete_symbol, insert_before_symbol, insert_after_symbol (whole declarations); write_file (expected_rev "new" creates it), delete_file, move_file, set_mode.
A few words: replace_text. A whole function: replace_symbol. Lines whose numbers you saw: replace_lines with expect_prefix. New text of more than 200 lines: draft_write, then draft_commit. Lines and symbols mean the file as you read it, whatever earlier edits of the call do.
Example: {"message":"Say good day","edits":[{"op":"replace_text","path":"src/greet.ts","expected_rev":"<rev>","find":"Hello, ","replace":"Good day, "}]}`

function editsField(settings: ToolSettings): z.ZodType {
  const { dialects: offered, degraded = false } = settings
  const dialect = dialectOf(editsDialect(offered))
  if (dialect.kind !== 'edits') throw new Error(`${dialect.name} has no edits`)
  const { file_path: _otherName, mode: _bySetMode, path, ...shape } = flatShape(dialect.edit)
  const { op, ...fields } = dialect.name === 'ops' && degraded ? shortShape(shape) : shape
  return z
    .array(
      z.strictObject({
        ...(op && { op: required(op) }),
        ...(path && { path: required(path).describe('Path from the root of the repository.') }),
        ...Object.fromEntries(
          Object.entries(fields).map(([name, type]) => [
            name,
            inFewWords(name, type, dialect.name),
          ]),
        ),
      }),
    )
    .describe('The edits, in order.')
}

type Shape = Readonly<Record<string, z.ZodType>>

function shortShape(shape: Shape): Shape {
  const names = ['expected_rev', 'find', 'replace', 'all', 'expected_count']
  return {
    op: z.enum(['replace_text', 'delete_text']).describe('What to do.'),
    ...Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name))),
  }
}

function required(type: z.ZodType): z.ZodType {
  if (!(type instanceof z.ZodExactOptional)) return type
  const inner = type.unwrap() as z.ZodType
  return type.description === undefined ? inner : inner.describe(type.description)
}

/** Of the native ops, whose descriptions stand together in the tool's own. */
function inFewWords(name: string, type: z.ZodType, dialect: string): z.ZodType {
  const words = fewWords[name] ?? ''
  return words === '' || (dialect !== 'ops' && name !== 'expected_rev')
    ? type
    : type.describe(words)
}

const fewWords: Readonly<Record<string, string>> = {
  expected_rev: 'The rev you read; "new": the file must not exist.',
  find: 'The text to find, exactly as it stands.',
  replace: 'What shall stand there instead.',
  all: 'Every place.',
  expected_count: 'How many places there are.',
  literal: 'The new text is meant as it stands, though it looks like a slip.',
  line: 'Line to insert before; last + 1 appends.',
  text: 'The new lines, or the whole file.',
  start_line: 'First line, from 1.',
  end_line: 'Last line, included.',
  expect_prefix: 'How start_line begins now; a guard.',
  contains: 'A part of one line.',
  symbol: 'Name or name path, such as Class/method.',
  with_doc: 'With the comment above.',
  content_base64: 'Instead of text, for bytes.',
  to: 'New path.',
  executable: 'true or false.',
}
