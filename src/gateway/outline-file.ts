import type { Blob } from '../core/blob.js'
import { Refusal } from '../core/errors.js'
import type { OutlineNote } from '../core/outline.js'
import type { OutlinedFile } from '../report/symbols-view.js'
import type { SymbolIndex } from './symbol-index.js'

/** Outlines that say nothing of the file. */
const reasons: Partial<Record<OutlineNote, string>> = {
  unknown_language: 'no reader knows the language of this file',
  too_large: 'the file is too large to be read for its symbols',
  minified: 'the lines of this file are too long to be read for their symbols',
}

/** What a file declares. `UNSUPPORTED_OP` where nobody can tell. */
export async function outlineFile(
  symbols: SymbolIndex,
  path: string,
  { oid, bytes }: Blob,
): Promise<OutlinedFile> {
  const [outline] = await symbols.outlines([{ path, oid, bytes }])
  const reason =
    outline === undefined ? 'the file is binary' : reasons[outline.note ?? 'syntax_errors']
  if (outline === undefined || reason !== undefined) {
    throw new Refusal('UNSUPPORTED_OP', { path, reason, use: ['read with lines'] })
  }
  return { path, rev: oid, outline }
}
