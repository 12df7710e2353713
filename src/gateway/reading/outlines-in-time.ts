import { setTimeout as sleep } from 'node:timers/promises'
import type { Blob } from '../../core/blob.js'
import { fixedLimits } from '../../core/limits.js'
import type { Outline } from '../../core/outline.js'
import type { SymbolIndex } from '../repository/symbol-index.js'

/** What stands for an outline that did not come in time. */
export const late = 'late'

/** A file whose outline is wanted. */
interface Wanted {
  readonly path: string
  readonly blob: Blob
}

type Told = Outline | undefined | typeof late

/** Outlines for those who cannot wait: what does not come in time goes on, and is there the next time. */
export class OutlinesInTime {
  readonly #symbols: SymbolIndex
  /** What did not come in time: it is neither read twice nor waited for again. */
  readonly #pending = new Set<string>()

  constructor(symbols: SymbolIndex) {
    this.#symbols = symbols
  }

  /** The outlines of files as far as they come in time, small files first; undefined for a file that is no text. */
  async of(files: readonly Wanted[]): Promise<readonly Told[]> {
    const waiting = new AbortController()
    const deadline: Promise<Told> = sleep(fixedLimits.searchSymbolsMs, late, {
      signal: waiting.signal,
    })
    const bySize = files.toSorted((a, b) => a.blob.bytes.length - b.blob.bytes.length)
    const asked = new Map<Wanted, Promise<Told> | typeof late>()
    for (const file of bySize) asked.set(file, this.#ask(file) ?? late)
    try {
      return await Promise.all(files.map(file => Promise.race([asked.get(file), deadline])))
    } finally {
      deadline.catch(() => {})
      waiting.abort()
    }
  }

  /** Each by itself, so that one that is large holds up no other's answer. */
  #ask({ path, blob }: Wanted): Promise<Outline | undefined> | undefined {
    const key = `${blob.oid} ${path}`
    if (this.#pending.has(key)) return undefined
    const outline = this.#symbols
      .outlines([{ path, oid: blob.oid, bytes: blob.bytes }])
      .then(([one]) => one)
      .finally(() => this.#pending.delete(key))
    this.#pending.add(key)
    outline.catch(() => {})
    return outline
  }
}
