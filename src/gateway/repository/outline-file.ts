import type { Blob } from '../../core/blob.js'
import { Refusal } from '../../core/errors.js'
import { readingProblem } from '../../formats/code/reading-problem.js'
import type { OutlinedFile } from '../../report/symbols-view.js'
import type { SymbolIndex } from './symbol-index.js'

/** What a file declares. `UNSUPPORTED_OP` where nobody can tell. */
export async function outlineFile(
  symbols: SymbolIndex,
  path: string,
  { oid, bytes }: Blob,
): Promise<OutlinedFile> {
  const [outline] = await symbols.outlines([{ path, oid, bytes }])
  const reason = outline === undefined ? 'the file is binary' : readingProblem(outline)
  if (outline === undefined || reason !== undefined) {
    throw new Refusal('UNSUPPORTED_OP', { path, reason, use: ['read with lines'] })
  }
  return { path, rev: oid, outline }
}
