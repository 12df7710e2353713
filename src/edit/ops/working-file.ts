import type { FileMode } from '../../core/blob.js'
import type { DraftContent } from '../../core/draft.js'
import { Refusal } from '../../core/errors.js'
import type { LineRange } from '../../core/receipt.js'
import { applyTextEdits, type TextEdit } from '../../core/text-edit.js'
import { hasUtf16Mark } from '../../formats/text/decode.js'
import { PieceText } from '../../formats/text/piece-text.js'
import { openText } from '../../formats/text/text-file.js'

/** Ops for files that are no text. */
const wholeFileOps = ['write_file', 'delete_file', 'move_file', 'set_mode'] as const

/** The file as the batch found it, or as an op of the batch wrote it whole. */
interface Base {
  readonly bytes: Uint8Array
  /** The op that wrote it. */
  readonly writer?: number
}

/** One file as the ops so far have left it. Its bytes are made only when they are asked for. */
export class WorkingFile implements DraftContent {
  readonly mode: FileMode
  readonly #base: Base
  readonly #text: PieceText | undefined
  #bytes: Uint8Array | undefined

  private constructor(mode: FileMode, base: Base, text?: PieceText) {
    this.mode = mode
    this.#base = base
    this.#text = text
  }

  /** A file of the draft; what is not a working file yet is as the batch found it. */
  static of(content: DraftContent): WorkingFile {
    if (content instanceof WorkingFile) return content
    return new WorkingFile(content.mode, { bytes: content.bytes })
  }

  static written(mode: FileMode, bytes: Uint8Array, writer: number): WorkingFile {
    return new WorkingFile(mode, { bytes, writer })
  }

  /** True once it was read as text. */
  get isOpen(): boolean {
    return this.#text !== undefined
  }

  /** True while its line numbers are those the agent read. */
  get hasReadLines(): boolean {
    return this.#base.writer === undefined
  }

  /** How many lines the agent read; undefined where there were none to read. */
  get readLineCount(): number | undefined {
    if (!this.hasReadLines) return undefined
    return (this.#text?.file ?? openText(this.#base.bytes))?.lines.count
  }

  get bytes(): Uint8Array {
    this.#bytes ??=
      this.#text === undefined
        ? this.#base.bytes
        : applyTextEdits(this.#base.bytes, this.#text.edits())
    return this.#bytes
  }

  get edits(): readonly TextEdit[] | undefined {
    return this.hasReadLines ? this.#text?.edits() : undefined
  }

  /** The op that wrote the whole file, if one did. */
  get writer(): number | undefined {
    return this.#base.writer
  }

  /** The lines of the file as it is now that each op left. */
  linesByOp(): ReadonlyMap<number, readonly LineRange[]> {
    const { writer } = this.#base
    const lines = new Map(this.#text?.linesByOwner())
    const total = writer === undefined ? undefined : openText(this.bytes)?.lines.count
    if (writer !== undefined && total !== undefined) lines.set(writer, [{ start: 1, end: total }])
    return lines
  }

  /** The file as text; refused where it is none. */
  openText(): PieceText {
    if (this.#text !== undefined) return this.#text
    const file = openText(this.#base.bytes)
    if (file !== undefined) return PieceText.of(file)
    if (hasUtf16Mark(this.#base.bytes)) throw new Refusal('UNSUPPORTED_ENCODING')
    throw new Refusal('UNSUPPORTED_OP', { kind: 'binary', use: wholeFileOps })
  }

  withText(text: PieceText): WorkingFile {
    return new WorkingFile(this.mode, this.#base, text)
  }

  withMode(mode: FileMode): WorkingFile {
    return new WorkingFile(mode, this.#base, this.#text)
  }
}
