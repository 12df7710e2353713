import type { BatchInput } from '#src/edit/batch.js'

/** Whole lines of a file, from 0, and those that shall stand there instead. Without their breaks. */
export interface LineEdit {
  readonly path: string
  /** Of the file as it was read. */
  readonly rev: string
  readonly start: number
  readonly wanted: readonly string[]
  readonly young: readonly string[]
  /** Lines of the file right above and below. */
  readonly above?: readonly string[]
  readonly below?: readonly string[]
  /** The last of the wanted lines ends the file and has no break. */
  readonly isOpen?: boolean
  /** The break of the last line is said where a text is searched. */
  readonly saysBreak?: boolean
}

/** One edit of lines, said in each dialect that searches for them. */
export const sayings = {
  ops: edit => {
    const [find, replace] = texts(edit)
    return { edits: [{ op: 'replace_text', path: edit.path, find, replace }] }
  },
  search_replace: edit => {
    const [old_string, new_string] = texts(edit)
    return { dialect: 'search_replace', edits: [{ path: edit.path, old_string, new_string }] }
  },
  patches: edit => {
    const [search, replace] = texts(edit)
    return { dialect: 'patches', edits: [{ path: edit.path, patches: [{ search, replace }] }] }
  },
  opencode: edit => {
    const [oldString, newString] = texts(edit)
    return { dialect: 'opencode', edits: [{ filePath: edit.path, oldString, newString }] }
  },
  markdown: edit => ({
    dialect: 'markdown',
    patch: `Like this:\n\n\`\`\`edit:${edit.path} rev:${edit.rev}\n${block(edit)}\`\`\`\n`,
  }),
  search_replace_blocks: edit => ({
    dialect: 'search_replace_blocks',
    patch: `${edit.path}\n${block(edit)}`,
  }),
  apply_patch: edit => ({
    dialect: 'apply_patch',
    patch: joined([
      '*** Begin Patch',
      `*** Update File: ${edit.path}`,
      '@@',
      ...hunk(edit),
      '*** End Patch',
    ]),
  }),
  unified_diff: edit => {
    const { path, start, wanted, young, above = [], below = [], isOpen = false } = edit
    const around = above.length + below.length
    const from = start + 1 - above.length
    const header = `@@ -${from},${wanted.length + around} +${from},${young.length + around} @@`
    const lines = hunk(edit, isOpen ? ['\\ No newline at end of file'] : [])
    return {
      dialect: 'unified_diff',
      patch: joined([`--- a/${path}`, `+++ b/${path}`, header, ...lines]),
    }
  },
} as const satisfies Readonly<Record<string, (edit: LineEdit) => BatchInput>>

function texts({ wanted, young, saysBreak = false }: LineEdit): readonly [string, string] {
  const end = saysBreak ? '\n' : ''
  return [wanted.join('\n') + end, young.join('\n') + end]
}

function hunk(
  { wanted, young, above = [], below = [] }: LineEdit,
  end: readonly string[] = [],
): readonly string[] {
  return [
    ...above.map(line => ` ${line}`),
    ...wanted.map(line => `-${line}`),
    ...end,
    ...young.map(line => `+${line}`),
    ...end,
    ...below.map(line => ` ${line}`),
  ]
}

function block({ wanted, young }: LineEdit): string {
  return joined(['<<<<<<< SEARCH', ...wanted, '=======', ...young, '>>>>>>> REPLACE'])
}

function joined(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('')
}
