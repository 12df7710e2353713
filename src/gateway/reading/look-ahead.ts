import type { LinePattern } from '../../io/git/count-matches.js'
import { utf8Of } from '../../io/git/list-names.js'
import type { OutlinesInTime, ToldOutline } from './outlines-in-time.js'
import { type FoundFile, type Reading, readHits, type SkipReason } from './read-hits.js'

/** A file that was looked into, with what it declares. */
export interface LookedInto {
  readonly found: FoundFile | SkipReason
  readonly outline: ToldOutline
}

/** Which files an answer may show. */
export interface Showable {
  /** Lines that it may show. */
  readonly limit: number
  wants(path: string): boolean
}

/** Lines of one file that an answer shows at least, where it shows that file and has them. */
export const leastPerFile = 3

/**
 * Looks into files for a search. Those that it will show in any case are looked into as soon as they are found, while
 * others are still looked for.
 */
export class LookAhead {
  readonly #reading: Reading
  readonly #pattern: LinePattern
  readonly #showable: Showable
  readonly #outlines: OutlinesInTime
  readonly #begun = new Map<string, Promise<LookedInto>>()
  #seen: string[] = []
  #lines = 0

  constructor(
    { reading, pattern }: { readonly reading: Reading; readonly pattern: LinePattern },
    showable: Showable,
    outlines: OutlinesInTime,
  ) {
    this.#reading = reading
    this.#pattern = pattern
    this.#showable = showable
    this.#outlines = outlines
  }

  /** A file was found, after all others that stand before it. Its name is bytes as latin1. */
  see(name: string, count: number): void {
    const path = utf8Of(name)
    if (path === undefined || this.#lines > this.#showable.limit) return
    if (this.#begun.has(path) || this.#seen.includes(path) || !this.#showable.wants(path)) return
    this.#lines += Math.min(count, leastPerFile)
    this.#seen.push(path)
    // What was told in one piece is looked into together.
    if (this.#seen.length === 1) queueMicrotask(() => this.#begin(this.#seen.splice(0)))
  }

  #begin(paths: readonly string[]): void {
    const looking = this.#look(paths, this.#reading)
    for (const [at, path] of paths.entries()) {
      const one = looking.then(looked => looked[at] ?? nothing)
      // Heard when its turn comes, if it does.
      one.catch(() => {})
      this.#begun.set(path, one)
    }
  }

  /** Looks into files that were not yet, and answers all in their order. */
  async into(paths: readonly string[], reading: Reading): Promise<readonly LookedInto[]> {
    const others = paths.filter(path => !this.#begun.has(path))
    const looked = await this.#look(others, reading)
    const byPath = new Map(others.map((path, at) => [path, looked[at]]))
    return Promise.all(paths.map(path => this.#begun.get(path) ?? byPath.get(path) ?? nothing))
  }

  async #look(paths: readonly string[], reading: Reading): Promise<readonly LookedInto[]> {
    const read = await readHits(reading, this.#pattern, paths)
    const files = read.filter(one => typeof one !== 'string' && one.count > 0)
    const outlines = await this.#outlines.of(files as readonly FoundFile[])
    const byFile = new Map(files.map((file, at) => [file, outlines[at]]))
    return read.map(found => ({ found, outline: byFile.get(found) }))
  }
}

const nothing: LookedInto = { found: 'changed', outline: undefined }
