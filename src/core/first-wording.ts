/** The sentences as they were first published. They are kept for those who parse them, word for word. */
export const firstWording = {
  INVALID_ARGUMENTS:
    'The request does not fit the schema; `problem` or `problems` says where. Correct it and send it again.',
  BAD_PATH:
    'The path is not a normal relative path of the repository. Use forward slashes, no leading slash, no "." or ".." and no control characters.',
  ARGUMENTS_TRUNCATED: 'The request body ended early. Send it again in smaller parts.',
  UNAUTHENTICATED: 'A valid bearer token is needed. Send it as "Authorization: Bearer <token>".',
  FORBIDDEN:
    'This token does not allow that. Use the token that was answered when the worktree was opened.',
  FOREIGN_OWNER:
    'The repository belongs to another user. Its owner can serve it, or an administrator can list it under safe.directory.',
  PROTECTED_PATH:
    'Files at this path configure other tools and are not editable here. Ask the operator to allow the path when starting the server.',
  SYMLINK:
    'The path leads through or to a symbolic link, which is never followed. Name the real file.',
  UNSAFE_TOKEN_FILE:
    "The file that holds the server's token is not safe; `problem` says why. It must be a plain file of your own with mode 0600, in a directory that only you can write.",
  BAD_HOST:
    'The Host or Origin of the request is not allowed. Use the URL that the server printed.',
  NOT_FOUND: 'There is no such thing here. List what there is and use its exact name.',
  FILE_NOT_FOUND:
    'There is no file at this path. List the files, or create it with write_file and expected_rev null.',
  OBJECT_MISSING:
    'Git does not hold an object that this needs. In a partial or damaged clone, fetch it with your own git first.',
  METHOD_NOT_ALLOWED: 'This path does not take this method. The Allow header names those it takes.',
  CONTENT_REV_CONFLICT:
    'The file is no longer at the revision you named. `actual` is its revision now and `patch`, where given, is what changed since; adapt the edit and send it with `actual`.',
  HEAD_MOVED: 'The worktree is not on its own branch. Check the branch out there again.',
  PATH_EXISTS:
    'Something stands at this path already. Read it and name its revision, or choose another path.',
  MERGE_CONFLICT:
    'The edit and what happened meanwhile touch the same lines. Read the file again and adapt the edit.',
  KEY_IN_FLIGHT: 'A batch with this idempotency key is being worked on. Ask again in a moment.',
  WORKTREE_EXISTS:
    'An agent of this name already works from another base. Leave `base` out to go on with it, or choose another name.',
  UNLANDED:
    'The worktree holds work that no other branch has. Merge its branch first, or have a person close it with force.',
  DEPENDENT_CHANGES:
    'Later work stands on what this batch did, so it cannot be undone alone. `paths` says where; edit those files instead.',
  DIVERGED:
    'A batch was cut off and its branch was moved by somebody before it could be finished. Nothing was touched; a person must look at `intent` and then delete that file.',
  WORKTREE_GONE:
    'The directory of this worktree is gone. Its branch is safe; `repair` says how to bring it back.',
  TOO_LARGE: 'This is larger than the limit. Send it in smaller parts.',
  UNSUPPORTED_MEDIA_TYPE:
    'The content type is missing or not one that this route takes. JSON routes want "application/json".',
  UNSUPPORTED_ENCODING:
    'The text there cannot be decoded without loss, so it cannot be edited as text. Replace the whole file with write_file and content_base64.',
  ZERO_MATCHES:
    'The text was not found. Compare it with `candidates`, copy the file exactly as it stands, and send it again.',
  AMBIGUOUS_MATCH:
    'The text stands there more than once; `matches` lists where. Add lines around it until it is unique, or say all.',
  ANCHOR_STALE: 'The anchored line has changed. Use the fresh anchor that is given.',
  ANCHOR_AMBIGUOUS: 'The anchor fits more than one line. Use an anchor with context.',
  LINE_MISMATCH:
    'The line does not begin with `expect_prefix`; `actual_line` is what stands there. Correct the line number or the prefix.',
  COUNT_MISMATCH:
    'The text stands there `actual_count` times, not `expected_count` times. Correct the count or the text.',
  OUT_OF_RANGE:
    'The file has `total_lines` lines; the range lies outside. Correct the line numbers.',
  FILTERED:
    'The file passes through a git filter (such as LFS) that is not run here. A person can start the server with --trust-config.',
  UNSUPPORTED_OP: 'This kind of file does not take this op. `use` names those it takes.',
  DIALECT_UNPARSABLE:
    'The edit could not be read; `line` says where. Correct the format and send it again.',
  OVERLAPPING_EDITS:
    'An earlier op of this batch already changed these lines. Join both into one op, or send them as two batches.',
  NOT_REGULAR: 'This is not a regular file.',
  UNSUPPORTED_NAME:
    'The name of this file is not UTF-8 and cannot travel as JSON. A person can rename it with git.',
  UNSUPPORTED_REPOSITORY:
    'The repository uses something that is not supported here; `problem` says what.',
  KEY_REUSED: 'This idempotency key was used for another batch. Use a new key.',
  PATTERN_TIMEOUT: 'The pattern took too long. Use a simpler one or a literal search.',
  LOCKED:
    'Git is busy or in the middle of an operation in this worktree; `reason` says which. Finish it there and send the request again.',
  CONTENT_REV_REQUIRED:
    'Name the revision you read as expected_rev (null for a new file), or expected_head for the whole batch. `actual` is the current one.',
  RATE_LIMITED: 'Too many requests at once. Wait a moment and send it again.',
  CANCELLED: 'The request was cancelled before the commit point. Nothing was changed.',
  IO_FAULT: 'The disk or the system answered with an error. Nothing was changed; try again later.',
  NOT_DURABLE:
    'The batch stands as `commit`, but the disk did not confirm that it would survive a power cut. Do not send it again; have the disk checked.',
  TIMEOUT: 'It took longer than the limit. Nothing was changed; try again or ask for less.',
  DISK_FULL: 'The disk is full. Nothing was changed; free some space and send it again.',
} as const
