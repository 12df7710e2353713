import type { Outline } from '../../core/outline.js'
import type { PackedOutline } from '../../core/parsers.js'
import { unpackOutline } from '../../formats/code/pack-outline.js'

/** Outlines that were just asked for, ready to be asked for again; those longest unused go first. */
export class UnpackedOutlines {
  readonly #maxChars: number
  readonly #kept = new Map<string, { readonly outline: Outline; readonly chars: number }>()
  #chars = 0

  /** Of their packed forms together; unpacked they take several times as much. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  get(key: string): Outline | undefined {
    const found = this.#kept.get(key)
    if (found === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found.outline
  }

  unpack(key: string, line: PackedOutline): Outline {
    const outline = unpackOutline(line)
    this.#drop(key)
    this.#kept.set(key, { outline, chars: line.length })
    this.#chars += line.length
    for (const oldest of this.#kept.keys()) {
      if (this.#chars <= this.#maxChars) break
      this.#drop(oldest)
    }
    return outline
  }

  #drop(key: string): void {
    this.#chars -= this.#kept.get(key)?.chars ?? 0
    this.#kept.delete(key)
  }
}
