/** What an agent should do after a refusal. */
export type NextAction =
  | 'reread'
  | 'add_context'
  | 'use_rev'
  | 'split'
  | 'use_other_op'
  | 'fix_request'
  | 'retry'
  | 'open_worktree'
  | 'ask_user'

interface Entry {
  readonly status: number
  readonly nextAction: NextAction
  /** What is so and what to do next, with holes for the caller's own words; never holds file content or agent text. */
  readonly sentence: string
}

const entry = (status: number, nextAction: NextAction, sentence: string): Entry => ({
  status,
  nextAction,
  sentence,
})

/** Every refusal there is. Codes and data are public API; sentences may improve. */
export const catalogue = {
  INVALID_ARGUMENTS: entry(
    400,
    'fix_request',
    'The request does not fit the schema; `problem` or `problems` says where. Correct it and send it again.',
  ),
  INVALID_SETTINGS: entry(
    400,
    'ask_user',
    'A setting does not fit. `file` and `key`, or `variable`, say where it stands and `expected` what it must be. Correct it there and start again.',
  ),
  BAD_PATH: entry(
    400,
    'fix_request',
    'The path is not a normal relative path of the repository. Use forward slashes, no leading slash, no "." or ".." and no control characters.',
  ),
  ARGUMENTS_TRUNCATED: entry(
    400,
    'split',
    'The request body ended early. Send it again in smaller parts.',
  ),
  UNAUTHENTICATED: entry(
    401,
    'ask_user',
    'A valid bearer token is needed. Send it as "Authorization: Bearer <token>".',
  ),
  FORBIDDEN: entry(
    403,
    'ask_user',
    'This token does not allow that. Use the token that was answered when the worktree was opened.',
  ),
  FOREIGN_OWNER: entry(
    403,
    'ask_user',
    'The repository belongs to another user. Its owner can serve it, or an administrator can list it under safe.directory.',
  ),
  PROTECTED_PATH: entry(
    403,
    'ask_user',
    'Files at this path configure other tools and are not editable here. Ask the operator to allow the path when starting the server.',
  ),
  SYMLINK: entry(
    403,
    'use_other_op',
    'The path leads through or to a symbolic link, which is never followed. Name the real file.',
  ),
  UNSAFE_TOKEN_FILE: entry(
    403,
    'ask_user',
    "The file that holds the server's token is not safe; `problem` says why. It must be a plain file of your own with mode 0600, in a directory that only you can write.",
  ),
  BAD_HOST: entry(
    403,
    'ask_user',
    'The Host or Origin of the request is not allowed. Use the URL that the server printed.',
  ),
  NOT_FOUND: entry(
    404,
    'fix_request',
    'There is no such thing here. List what there is and use its exact name.',
  ),
  FILE_NOT_FOUND: entry(404, 'reread', 'There is no file at this path. {list}, or {create}.'),
  OBJECT_MISSING: entry(
    404,
    'ask_user',
    'Git does not hold an object that this needs. In a partial or damaged clone, fetch it with your own git first.',
  ),
  METHOD_NOT_ALLOWED: entry(
    405,
    'fix_request',
    'This path does not take this method. The Allow header names those it takes.',
  ),
  CONTENT_REV_CONFLICT: entry(
    409,
    'use_rev',
    'The file is no longer at the revision you named. `actual` is its revision now and `patch`, where given, is what changed since; adapt the edit and send it with `actual`, or with `head` as expected_head where you named that.',
  ),
  HEAD_MOVED: entry(
    409,
    'ask_user',
    'The worktree is not on its own branch. Check the branch out there again.',
  ),
  PATH_EXISTS: entry(
    409,
    'use_rev',
    'Something stands at this path already. {read} and name its revision, or choose another path.',
  ),
  MERGE_CONFLICT: entry(
    409,
    'reread',
    'The edit and what happened meanwhile touch the same lines. {read} again and adapt the edit.',
  ),
  KEY_IN_FLIGHT: entry(
    409,
    'retry',
    'A batch with this idempotency key is being worked on. Ask again in a moment.',
  ),
  WORKTREE_EXISTS: entry(
    409,
    'fix_request',
    'An agent of this name already works from another base or in another view. Leave `base` and `view` out to go on with it, or choose another name.',
  ),
  UNLANDED: entry(
    409,
    'ask_user',
    'The worktree holds work that no other branch has. Merge its branch first, or have a person close it with force.',
  ),
  DRAFT_CONFLICT: entry(
    409,
    'fix_request',
    'The draft does not end where you said. `actual_lines` is how many lines it has and `last_lines` how it ends; send what comes after them, or begin a draft of another name.',
  ),
  DEPENDENT_CHANGES: entry(
    409,
    'reread',
    'Later work stands on what this batch did, so it cannot be undone alone. `paths` says where; edit those files instead.',
  ),
  DIVERGED: entry(
    409,
    'ask_user',
    'A batch was cut off and its branch was moved by somebody before it could be finished. Nothing was touched; a person must look at `intent` and then delete that file.',
  ),
  WORKTREE_GONE: entry(
    410,
    'open_worktree',
    'The directory of this worktree is gone. Its branch is safe; `repair` says how to bring it back.',
  ),
  TOO_LARGE: entry(413, 'split', 'This is larger than the limit. Send it in smaller parts.'),
  UNSUPPORTED_MEDIA_TYPE: entry(
    415,
    'fix_request',
    'The content type is missing or not one that this route takes. JSON routes want "application/json".',
  ),
  UNSUPPORTED_ENCODING: entry(
    415,
    'use_other_op',
    'The text there cannot be decoded without loss, so it cannot be edited as text. {write_bytes}.',
  ),
  ZERO_MATCHES: entry(
    422,
    'add_context',
    'The text was not found. Compare it with `candidates`, copy the file exactly as it stands, and send it again.',
  ),
  AMBIGUOUS_MATCH: entry(
    422,
    'add_context',
    'The text stands there more than once; `matches` lists where. Add lines around it until it is unique, or say all.',
  ),
  ANCHOR_STALE: entry(
    422,
    'use_rev',
    'The line is no longer what the anchor says. `shifted_to`, where given, is the anchor of the place where its text seems to stand now; check it in `context`, which has fresh anchors, and send the edit again.',
  ),
  ANCHOR_AMBIGUOUS: entry(
    422,
    'add_context',
    'The line is no longer what the anchor says, and its text may stand at several places now; `candidates` has their anchors. Read around them and send the edit again with the one you mean.',
  ),
  SUSPECT_TEXT: entry(
    422,
    'fix_request',
    'The new text looks like a slip: `kind` says which, `line` and `text` where. Write out what a placeholder stands for, send lines without numbers or anchors and breaks as breaks; `suggestion` shows it. If the text is meant as it stands, say literal.',
  ),
  INTRODUCES_SYNTAX_ERROR: entry(
    422,
    'fix_request',
    'The file would get a syntax error that it does not have; `line` and `text` say where. Nothing was written. Correct the new text, or leave `require_valid` out if it is meant so.',
  ),
  LINE_MISMATCH: entry(
    422,
    'reread',
    'The line does not begin with `expect_prefix`; `actual_line` is what stands there. Correct the line number or the prefix.',
  ),
  COUNT_MISMATCH: entry(
    422,
    'add_context',
    'The text stands there `actual_count` times, not `expected_count` times. Correct the count or the text.',
  ),
  OUT_OF_RANGE: entry(
    422,
    'reread',
    'The file has `total_lines` lines; the range lies outside. Correct the line numbers.',
  ),
  FILTERED: entry(
    422,
    'ask_user',
    'The file passes through a git filter (such as LFS) that is not run here. A person can start the server with --trust-config.',
  ),
  UNSUPPORTED_OP: entry(
    422,
    'use_other_op',
    'This file or worktree does not take that; `reason`, where given, says why. `use` names what it takes.',
  ),
  DIALECT_UNPARSABLE: entry(
    422,
    'fix_request',
    'The edit could not be read; `line` says where. Correct the format and send it again.',
  ),
  OVERLAPPING_EDITS: entry(
    422,
    'split',
    'An earlier op of this batch already changed these lines. Join both into one op, or send them as two batches.',
  ),
  NOT_REGULAR: entry(422, 'use_other_op', 'This is not a regular file.'),
  UNSUPPORTED_NAME: entry(
    422,
    'ask_user',
    'The name of this file is not UTF-8 and cannot travel as JSON. A person can rename it with git.',
  ),
  UNSUPPORTED_REPOSITORY: entry(
    422,
    'ask_user',
    'The repository uses something that is not supported here; `problem` says what.',
  ),
  KEY_REUSED: entry(
    422,
    'fix_request',
    'This idempotency key was used for another batch. Use a new key.',
  ),
  PATTERN_TIMEOUT: entry(
    422,
    'fix_request',
    'The pattern took too long. Use a simpler one or a literal search.',
  ),
  LOCKED: entry(
    423,
    'retry',
    'Git is busy or in the middle of an operation in this worktree; `reason` says which. Finish it there and send the request again.',
  ),
  CONTENT_REV_REQUIRED: entry(
    428,
    'use_rev',
    'Name the revision you read as expected_rev ({no_file} for a new file), or expected_head for the whole batch. `actual` is the current one.',
  ),
  RATE_LIMITED: entry(429, 'retry', 'Too many requests at once. Wait a moment and send it again.'),
  CANCELLED: entry(
    499,
    'retry',
    'The request was cancelled before the commit point. Nothing was changed.',
  ),
  IO_FAULT: entry(
    503,
    'retry',
    'The disk or the system answered with an error. Nothing was changed; try again later.',
  ),
  NOT_DURABLE: entry(
    503,
    'reread',
    'The batch stands as `commit`, but the disk did not confirm that it would survive a power cut. Do not send it again; have the disk checked.',
  ),
  TIMEOUT: entry(
    504,
    'retry',
    'It took longer than the limit. Nothing was changed; try again or ask for less.',
  ),
  DISK_FULL: entry(
    507,
    'ask_user',
    'The disk is full. Nothing was changed; free some space and send it again.',
  ),
} as const satisfies Record<string, Entry>
