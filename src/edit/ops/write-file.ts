import { z } from 'zod'
import type { FileMode } from '../../core/blob.js'
import type { DraftContent } from '../../core/draft.js'
import { Refusal } from '../../core/errors.js'
import type { RepoPath } from '../../core/repo-path.js'
import { openText } from '../../formats/text/text-file.js'
import { checkText, invalid } from './checks.js'
import { decodeBase64 } from './decode-base64.js'
import { literalField } from './fields.js'
import { guardContent } from './guard-text.js'
import { defineOp } from './op-type.js'
import { requireRegular } from './require-file.js'
import { WorkingFile } from './working-file.js'

/** Creates a file or replaces a whole one. Text is stored as UTF-8, byte for byte as it is given. */
export const writeFile = defineOp({
  name: 'write_file',
  summary: 'Create a file, or replace the whole content of one.',
  fields: {
    text: z.string().describe('The whole content as text.').exactOptional(),
    content_base64: z
      .string()
      .describe('The whole content as base64, instead of text, for binary files.')
      .exactOptional(),
    mode: z
      .enum(['100644', '100755'])
      .describe('File mode; 100755 is executable. Kept as it is where absent.')
      .exactOptional(),
    literal: literalField.exactOptional(),
  },
  check: (op, limits) => {
    const bytes = contentOf(op)
    if (bytes.length > limits.writeBytes) {
      throw new Refusal('TOO_LARGE', {
        what: 'content',
        limit: limits.writeBytes,
        actual: bytes.length,
      })
    }
  },
  apply: async (op, { draft, index }) => {
    const before = await draft.read(op.path)
    if (before !== undefined) requireRegular(before)
    guardAgainst(before, op)
    const mode: FileMode = op.mode ?? before?.mode ?? '100644'
    const file = WorkingFile.written(mode, contentOf(op), index)
    const total = before && WorkingFile.of(before).readLineCount
    return {
      draft: await draft.write(op.path, file),
      ...(total !== undefined && {
        lines: [{ start: 1, end: total }],
        readLines: total,
      }),
    }
  },
})

interface WrittenText extends Content {
  readonly path: RepoPath
  readonly literal?: boolean
}

/** A new file has no old lines that a slip could lose. */
function guardAgainst(before: DraftContent | undefined, op: WrittenText): void {
  const file = before && openText(before.bytes)
  if (file === undefined || op.text === undefined) return
  guardContent(op.path, file.text, { ...op, field: 'text', text: file.normalise(op.text) })
}

interface Content {
  readonly text?: string
  readonly content_base64?: string
}

function contentOf({ text, content_base64: base64 }: Content): Uint8Array {
  if (text !== undefined && base64 !== undefined) {
    throw invalid('content_base64', 'is given beside text; only one of them can be the content')
  }
  if (text !== undefined) {
    checkText({ field: 'text', text }, Number.POSITIVE_INFINITY)
    return new TextEncoder().encode(text)
  }
  const bytes = base64 === undefined ? undefined : decodeBase64(base64)
  if (bytes !== undefined) return bytes
  throw base64 === undefined
    ? invalid('text', 'is missing; the content is text or content_base64')
    : invalid('content_base64', 'is not base64 in its plain alphabet with padding')
}
