import type { Blob } from '../../core/blob.js'
import { fixedLimits } from '../../core/limits.js'
import type { Outline } from '../../core/outline.js'
import { readingKey } from '../../formats/code/registry.js'
import type { SymbolIndex } from '../repository/symbol-index.js'

/** What stands for an outline that did not come in time. */
export const late = 'late'

/** A file whose outline is wanted. */
interface Wanted {
  readonly path: string
  readonly blob: Blob
  readonly file: { readonly text: string }
}

/** An outline; undefined for a file that is no text. */
export type ToldOutline = Outline | undefined | typeof late

/** Outlines for those who cannot wait: what does not come in time goes on, and is there the next time. */
export class OutlinesInTime {
  readonly #symbols: SymbolIndex
  /** What did not come in time: it is neither read twice nor waited for again. */
  readonly #pending = new Set<string>()

  constructor(symbols: SymbolIndex) {
    this.#symbols = symbols
  }

  /** The outlines of files as far as they come in time, small files first; undefined for a file that is no text. */
  async of(files: readonly Wanted[]): Promise<readonly ToldOutline[]> {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<typeof late>(resolve => {
      timer = setTimeout(() => resolve(late), fixedLimits.searchSymbolsMs)
    })
    const bySize = files.toSorted((a, b) => a.blob.bytes.length - b.blob.bytes.length)
    const asked = new Map<Wanted, Promise<ToldOutline> | typeof late>()
    for (const file of bySize) asked.set(file, this.#ask(file) ?? late)
    try {
      return await Promise.all(files.map(file => Promise.race([asked.get(file), deadline])))
    } finally {
      clearTimeout(timer)
    }
  }

  /** Each by itself, so that one that is large holds up no other's answer. */
  #ask({ path, blob, file }: Wanted): Promise<Outline | undefined> | undefined {
    if (readingKey(path) === undefined) return Promise.resolve(undefined)
    const key = `${blob.oid} ${path}`
    if (this.#pending.has(key)) return undefined
    const outline = this.#symbols
      .outlines([{ path, oid: blob.oid, bytes: blob.bytes, readText: () => file.text }])
      .then(([one]) => one)
      .finally(() => this.#pending.delete(key))
    this.#pending.add(key)
    outline.catch(() => {})
    return outline
  }
}
