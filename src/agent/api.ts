// Written by `npm run client` from the command list; do not edit it by hand.

import type { Ask, Follow, Places, Read } from './ask.js'

export interface AppendLinesEdit {
  /** Add lines at the end of an existing file. */
  readonly op: 'append_lines'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** The new lines. A final newline belongs to the last of them; line endings become those of the file. */
  readonly text: string
  /** The new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks. */
  readonly literal?: boolean
}

/** One batch again, with its receipt. */
export interface BatchAnswer {
  readonly commit: string
  readonly parent: string
  readonly subject: string
  readonly time: string
  readonly agent: string
  /** external: changed outside and committed here; foreign: by somebody's own git. */
  readonly source: 'batch' | 'external' | 'foreign'
  /** The idempotency key it was sent with. */
  readonly key?: string
  readonly intent?: string
  readonly model?: string
  readonly files: readonly LoggedFile[]
  readonly ops: readonly OpResult[]
  readonly warnings: readonly Warning[]
  readonly receipt: Receipt
}

export interface ClosedAnswer {
  readonly id: string
  readonly closed: true
  /** The ref under which unlanded work is kept. */
  readonly kept_ref?: string
}

export interface DeleteFileEdit {
  /** Delete a file. */
  readonly op: 'delete_file'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
}

export interface DeleteLinesContainingEdit {
  /** Delete the whole line that contains a text. It must be one line, unless you say expected_count. */
  readonly op: 'delete_lines_containing'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** A part of one line, exactly as the file has it; the whole line is taken. */
  readonly contains: string
  /** How many places there are; any other number is refused. All of them are taken. */
  readonly expected_count?: number
}

export interface DeleteLinesEdit {
  /** Delete a range of lines. */
  readonly op: 'delete_lines'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** First line, counted from 1 in the file as you read it. */
  readonly start_line: number
  /** Last line, included, counted in the file as you read it. */
  readonly end_line: number
  /** How the first of these lines begins now, white space included; a guard. */
  readonly expect_prefix?: string
}

export interface DeleteSymbolEdit {
  /** Delete a function, class or other declaration, decorators included. */
  readonly op: 'delete_symbol'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** A name or name path of the file as you read it, such as Class/method; [i] picks among equal names, @L12 by line. */
  readonly symbol: string
  /** Take the comment that stands directly above along. */
  readonly with_doc?: boolean
}

export interface DeleteTextEdit {
  /** Delete a text. It must stand in the file exactly once, unless you say all or expected_count. */
  readonly op: 'delete_text'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** The text to find, exactly as the file has it, white space included. */
  readonly find: string
  /** Take every place where the text stands. */
  readonly all?: boolean
  /** How many places there are; any other number is refused. All of them are taken. */
  readonly expected_count?: number
}

/** What changed between two commits. */
export interface DiffAnswer {
  readonly from: string
  readonly to: string
  readonly files: readonly DiffFile[]
  readonly summary: string
  /** Files that were reported before and did not change since. */
  readonly unchanged: number
  /** True where asking for single paths tells more. */
  readonly truncated: boolean
  /** The first path to ask for. */
  readonly next?: string
}

/** What changed in one file. */
export interface DiffFile {
  readonly path: string
  /** The old path of a moved file. */
  readonly from?: string
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  /** A blob id; null where there is no file. */
  readonly before_rev: string | null
  /** A blob id; null where there is no file. */
  readonly after_rev: string | null
  /** Changed lines of the new file. */
  readonly ranges: readonly LineRange[]
  readonly patch?: string
  readonly patch_truncated?: true
}

export interface DoctorAnswer {
  /** False where some check is a problem. */
  readonly ok: boolean
  readonly checks: readonly DoctorCheck[]
  /** Every setting that holds, no secrets. */
  readonly settings: Readonly<Record<string, unknown>>
}

export interface DoctorCheck {
  readonly name: string
  /** Absent for what is about the machine. */
  readonly repository?: string
  readonly status: 'ok' | 'warning' | 'problem'
  readonly detail: string
  readonly what_to_do?: string
}

/** A text that is written in pieces. */
export interface DraftAnswer {
  readonly draft: string
  readonly lines: number
  readonly bytes: number
  /** When it is let go, unless it is written to before. */
  readonly expires: string
}

/** One edit, as the dialect says it. */
export type Edit =
  | ReplaceTextEdit
  | DeleteTextEdit
  | InsertLinesEdit
  | ReplaceLinesEdit
  | DeleteLinesEdit
  | AppendLinesEdit
  | ReplaceLinesContainingEdit
  | DeleteLinesContainingEdit
  | ReplaceSymbolEdit
  | InsertBeforeSymbolEdit
  | InsertAfterSymbolEdit
  | DeleteSymbolEdit
  | WriteFileEdit
  | DeleteFileEdit
  | MoveFileEdit
  | SetModeEdit
  | SearchReplaceEdit
  | OpencodeEdit
  | PatchesEdit
  | WholeFileEdit
  | HashlineEdit

/** One file with the lines that fit. */
export interface FileHits {
  readonly path: string
  readonly rev: string
  readonly hits: readonly SearchHit[]
  /** Lines that fit and are not shown. */
  readonly more_hits?: number
}

export interface FilesAnswer {
  readonly files: readonly string[]
  readonly total: number
  readonly truncated: boolean
  /** The `after` that goes on. */
  readonly next?: string
}

/** Something that happened to a worktree. */
export interface GatewayEvent {
  /** It only ever grows; name the last one seen to go on after it. */
  readonly id: number
  /** missed: events before this one are no longer known. */
  readonly type: 'batch' | 'drift' | 'setup' | 'worktree_opened' | 'worktree_closed' | 'missed'
  readonly worktree?: string
  readonly agent?: string
  readonly branch?: string
  readonly commit?: string
  readonly parent?: string
  readonly paths?: readonly string[]
  /** Changed paths beyond those that are named. */
  readonly more?: number
  readonly setup?: SetupAnswer
}

export interface HashlineEdit {
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path?: string
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly file_path?: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** What to do; write replaces the whole file and stands alone. */
  readonly op?: 'replace' | 'insert_after' | 'insert_before' | 'delete' | 'write'
  /** Anchor of the (first) line as the hashline view shows it; "0:" and "EOF" to insert at the start and the end. */
  readonly anchor?: string
  /** Anchor of the last line, included. */
  readonly end_anchor?: string
  /** The new lines without anchors; one final newline is not a line more. Nothing at all: replace takes the lines away, insert puts in an empty line. */
  readonly content?: string
  /** Several steps of one file, instead of op: a list of them. */
  readonly edits?: unknown
}

/** Ignored files that a new worktree was given. */
export interface IncludedAnswer {
  readonly files: number
  /** Packages of node_modules, and links that were links before. */
  readonly links: number
  readonly bytes: number
  /** The first of what was chosen: files and directories. */
  readonly paths: readonly string[]
  /** The first of what is not there although it was chosen. */
  readonly left_out?: readonly {
    /** For no_match the pattern. */
    readonly path: string
    /** not_ignored: git would track it here. link_out: a link to elsewhere. special: neither file nor directory. cache: what tools keep in node_modules for themselves. */
    readonly why:
      | 'exists'
      | 'not_ignored'
      | 'link_out'
      | 'special'
      | 'name'
      | 'cache'
      | 'limit'
      | 'gone'
      | 'failed'
      | 'no_match'
      | 'no_checkout'
  }[]
  readonly left_out_total?: number
}

export interface InsertAfterSymbolEdit {
  /** Insert lines after a declaration. */
  readonly op: 'insert_after_symbol'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** A name or name path of the file as you read it, such as Class/method; [i] picks among equal names, @L12 by line. */
  readonly symbol: string
  /** The new lines. A final newline belongs to the last of them; line endings become those of the file. */
  readonly text: string
  /** The new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks. */
  readonly literal?: boolean
}

export interface InsertBeforeSymbolEdit {
  /** Insert lines before a declaration and the comment directly above it. */
  readonly op: 'insert_before_symbol'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** A name or name path of the file as you read it, such as Class/method; [i] picks among equal names, @L12 by line. */
  readonly symbol: string
  /** The new lines. A final newline belongs to the last of them; line endings become those of the file. */
  readonly text: string
  /** The new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks. */
  readonly literal?: boolean
}

export interface InsertLinesEdit {
  /** Insert lines before a line. */
  readonly op: 'insert_lines'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** The line to insert before, counted from 1 in the file as you read it; one past the last line appends. */
  readonly line: number
  /** The new lines. A final newline belongs to the last of them; line endings become those of the file. */
  readonly text: string
  /** The new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks. */
  readonly literal?: boolean
}

/** Lines from 1, both included; an empty range has end = start - 1. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

/** Commits of a branch, newest first. */
export interface LogAnswer {
  readonly batches: readonly LogEntry[]
  readonly more: boolean
}

/** One commit of the branch, as its trailers tell. */
export interface LogEntry {
  readonly commit: string
  readonly parent: string
  readonly subject: string
  readonly time: string
  readonly agent: string
  /** external: changed outside and committed here; foreign: by somebody's own git. */
  readonly source: 'batch' | 'external' | 'foreign'
  /** The idempotency key it was sent with. */
  readonly key?: string
  readonly intent?: string
  readonly model?: string
  readonly files: readonly LoggedFile[]
  readonly ops: readonly OpResult[]
  readonly warnings: readonly Warning[]
}

/** A file that a commit changed. */
export interface LoggedFile {
  readonly path: string
  readonly from?: string
  readonly status: string
  /** A blob id; null where there is no file. */
  readonly before_rev: string | null
  /** A blob id; null where there is no file. */
  readonly after_rev: string | null
}

export interface ManyFilesAnswer {
  readonly files: readonly (ReadAnswer | NotModified | RefusedFile)[]
  readonly truncated: boolean
  /** What to ask for next, as paths. */
  readonly left_out?: readonly string[]
}

/** Files and names, those first that are worked on most. */
export interface MapAnswer {
  readonly path: string
  readonly head: string
  readonly sort: 'churn' | 'central'
  readonly files: readonly {
    readonly path: string
    readonly symbols: readonly string[]
  }[]
  /** Directories with files that are not named. */
  readonly folded: readonly {
    readonly path: string
    readonly files: number
  }[]
  readonly shown_files: number
  readonly total_files: number
  /** Files whose names are not UTF-8. */
  readonly unnamed_files: number
  readonly truncated: boolean
  /** How to get what was left out. */
  readonly go_on?: string
}

/** What was written into a worktree that was opened without files. */
export interface MaterialisedAnswer {
  readonly id: string
  readonly written: number
  /** Where something else stood already, which stays. */
  readonly kept: readonly string[]
  readonly absent_files: number
}

export interface MoveFileEdit {
  /** Move or rename a file. Nothing may be left at the new path when the batch is done. */
  readonly op: 'move_file'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** The new path, from the root of the repository. */
  readonly to: string
}

/** It still is the revision that is held. */
export interface NotModified {
  readonly path: string
  readonly rev: string
  readonly not_modified: true
}

/** What one op did. */
export interface OpResult {
  /** Its place in the batch, from 0. */
  readonly index: number
  readonly op: string
  readonly path: string
  /** How strictly its text was found. */
  readonly level?:
    | 'exact'
    | 'trailing_whitespace'
    | 'line_trimmed'
    | 'whitespace_normalised'
    | 'indentation_flexible'
    | 'unicode_normalised'
    | 'block_anchor'
  /** At block_anchor: from 0 to 1. */
  readonly similarity?: number
  readonly reindented?: true
  /** Lines it touched, in the file before. */
  readonly lines?: readonly LineRange[]
  /** Lines it left, in the file after. */
  readonly new_lines?: readonly LineRange[]
}

export interface OpencodeEdit {
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly filePath: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** The text to replace, exactly as the file has it; empty to create the file. */
  readonly oldString: string
  /** What shall stand there instead. */
  readonly newString: string
  /** Replace every place, not the only one. */
  readonly replaceAll?: boolean
}

/** A worktree just opened. */
export interface OpenedAnswer {
  readonly id: string
  readonly repo: string
  readonly agent: string
  readonly branch: string
  /** Its directory. */
  readonly path: string
  /** The commit that the branch started at. */
  readonly base: string
  readonly head: string
  /** The commit up to which changes were reported. */
  readonly reported: string
  /** Where files are written only when asked for. */
  readonly files?: 'none'
  /** Where lines are read after anchors. */
  readonly view?: 'hashline'
  readonly anchors?: 'content' | 'chunk' | 'checkpoint'
  /** Works on this worktree and nowhere else. */
  readonly token: string
  /** The person's own checkout has uncommitted work that is not part of this. */
  readonly base_dirty?: true
  readonly included?: IncludedAnswer
  readonly setup?: SetupAnswer
}

/** What a file declares. */
export interface OutlineAnswer {
  readonly path: string
  readonly rev: string
  /** Empty where it is unknown. */
  readonly language: string
  readonly parser: 'babel' | 'tree-sitter' | 'scanner' | 'regex' | 'none'
  /** Why it is less than it could be. */
  readonly note?: 'syntax_errors' | 'too_complex' | 'too_large' | 'minified' | 'unknown_language'
  readonly symbols: readonly ToldSymbol[]
  readonly truncated: boolean
  /** How to get what was left out. */
  readonly go_on?: string
}

export interface PatchesEdit {
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** The patches, in order. */
  readonly patches: readonly {
    /** The text to replace, as the file has it; it must stand there once. */
    readonly search: string
    /** What shall stand there instead. */
    readonly replace: string
  }[]
}

/** A file, or some of its lines. */
export interface ReadAnswer {
  readonly path: string
  /** The revision that an edit must name. */
  readonly rev: string
  readonly mode: '100644' | '100755' | '120000' | '160000'
  readonly encoding: 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'binary'
  readonly eol: 'lf' | 'crlf' | 'cr' | 'mixed' | 'none'
  /** Length of the whole file. */
  readonly bytes: number
  readonly total_lines: number
  /** The first line answered. */
  readonly start_line: number
  /** The last one; less than start_line where there are none. */
  readonly end_line: number
  readonly final_newline: boolean
  /** Absent for files that are not text. */
  readonly text?: string
  /** Some bytes are not UTF-8; each shows as U+FFFD and is kept by edits elsewhere. */
  readonly lossy?: true
  /** Where it is not shown as text. */
  readonly kind?:
    | 'archive'
    | 'binary'
    | 'database'
    | 'font'
    | 'image'
    | 'media'
    | 'minified'
    | 'office'
    | 'pdf'
    | 'program'
  /** What a long file declares below the lines that are shown. */
  readonly outline?: readonly ToldSymbol[]
  readonly truncated: boolean
  /** The first line asked for that was left out. */
  readonly next_line?: number
  readonly line_cut?: true
  /** How to get what was left out. */
  readonly go_on?: string
}

/** What a batch did. */
export interface Receipt {
  /** Null for a dry run and where nothing had to change. */
  readonly commit: string | null
  readonly parent: string
  readonly files: readonly ReceiptFile[]
  readonly ops: readonly OpResult[]
  readonly warnings: readonly Warning[]
  /** True where nothing had to change. */
  readonly already_applied: boolean
  readonly dry_run: boolean
}

/** What a batch did to one file. */
export interface ReceiptFile {
  readonly path: string
  /** The old path of a moved file. */
  readonly from?: string
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  /** A blob id; null where there is no file. */
  readonly before_rev: string | null
  /** A blob id; null where there is no file. */
  readonly after_rev: string | null
  /** Changed lines of the new file. */
  readonly ranges: readonly LineRange[]
  readonly patch?: string
  readonly patch_truncated?: true
  readonly mode?: string
  /** In a view with anchors: the changed lines with the anchors they have now. */
  readonly anchored?: string
  readonly anchored_truncated?: true
  /** The older revision that the edit was made from and merged with what stood here. */
  readonly rebased_from?: string
  /** What the batch did to the syntax of a file of a known language. */
  readonly syntax?: 'ok' | 'broken_before' | 'introduces_syntax_error' | 'unchecked'
}

/** One of several files that cannot be shown, and why. */
export interface RefusedFile {
  readonly path: string
  readonly refused: Readonly<Record<string, unknown>>
}

export interface ReplaceLinesContainingEdit {
  /** Replace the whole line that contains a text. It must be one line, unless you say expected_count. */
  readonly op: 'replace_lines_containing'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** A part of one line, exactly as the file has it; the whole line is taken. */
  readonly contains: string
  /** The new lines. A final newline belongs to the last of them; line endings become those of the file. */
  readonly text: string
  /** How many places there are; any other number is refused. All of them are taken. */
  readonly expected_count?: number
  /** The new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks. */
  readonly literal?: boolean
}

export interface ReplaceLinesEdit {
  /** Replace a range of lines. */
  readonly op: 'replace_lines'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** First line, counted from 1 in the file as you read it. */
  readonly start_line: number
  /** Last line, included, counted in the file as you read it. */
  readonly end_line: number
  /** The new lines. A final newline belongs to the last of them; line endings become those of the file. */
  readonly text: string
  /** How the first of these lines begins now, white space included; a guard. */
  readonly expect_prefix?: string
  /** The new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks. */
  readonly literal?: boolean
}

export interface ReplaceSymbolEdit {
  /** Replace a function, class or other declaration, decorators included. */
  readonly op: 'replace_symbol'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** A name or name path of the file as you read it, such as Class/method; [i] picks among equal names, @L12 by line. */
  readonly symbol: string
  /** The new lines. A final newline belongs to the last of them; line endings become those of the file. */
  readonly text: string
  /** Take the comment that stands directly above along. */
  readonly with_doc?: boolean
  /** The new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks. */
  readonly literal?: boolean
}

export interface ReplaceTextEdit {
  /** Replace a text. It must stand in the file exactly once, unless you say all or expected_count. */
  readonly op: 'replace_text'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** The text to find, exactly as the file has it, white space included. */
  readonly find: string
  /** What shall stand there instead, taken literally. */
  readonly replace: string
  /** Take every place where the text stands. */
  readonly all?: boolean
  /** How many places there are; any other number is refused. All of them are taken. */
  readonly expected_count?: number
  /** The new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks. */
  readonly literal?: boolean
}

export interface ReposAnswer {
  readonly repositories: readonly Repository[]
}

export interface Repository {
  readonly name: string
  readonly path: string
  readonly object_format: string
  /** Null where there is no commit yet. */
  readonly head: string | null
}

/** The answer that the caller said to have holds. */
export interface SameAnswer {
  readonly pattern: string
  readonly mode: 'literal' | 'regex' | 'symbols'
  readonly same: true
  /** Sent as `if_result` it spares the same answer. */
  readonly result: string
  /** Nothing has changed since it was asked before. */
  readonly cached?: true
}

/** What a search found, by file. */
export interface SearchAnswer {
  readonly pattern: string
  readonly mode: 'literal' | 'regex' | 'symbols'
  readonly engine: 'git grep' | 'ripgrep' | 'git grep -P' | 'symbols'
  readonly files: readonly FileHits[]
  readonly shown_hits: number
  readonly total_hits: number
  readonly total_files: number
  readonly truncated: boolean
  /** The `after` that goes on. */
  readonly next?: string
  /** How to get what was left out. */
  readonly go_on?: string
  readonly skipped?: SkippedFiles
  readonly symbols_missing?: true
  /** Sent as `if_result` it spares the same answer. */
  readonly result: string
  /** Nothing has changed since it was asked before. */
  readonly cached?: true
}

/** One line that fits. */
export interface SearchHit {
  readonly line: number
  /** Where in the line it fits first, from 1, in UTF-16 code units. */
  readonly column: number
  /** The line; a long one is cut around the hit, with … for the rest. */
  readonly text: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
  readonly symbol?: SymbolAround
}

export interface SearchReplaceEdit {
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path?: string
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly file_path?: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** The text to replace, as the file has it; empty to create the file. */
  readonly old_string: string
  /** What shall stand there instead. */
  readonly new_string: string
  /** Replace every place, not the only one. */
  readonly replace_all?: boolean
  /** How many places there are; any other number is refused. All are replaced. */
  readonly expected_replacements?: number
}

export interface SetModeEdit {
  /** Make a file executable or not. */
  readonly op: 'set_mode'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** True for mode 100755, false for 100644. */
  readonly executable: boolean
}

/** The operator's command in a new worktree. */
export interface SetupAnswer {
  /** interrupted: the server has ended before it. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'interrupted'
  readonly command: readonly string[]
  readonly exit_code?: number
  /** Why it failed, where it did not say so itself. */
  readonly reason?: string
  readonly seconds?: number
  /** The end of what it printed, where it failed. */
  readonly output?: string
}

/** Files that fit and cannot be shown, by the reason. */
export interface SkippedFiles {
  readonly binary?: number
  readonly large?: number
  readonly link?: number
  readonly unnamed?: number
  readonly changed?: number
  readonly encoded?: number
  readonly unread?: number
}

/** Where a worktree stands. */
export interface StateAnswer {
  readonly id: string
  readonly repo: string
  readonly agent: string
  readonly branch: string
  /** Its directory. */
  readonly path: string
  /** The commit that the branch started at. */
  readonly base: string
  readonly head: string
  /** The commit up to which changes were reported. */
  readonly reported: string
  /** Where files are written only when asked for. */
  readonly files?: 'none'
  /** Where lines are read after anchors. */
  readonly view?: 'hashline'
  readonly anchors?: 'content' | 'chunk' | 'checkpoint'
  /** Files that differ from head, with git's two status letters. */
  readonly dirty: readonly {
    readonly path: string
    readonly status: string
  }[]
  readonly unreported_commits: number
  /** Commits that no other branch has. */
  readonly unlanded_commits: number
  /** Files that are in git alone. */
  readonly absent_files: number
  readonly setup?: SetupAnswer
  /** Texts that are being written. */
  readonly drafts?: readonly DraftAnswer[]
  /** Why batches are refused just now. */
  readonly locked?: string
}

/** The innermost declaration around a hit. */
export interface SymbolAround {
  readonly name_path: string
  readonly kind:
    | 'function'
    | 'arrow'
    | 'method'
    | 'getter'
    | 'setter'
    | 'constructor'
    | 'class'
    | 'interface'
    | 'type'
    | 'enum'
    | 'namespace'
    | 'property'
    | 'const'
    | 'var'
    | 'object'
    | 'component'
    | 'hook'
    | 'reexport'
    | 'test'
    | 'struct'
    | 'trait'
    | 'impl'
    | 'module'
    | 'macro'
    | 'field'
    | 'record'
    | 'protocol'
    | 'extension'
    | 'mixin'
    | 'heading'
    | 'key'
    | 'rule'
    | 'element'
    | 'table'
    | 'view'
    | 'target'
  readonly start_line: number
  readonly end_line: number
}

export interface SymbolMatch {
  readonly path: string
  readonly rev: string
  readonly name_path: string
  readonly kind:
    | 'function'
    | 'arrow'
    | 'method'
    | 'getter'
    | 'setter'
    | 'constructor'
    | 'class'
    | 'interface'
    | 'type'
    | 'enum'
    | 'namespace'
    | 'property'
    | 'const'
    | 'var'
    | 'object'
    | 'component'
    | 'hook'
    | 'reexport'
    | 'test'
    | 'struct'
    | 'trait'
    | 'impl'
    | 'module'
    | 'macro'
    | 'field'
    | 'record'
    | 'protocol'
    | 'extension'
    | 'mixin'
    | 'heading'
    | 'key'
    | 'rule'
    | 'element'
    | 'table'
    | 'view'
    | 'target'
  readonly start_line: number
  readonly end_line: number
}

/** Where names are declared that fit a query, those that fit best first. */
export interface SymbolMatches {
  readonly query: string
  readonly matches: readonly SymbolMatch[]
  readonly total: number
  readonly truncated: boolean
  /** How to get what was left out. */
  readonly go_on?: string
}

/** One declaration; the lines are those of its whole statement. */
export interface ToldSymbol {
  readonly name: string
  readonly kind:
    | 'function'
    | 'arrow'
    | 'method'
    | 'getter'
    | 'setter'
    | 'constructor'
    | 'class'
    | 'interface'
    | 'type'
    | 'enum'
    | 'namespace'
    | 'property'
    | 'const'
    | 'var'
    | 'object'
    | 'component'
    | 'hook'
    | 'reexport'
    | 'test'
    | 'struct'
    | 'trait'
    | 'impl'
    | 'module'
    | 'macro'
    | 'field'
    | 'record'
    | 'protocol'
    | 'extension'
    | 'mixin'
    | 'heading'
    | 'key'
    | 'rule'
    | 'element'
    | 'table'
    | 'view'
    | 'target'
  readonly start_line: number
  /** Included. */
  readonly end_line: number
  readonly flags?: readonly (
    | 'exported'
    | 'default'
    | 'async'
    | 'generator'
    | 'static'
    | 'abstract'
    | 'overload'
    | 'declare'
    | 'shared'
  )[]
  readonly children?: readonly ToldSymbol[]
}

export interface VerifyAnswer {
  readonly id: string
  readonly head: string
  readonly ok: boolean
  readonly checked: {
    readonly commits: number
    readonly trees: number
    readonly blobs: number
    readonly trailers: number
  }
  /** Which program was the second reader of what. */
  readonly checker: {
    readonly objects: 'isomorphic-git' | 'git'
    readonly trailers: 'isomorphic-git' | 'git'
    readonly index: 'git'
    readonly parsed_by_git?: number
    readonly why?: string
  }
  readonly problems: readonly VerifyProblem[]
  /** Entries of the index that somebody staged. */
  readonly staged: number
  /** Objects of which only the size was looked up. */
  readonly large_blobs: number
  readonly complete: boolean
  /** The `before` that goes on. */
  readonly next?: string
}

/** Something that two readings of one thing do not agree on. */
export interface VerifyProblem {
  readonly commit: string
  readonly what:
    | 'commit'
    | 'tree'
    | 'blob'
    | 'files'
    | 'trailer'
    | 'history'
    | 'connectivity'
    | 'index'
  readonly path?: string
  readonly expected: string | null
  readonly actual: string | null
}

/** What is worth a look, though the batch was done. */
export interface Warning {
  readonly code:
    | 'near_rewrite'
    | 'would_be_renormalised'
    | 'external_changes_committed'
    | 'file_kept'
    | 'worktree_behind'
    | 'introduces_syntax_error'
  readonly path?: string
  readonly op?: number
  /** The line of the new file that it is about. */
  readonly line?: number
  readonly uncertain?: true
}

export interface WholeFileEdit {
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** The whole content. */
  readonly content?: string
  /** Another name for content. */
  readonly text?: string
}

/** An agent's worktree. */
export interface Worktree {
  readonly id: string
  readonly repo: string
  readonly agent: string
  readonly branch: string
  /** Its directory. */
  readonly path: string
  /** The commit that the branch started at. */
  readonly base: string
  readonly head: string
  /** The commit up to which changes were reported. */
  readonly reported: string
  /** Where files are written only when asked for. */
  readonly files?: 'none'
  /** Where lines are read after anchors. */
  readonly view?: 'hashline'
  readonly anchors?: 'content' | 'chunk' | 'checkpoint'
}

export interface WorktreesAnswer {
  readonly worktrees: readonly Worktree[]
}

export interface WriteFileEdit {
  /** Create a file, or replace the whole content of one. */
  readonly op: 'write_file'
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough. */
  readonly expected_rev?: string | null
  /** The whole content as text. */
  readonly text?: string
  /** The whole content as base64, instead of text, for binary files. */
  readonly content_base64?: string
  /** File mode; 100755 is executable. Kept as it is where absent. */
  readonly mode?: '100644' | '100755'
  /** The new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks. */
  readonly literal?: boolean
}

/** What `repos` is asked with. */
export type ReposInput = Readonly<Record<string, never>>

/** What `open` is asked with. */
export interface OpenInput {
  /** Name of the agent: lower-case letters, digits, dot, underscore and hyphen. */
  readonly agent: string
  /** Name of the repository; needed only where several are served. */
  readonly repo?: string
  /** Branch, tag or commit to start from; the checked-out commit where it is absent. */
  readonly base?: string
  /** none: a new worktree gets no files, at once, until they are materialised; all is the default. */
  readonly files?: 'all' | 'none'
  /** hashline: every read gives each line after an anchor, for the edits of dialect hashline; plain is the default. */
  readonly view?: 'plain' | 'hashline'
  /** Name of the model, kept in each commit. */
  readonly model?: string
}

/** What `worktrees` is asked with. */
export type WorktreesInput = Readonly<Record<string, never>>

/** What `state` is asked with. */
export interface StateInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
}

/** What `close` is asked with. */
export interface CloseInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Close it all the same and keep the branch as refs/editlatch/closed/<name>. */
  readonly force?: boolean
}

/** What `files` is asked with. */
export interface FilesInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Only paths that begin so. */
  readonly prefix?: string
  /** Only paths that fit, such as src/** /*.ts. */
  readonly glob?: string
  /** How many to answer. */
  readonly limit?: number
  /** Bytes of paths to answer; 49152 where nothing is said. */
  readonly max_bytes?: number
  /** Only paths after this one; `next` of the answer before. */
  readonly after?: string
}

/** What `read` is asked with. */
export interface ReadInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path?: string
  /** Instead of path: several files, each as path, path:10-40, path:10-40,90-99, path::Class/method, or path@31,90 for the declarations around these lines with others in them folded; in a query one a line. */
  readonly paths?: readonly string[]
  /** Lines to answer, from 1 and both included, such as "10-40" or "10-". */
  readonly lines?: string
  /** Instead of lines: a name, or a name path such as Class/method, whose whole statement is answered. */
  readonly symbol?: string
  /** Lines before and after the symbol to answer with it. */
  readonly context_lines?: number
  /** Text as it stands, each line after its number and a tab, or each after its anchor; the view that the worktree was opened with where absent. */
  readonly view?: 'plain' | 'numbered' | 'hashline'
  /** A revision you hold, or several with commas; a file that still is that one is only told to be so. */
  readonly if_rev?: string
  /** The same as a header; nothing is answered where it still is that one. */
  readonly known_rev?: string
  /** Bytes of text to answer at most, of all files together. */
  readonly max_bytes?: number
  /** Answer the bytes of the blob itself. */
  readonly raw?: boolean
}

/** What `symbols` is asked with. */
export interface SymbolsInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** The file to outline; with query a glob or how the paths begin. */
  readonly path?: string
  /** A part of a name, in any case, or of a name path such as Class/method. */
  readonly query?: string
  /** query is a pattern for names and name paths, without look-around. */
  readonly regex?: boolean
  /** Only these kinds, such as class,function. */
  readonly kinds?: string
  /** Levels below the top ones that an outline shows; 1 where absent. */
  readonly depth?: number
}

/** What `search` is asked with. */
export interface SearchInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** What to look for, on one line. */
  readonly pattern: string
  /** literal: the text as it is, which is what holds where nothing is said; regex: a pattern without look-around and back-references; symbols: declarations whose names hold it. */
  readonly mode?: 'literal' | 'regex' | 'symbols'
  /** Only this file or directory. */
  readonly path?: string
  /** Only paths that fit, such as src/** /*.ts. */
  readonly glob?: string
  /** Whether upper and lower case differ; they do where nothing is said. */
  readonly case?: 'sensitive' | 'ignore'
  /** Lines to show before and after each hit; none where nothing is said. */
  readonly context?: number
  /** Hits to answer; 20 where nothing is said. */
  readonly limit?: number
  /** Bytes of the answer as text; 6144 where nothing is said. */
  readonly max_bytes?: number
  /** Only files after this path; `next` of the answer before. */
  readonly after?: string
  /** `result` of an answer that you still have; the same again is told in one line. */
  readonly if_result?: string
}

/** What `map` is asked with. */
export interface MapInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Only what is below this directory. */
  readonly path?: string
  /** Directories deeper than this are folded; none where nothing is said. */
  readonly depth?: number
  /** Bytes of the map as text; 12288 where nothing is said. */
  readonly max_bytes?: number
  /** Names to tell of the files that come first; 8 where nothing is said. */
  readonly symbols?: number
  /** churn: by recent work, where nothing is said; central: by how many import it. */
  readonly sort?: 'churn' | 'central'
}

/** What `edit` is asked with. */
export interface EditInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** The edits, in order; all of them or none. What each looks like depends on dialect. */
  readonly edits?: readonly Edit[] | Edit | string
  /** The edits as one text, instead of edits, for the dialects that are text. */
  readonly patch?: string
  /** How the edits are said; "ops", the native one, where absent. */
  readonly dialect?:
    | 'ops'
    | 'search_replace'
    | 'opencode'
    | 'patches'
    | 'whole_file'
    | 'markdown'
    | 'search_replace_blocks'
    | 'apply_patch'
    | 'unified_diff'
    | 'hashline'
  /** Revisions of files, for dialects that have no place for them. */
  readonly expected_revs?: readonly {
    /** Path of a file. */
    readonly path: string
    /** The revision you read; "new": there must be none. */
    readonly rev: string
  }[]
  /** Commit message; the first line is the subject. Made from the edits where absent. */
  readonly message?: string
  /** One line that says why. */
  readonly intent?: string
  /** Full id of the commit you read; it vouches for every file without expected_rev. */
  readonly expected_head?: string
  /** rebase: where a file has changed since the revision you name, apply the edit to that revision and merge; lands only if clean. */
  readonly on_conflict?: 'refuse' | 'rebase'
  /** Refuse the batch if a file of a known language would get a syntax error. */
  readonly require_valid?: boolean
  /** apply_patch only: where a hunk fits several places, take the first, as some tools do. */
  readonly first_match?: boolean
  /** Every new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks. */
  readonly literal?: boolean
  /** The most lenient way in which text may be found; never more than the repository allows. */
  readonly max_level?:
    | 'exact'
    | 'trailing_whitespace'
    | 'line_trimmed'
    | 'whitespace_normalised'
    | 'indentation_flexible'
    | 'unicode_normalised'
    | 'block_anchor'
  /** How much alike the middle of a block must be at block_anchor; never less than the repository asks. */
  readonly min_similarity?: number
  /** Answer what would happen and change nothing. */
  readonly dry_run?: boolean
  /** What the receipt shows of each file: changed line ranges only, or a patch with 0, 1 or 3 lines of context (u3: as git apply takes it). Absent: ranges, and u1 where the gateway chose place or text. */
  readonly detail?: 'ranges' | 'u0' | 'u1' | 'u3'
  /** legacy: sentences of refusals as they were first published, word for word. */
  readonly error_style?: 'current' | 'legacy'
  /** Idempotency key: sending the same request with the same key again changes nothing. */
  readonly idempotency_key?: string
}

/** What `write` is asked with. */
export interface WriteInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The bytes of the file. */
  readonly content: Uint8Array
  /** The revision that you read; the file is replaced only if it still is that one. */
  readonly expected_rev?: string
  /** Create the file only if there is none. */
  readonly must_not_exist?: boolean
  /** Commit message; the first line is the subject. Made from the edits where it is absent. */
  readonly message?: string
  /** One line that says why. */
  readonly intent?: string
  /** Answer what would happen and change nothing. */
  readonly dry_run?: boolean
  /** What the receipt shows of each file: changed line ranges only, or a patch with 0, 1 or 3 lines of context (u3: as git apply takes it). Absent: ranges, and u1 where the gateway chose place or text. */
  readonly detail?: 'ranges' | 'u0' | 'u1' | 'u3'
  /** legacy: sentences of refusals as they were first published, word for word. */
  readonly error_style?: 'current' | 'legacy'
  /** Idempotency key: sending the same request with the same key again changes nothing. */
  readonly idempotency_key?: string
}

/** What `draftWrite` is asked with. */
export interface DraftWriteInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Name of the draft: lower-case letters, digits, underscore and hyphen. */
  readonly draft?: string
  /** How many lines the draft has already; 0 begins it. Refused where that is wrong. */
  readonly after_lines: number
  /** The next lines; a last one without its newline gets it. */
  readonly text: string
}

/** What `draftCommit` is asked with. */
export interface DraftCommitInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Name of the draft: lower-case letters, digits, underscore and hyphen. */
  readonly draft: string
  /** Path of the file from the root of the repository, with forward slashes. */
  readonly path: string
  /** The revision that you read; "new" for a file that must not exist. */
  readonly expected_rev: string
  /** What becomes of the text: the whole file, or lines of it. */
  readonly op: 'write_file' | 'append_lines' | 'insert_lines' | 'replace_lines'
  /** insert_lines: the line to insert before. */
  readonly line?: number
  /** replace_lines: the first line. */
  readonly start_line?: number
  /** replace_lines: the last line, included. */
  readonly end_line?: number
  /** The text is meant as it stands, though it looks like a slip. */
  readonly literal?: boolean
  /** Commit message; the first line is the subject. Made from the edits where it is absent. */
  readonly message?: string
  /** One line that says why. */
  readonly intent?: string
  /** Refuse it if the file would get a syntax error. */
  readonly require_valid?: boolean
  /** Answer what would happen and change nothing. */
  readonly dry_run?: boolean
  /** What the receipt shows of each file: changed line ranges only, or a patch with 0, 1 or 3 lines of context (u3: as git apply takes it). Absent: ranges, and u1 where the gateway chose place or text. */
  readonly detail?: 'ranges' | 'u0' | 'u1' | 'u3'
  /** Idempotency key: sending the same request with the same key again changes nothing. */
  readonly idempotency_key?: string
}

/** What `diff` is asked with. */
export interface DiffInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** From the base of the branch, reported or not. */
  readonly full?: boolean
  /** From this commit instead of the last report. */
  readonly since?: string
  /** Only this file. */
  readonly path?: string
  /** Changed line ranges only, or patches with 0, 1 or 3 lines of context; u3 are as git apply takes them. u1 where absent. */
  readonly detail?: 'ranges' | 'u0' | 'u1' | 'u3'
  /** Mark what is answered as reported. */
  readonly mark?: boolean
}

/** What `log` is asked with. */
export interface LogInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** How many to answer. */
  readonly limit?: number
  /** Only those before this commit. */
  readonly before?: string
}

/** What `batch` is asked with. */
export interface BatchInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Id of the commit, as a receipt or the log answered it; its first twelve digits are enough. */
  readonly commit: string
}

/** What `revert` is asked with. */
export interface RevertInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Id of the commit, as a receipt or the log answered it; its first twelve digits are enough. */
  readonly commit: string
  /** Commit message; the first line is the subject. Made from the edits where it is absent. */
  readonly message?: string
  /** Answer what would happen and change nothing. */
  readonly dry_run?: boolean
  /** What the receipt shows of each file: changed line ranges only, or a patch with 0, 1 or 3 lines of context (u3: as git apply takes it). Absent: ranges, and u1 where the gateway chose place or text. */
  readonly detail?: 'ranges' | 'u0' | 'u1' | 'u3'
  /** Idempotency key: sending the same request with the same key again changes nothing. */
  readonly idempotency_key?: string
}

/** What `snapshot` is asked with. */
export interface SnapshotInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Commit message; the first line is the subject. Made from the edits where it is absent. */
  readonly message?: string
  /** What the receipt shows of each file: changed line ranges only, or a patch with 0, 1 or 3 lines of context (u3: as git apply takes it). Absent: ranges, and u1 where the gateway chose place or text. */
  readonly detail?: 'ranges' | 'u0' | 'u1' | 'u3'
}

/** What `materialise` is asked with. */
export interface MaterialiseInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Only these files, and those below these directories. */
  readonly paths?: readonly string[]
}

/** What `verify` is asked with. */
export interface VerifyInput {
  /** The worktree: its id as answered at opening, or the agent name where that is unique. */
  readonly worktree: string
  /** Only commits before this one; `next` of the answer before. */
  readonly before?: string
}

/** What `events` is asked with. */
export interface EventsInput {
  /** Only events of this worktree, by its full id. */
  readonly worktree?: string
  /** Id of the last event seen; those after it come first. */
  readonly since?: number
}

/** What `doctor` is asked with. */
export type DoctorInput = Readonly<Record<string, never>>

/** Everything that can be asked, a method for each command. */
export interface Commands {
  /** List the repositories that are served. */
  readonly repos: Ask<ReposInput, ReposAnswer, 'optional'>

  /** Open a worktree for an agent, on its own branch; opening it again answers the same one. */
  readonly open: Ask<OpenInput, OpenedAnswer>

  /** List the worktrees of all agents. */
  readonly worktrees: Ask<WorktreesInput, WorktreesAnswer, 'optional'>

  /** Say where a worktree stands: branch, head, files changed outside, work not reported or not landed. */
  readonly state: Ask<StateInput, StateAnswer>

  /** Close a worktree; refused while it holds work that no other branch has. */
  readonly close: Ask<CloseInput, ClosedAnswer>

  /** List the files of a worktree that git does not ignore. */
  readonly files: Ask<FilesInput, FilesAnswer>

  /** Read a file, or some of its lines, with the revision that an edit must name. */
  readonly read: Read<ReadInput, ReadAnswer | NotModified | RefusedFile | ManyFilesAnswer>

  /** List what a file declares, or find where a name is declared, with lines and revision. */
  readonly symbols: Ask<SymbolsInput, OutlineAnswer | SymbolMatches>

  /** Find lines by text or pattern, with the revision of each file and the symbol around. */
  readonly search: Ask<SearchInput, SearchAnswer | SameAnswer>

  /** Draw the tree of files with key symbols, those first that are worked on most. */
  readonly map: Ask<MapInput, MapAnswer>

  /** Apply a batch of edits as one commit; all of them or none. */
  readonly edit: Ask<EditInput, Receipt>

  /** Write a whole file as one commit, from the bytes of the body. */
  readonly write: Ask<WriteInput, Receipt>

  /** Add whole lines to a draft: a long text that is written in pieces and then landed. */
  readonly draftWrite: Ask<DraftWriteInput, DraftAnswer>

  /** Put the text of a draft into a file as one commit; the draft is gone then. */
  readonly draftCommit: Ask<DraftCommitInput, Receipt>

  /** Show what changed since the last report; marking it makes the next diff start from here. */
  readonly diff: Ask<DiffInput, DiffAnswer>

  /** List the batches of a worktree, newest first. */
  readonly log: Ask<LogInput, LogAnswer>

  /** Show one batch again, with its receipt and patches. */
  readonly batch: Ask<BatchInput, BatchAnswer>

  /** Undo one batch by a new commit; refused where later work stands on it. */
  readonly revert: Ask<RevertInput, Receipt>

  /** Commit what other programs or people changed in the directory of the worktree. */
  readonly snapshot: Ask<SnapshotInput, Receipt>

  /** Write the files of a worktree that was opened without them, all or some. */
  readonly materialise: Ask<MaterialiseInput, MaterialisedAnswer>

  /** Read every commit of a worktree again with a second implementation of git and compare. */
  readonly verify: Ask<VerifyInput, VerifyAnswer>

  /** Follow what happens: batches committed, files changed outside (drift), new worktrees set up, worktrees opened and closed. */
  readonly events: Follow<EventsInput, GatewayEvent, 'optional'>

  /** Check the machine, the repositories and what was left behind; it changes nothing. */
  readonly doctor: Ask<DoctorInput, DoctorAnswer, 'optional'>
}

/** Where the fields of each command stand in a request: the first place of each. */
export const places: Readonly<Record<keyof Commands, Places>> = {
  repos: {
    command: 'repos',
    kind: 'value',
    routes: [{ method: 'GET', path: '/v1/repos' }],
    fields: {},
  },
  open: {
    command: 'open',
    kind: 'value',
    routes: [{ method: 'POST', path: '/v1/worktrees' }],
    fields: {
      agent: 'json',
      repo: 'json',
      base: 'json',
      files: 'json',
      view: 'json',
      model: 'json',
    },
  },
  worktrees: {
    command: 'worktrees',
    kind: 'value',
    routes: [{ method: 'GET', path: '/v1/worktrees' }],
    fields: {},
  },
  state: {
    command: 'state',
    kind: 'value',
    routes: [
      { method: 'GET', path: '/v1/worktrees/:worktree' },
      { method: 'GET', path: '/v1/worktrees/:worktree/state' },
    ],
    fields: { worktree: 'path' },
  },
  close: {
    command: 'close',
    kind: 'value',
    routes: [{ method: 'DELETE', path: '/v1/worktrees/:worktree' }],
    fields: { worktree: 'path', force: 'query' },
  },
  files: {
    command: 'files',
    kind: 'value',
    routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/files' }],
    fields: {
      worktree: 'path',
      prefix: 'query',
      glob: 'query',
      limit: 'query',
      max_bytes: 'query',
      after: 'query',
    },
  },
  read: {
    command: 'read',
    kind: 'value',
    routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/file' }],
    fields: {
      worktree: 'path',
      path: 'query',
      paths: 'query',
      lines: 'query',
      symbol: 'query',
      context_lines: 'query',
      view: 'query',
      if_rev: 'query',
      known_rev: 'header:if-none-match',
      max_bytes: 'query',
      raw: 'accept:application/octet-stream',
    },
  },
  symbols: {
    command: 'symbols',
    kind: 'value',
    routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/symbols' }],
    fields: {
      worktree: 'path',
      path: 'query',
      query: 'query',
      regex: 'query',
      kinds: 'query',
      depth: 'query',
    },
  },
  search: {
    command: 'search',
    kind: 'value',
    routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/search' }],
    fields: {
      worktree: 'path',
      pattern: 'query',
      mode: 'query',
      path: 'query',
      glob: 'query',
      case: 'query',
      context: 'query',
      limit: 'query',
      max_bytes: 'query',
      after: 'query',
      if_result: 'query',
    },
  },
  map: {
    command: 'map',
    kind: 'value',
    routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/map' }],
    fields: {
      worktree: 'path',
      path: 'query',
      depth: 'query',
      max_bytes: 'query',
      symbols: 'query',
      sort: 'query',
    },
  },
  edit: {
    command: 'edit',
    kind: 'value',
    routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/batches' }],
    fields: {
      worktree: 'path',
      edits: 'json',
      patch: 'json',
      dialect: 'json',
      expected_revs: 'json',
      message: 'json',
      intent: 'json',
      expected_head: 'json',
      on_conflict: 'json',
      require_valid: 'json',
      first_match: 'json',
      literal: 'json',
      max_level: 'json',
      min_similarity: 'json',
      dry_run: 'json',
      detail: 'json',
      error_style: 'json',
      idempotency_key: 'header:idempotency-key',
    },
  },
  write: {
    command: 'write',
    kind: 'value',
    routes: [{ method: 'PUT', path: '/v1/worktrees/:worktree/file' }],
    fields: {
      worktree: 'path',
      path: 'query',
      content: 'raw-body',
      expected_rev: 'header:if-match',
      must_not_exist: 'header:if-none-match',
      message: 'query',
      intent: 'query',
      dry_run: 'query',
      detail: 'query',
      error_style: 'query',
      idempotency_key: 'header:idempotency-key',
    },
  },
  draftWrite: {
    command: 'draft-write',
    kind: 'value',
    routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/drafts' }],
    fields: { worktree: 'path', draft: 'json', after_lines: 'json', text: 'json' },
  },
  draftCommit: {
    command: 'draft-commit',
    kind: 'value',
    routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/drafts/:draft/commit' }],
    fields: {
      worktree: 'path',
      draft: 'path',
      path: 'json',
      expected_rev: 'json',
      op: 'json',
      line: 'json',
      start_line: 'json',
      end_line: 'json',
      literal: 'json',
      message: 'json',
      intent: 'json',
      require_valid: 'json',
      dry_run: 'json',
      detail: 'json',
      idempotency_key: 'header:idempotency-key',
    },
  },
  diff: {
    command: 'diff',
    kind: 'value',
    routes: [
      { method: 'GET', path: '/v1/worktrees/:worktree/diff', preset: { mark: false } },
      { method: 'POST', path: '/v1/worktrees/:worktree/diff', preset: { mark: true } },
    ],
    fields: {
      worktree: 'path',
      full: 'query',
      since: 'query',
      path: 'query',
      detail: 'query',
      mark: 'query',
    },
  },
  log: {
    command: 'log',
    kind: 'value',
    routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/batches' }],
    fields: { worktree: 'path', limit: 'query', before: 'query' },
  },
  batch: {
    command: 'batch',
    kind: 'value',
    routes: [{ method: 'GET', path: '/v1/worktrees/:worktree/batches/:commit' }],
    fields: { worktree: 'path', commit: 'path' },
  },
  revert: {
    command: 'revert',
    kind: 'value',
    routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/batches/:commit/revert' }],
    fields: {
      worktree: 'path',
      commit: 'path',
      message: 'json',
      dry_run: 'json',
      detail: 'json',
      idempotency_key: 'header:idempotency-key',
    },
  },
  snapshot: {
    command: 'snapshot',
    kind: 'value',
    routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/snapshot' }],
    fields: { worktree: 'path', message: 'json', detail: 'json' },
  },
  materialise: {
    command: 'materialise',
    kind: 'value',
    routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/materialise' }],
    fields: { worktree: 'path', paths: 'json' },
  },
  verify: {
    command: 'verify',
    kind: 'value',
    routes: [{ method: 'POST', path: '/v1/worktrees/:worktree/verify' }],
    fields: { worktree: 'path', before: 'query' },
  },
  events: {
    command: 'events',
    kind: 'stream',
    routes: [{ method: 'GET', path: '/v1/events' }],
    fields: { worktree: 'query', since: 'header:last-event-id' },
  },
  doctor: {
    command: 'doctor',
    kind: 'value',
    routes: [{ method: 'GET', path: '/v1/doctor' }],
    fields: {},
  },
}
