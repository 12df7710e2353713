import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { type CrashWorld, type Files, readFiles, revOf } from './crash-world.js'

/** A batch that can be sent round after round, each time doing the same steps with other bytes. */
export interface Variant {
  /** What a person does before it. */
  readonly drift?: (world: CrashWorld, round: number) => void
  readonly edits: (world: CrashWorld, round: number) => readonly EditInput[]
}

export type VariantName = 'one file' | 'many files'

/** More rounds than any batch has steps: each removes and moves files of its own. */
const maxRounds = 250

/** What stands in the worktree before the first round. */
export const firstFiles: Files = {
  'a.txt': 'round 0\nkept\n',
  'drift.txt': 'agent\n',
  'other.txt': 'other\n',
  'run.sh': 'true\n',
  ...Object.fromEntries(
    Array.from({ length: maxRounds }, (_, round) => [
      [`old-${round}/gone.txt`, `gone ${round}\n`],
      [`m-${round}.txt`, `moved ${round}\n`],
    ]).flat(),
  ),
}

export const variants: Readonly<Record<VariantName, Variant>> = {
  'one file': { edits: (world, round) => [nextRound(world, round)] },
  'many files': {
    drift: (world, round) =>
      appendFileSync(join(world.worktree.path, 'drift.txt'), `person ${round}\n`),
    edits: (world, round) => [
      nextRound(world, round),
      {
        op: 'append_lines',
        path: 'drift.txt',
        expected_rev: revOf(world, 'drift.txt'),
        text: `agent ${round}`,
      },
      ...moves(world, round),
      {
        op: 'set_mode',
        path: 'run.sh',
        expected_rev: revOf(world, 'run.sh'),
        executable: !isExecutable(world),
      },
    ],
  },
}

function nextRound(world: CrashWorld, round: number): EditInput {
  const path = 'a.txt'
  const [find = ''] = readFiles(world.worktree.path)[path]?.split('\n') ?? []
  const expected_rev = revOf(world, path)
  return { op: 'replace_text', path, expected_rev, find, replace: `round ${round}` }
}

/** One file made, one removed with its directory, one moved. */
function moves(world: CrashWorld, round: number): readonly EditInput[] {
  const [gone, from] = [`old-${round}/gone.txt`, `m-${round}.txt`]
  const [made, to] = [`new-${round}/deep/made.txt`, `moved-${round}/m.txt`]
  return [
    { op: 'write_file', path: made, expected_rev: null, text: `round ${round}\n` },
    { op: 'delete_file', path: gone, expected_rev: revOf(world, gone) },
    { op: 'move_file', path: from, expected_rev: revOf(world, from), to },
  ]
}

function isExecutable(world: CrashWorld): boolean {
  return readFiles(world.worktree.path)['run.sh']?.startsWith('x ') === true
}

/** What edits make of files, worked out without the product. */
export function filesAfter(before: Files, edits: readonly EditInput[]): Files {
  const files: Record<string, string> = { ...before }
  for (const edit of edits) {
    const text = files[edit.path] ?? ''
    if (edit.op === 'write_file') files[edit.path] = edit.text ?? ''
    if (edit.op === 'replace_text') files[edit.path] = text.replace(edit.find, edit.replace)
    if (edit.op === 'append_lines') files[edit.path] = `${text}${edit.text}\n`
    if (edit.op === 'set_mode')
      files[edit.path] = `${edit.executable ? 'x ' : ''}${text.replace('x ', '')}`
    if (edit.op === 'delete_file' || edit.op === 'move_file') delete files[edit.path]
    if (edit.op === 'move_file') files[edit.to] = text
  }
  return files
}
