import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { type IndexedFile, listIndex } from '../../io/git/list-index.js'
import { ObjectReader } from '../../io/git/object-reader.js'
import type { Checkout } from '../checkout/checkout.js'
import type { PlacedBlob } from '../repository/symbol-index.js'
import type { IndexProgress } from '../repository/upkeep-state.js'

/** No text of more bytes is short enough: each of its UTF-16 code units takes at most three. */
const readableBytes = 3 * fixedLimits.parsedChars

/** Steps that are on their way at the same time: one is parsed while the next is fetched. */
const stepsAhead = 2

/**
 * Reads what a worktree tracks into the symbol index, so that later questions find it there. Batches, questions and
 * other worktrees go before; it ends with the worktree. Only blobs are read: what stands changed on the disk is read
 * when it is asked for.
 */
export class BackgroundIndex {
  readonly #checkout: Checkout
  readonly #delayMs: number
  readonly #stopping = new AbortController()
  #run: Promise<void> | undefined
  #isWanted = false
  #progress: IndexProgress = { unread: 0, read: 0, isPartial: false, isRunning: false }

  constructor(checkout: Checkout, delayMs: number = fixedLimits.indexDelayMs) {
    this.#checkout = checkout
    this.#delayMs = delayMs
  }

  get progress(): IndexProgress {
    return this.#progress
  }

  /** Reads what is new, after the delay; asked meanwhile, it looks once more. */
  soon(): void {
    this.#isWanted = true
    this.#run ??= this.#runUntilDone()
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#run !== undefined) await this.#run
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.idle()
  }

  async #runUntilDone(): Promise<void> {
    const { signal } = this.#stopping
    try {
      while (this.#isWanted && !signal.aborted) {
        await sleep(this.#delayMs, undefined, { signal, ref: false })
        this.#isWanted = false
        await this.#checkout.served.indexing.run(() => this.#readAll())
      }
    } catch (error) {
      // A worktree that was removed, parsers that are busy or were closed, a stop: the next run sees to it.
      if (!(error instanceof Refusal) && !signal.aborted) this.#checkout.onFault(error)
    } finally {
      this.#run = undefined
    }
  }

  async #readAll(): Promise<void> {
    if (this.#stopping.signal.aborted || !this.#checkout.isThere()) return
    const { served } = this.#checkout
    const { files, isPartial } = await this.#unread()
    this.#progress = { unread: files.length, read: 0, isPartial, isRunning: true }
    const { main, objectFormat } = served.repository
    // A child of its own: whoever reads a file must not wait behind thousands.
    const reader = files.length > 0 ? new ObjectReader(main, objectFormat) : undefined
    try {
      if (reader !== undefined) await this.#readFiles(files, reader)
    } finally {
      this.#progress = { ...this.#progress, isRunning: false }
      await reader?.stop()
    }
  }

  async #unread(): Promise<{
    readonly files: readonly IndexedFile[]
    readonly isPartial: boolean
  }> {
    const files: IndexedFile[] = []
    for await (const listed of listIndex(this.#checkout.place)) {
      files.push(...(await this.#checkout.served.symbols.unread(listed)))
      if (files.length <= fixedLimits.indexedFiles) continue
      return { files: files.slice(0, fixedLimits.indexedFiles), isPartial: true }
    }
    return { files, isPartial: false }
  }

  async #readFiles(files: readonly IndexedFile[], reader: ObjectReader): Promise<void> {
    const ahead: Promise<void>[] = []
    let bytes = 0
    for (let at = 0; at < files.length; at += fixedLimits.parsedBatch) {
      const batch = files.slice(at, at + fixedLimits.parsedBatch)
      for (const step of steps(await this.#fetch(batch, reader))) {
        if (this.#stopping.signal.aborted) break
        const reading = this.#readStep(step)
        // Seen when its turn comes, which may be after another failed.
        reading.catch(() => {})
        ahead.push(reading)
        if (ahead.length > stepsAhead) await ahead.shift()
        bytes += bytesOf(step)
      }
      const isTooMuch = bytes > fixedLimits.indexedBytes
      if (isTooMuch) this.#progress = { ...this.#progress, isPartial: true }
      if (isTooMuch || this.#stopping.signal.aborted) break
    }
    await Promise.all(ahead)
  }

  /** What is missing is left out, and so is what is too large for every reader, for good. */
  async #fetch(
    files: readonly IndexedFile[],
    reader: ObjectReader,
  ): Promise<readonly PlacedBlob[]> {
    const fetched = files.map(async (file): Promise<readonly PlacedBlob[]> => {
      try {
        return [{ ...file, bytes: await reader.blob(file.oid, readableBytes) }]
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (error.code === 'TOO_LARGE') this.#checkout.served.symbols.passOver(file)
        return []
      }
    })
    return (await Promise.all(fetched)).flat()
  }

  async #readStep(step: readonly PlacedBlob[]): Promise<void> {
    await this.#checkout.served.symbols.warm(step)
    this.#progress = { ...this.#progress, read: this.#progress.read + step.length }
  }
}

/** Parts that take the thread a few dozen milliseconds each, since a question of a person waits for the end of one. */
function steps(blobs: readonly PlacedBlob[]): readonly (readonly PlacedBlob[])[] {
  const parts: PlacedBlob[][] = []
  let bytes = 0
  for (const blob of blobs) {
    const part = parts.at(-1)
    bytes += blob.bytes.length
    if (part !== undefined && bytes <= fixedLimits.indexedStepBytes) part.push(blob)
    else {
      parts.push([blob])
      bytes = blob.bytes.length
    }
  }
  return parts
}

function bytesOf(blobs: readonly PlacedBlob[]): number {
  return blobs.reduce((sum, { bytes }) => sum + bytes.length, 0)
}
