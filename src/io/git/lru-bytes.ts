/** Byte values by key; when their sum passes the bound those longest unused go first. */
export class LruBytes<K> {
  readonly #entries = new Map<K, Buffer>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: K): Buffer | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  set(key: K, given: Buffer): void {
    const value = standingAlone(given)
    this.#bytes += value.length - (this.#entries.get(key)?.length ?? 0)
    this.#entries.delete(key)
    this.#entries.set(key, value)
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#entries.delete(oldest)
      this.#bytes -= old.length
    }
  }
}

/** Small buffers are cut from shared slabs of 8 KiB: to keep one would keep its whole slab. */
function standingAlone(buffer: Buffer): Buffer {
  if (buffer.buffer.byteLength === buffer.length) return buffer
  const copy = Buffer.allocUnsafeSlow(buffer.length)
  buffer.copy(copy)
  return copy
}
