import { createHash, type Hash } from 'node:crypto'
import type { ObjectFormat } from '../../core/oid.js'

const stepBytes = 256 * 1024

/** The checksum of bytes that change again and again, but mostly not at their beginning, which is then not hashed again. */
export class RunningChecksum {
  /** The hash before the first byte, and after every step of the bytes as they were last time. */
  readonly #states: Hash[]

  constructor(format: ObjectFormat) {
    this.#states = [createHash(format)]
  }

  /** The checksum of bytes of which those before `from` are the same as last time. */
  of(bytes: Buffer, from: number): Buffer {
    this.#states.length = Math.min(this.#states.length, Math.floor(from / stepBytes) + 1)
    let at = (this.#states.length - 1) * stepBytes
    const hash = this.#lastState()
    for (; at + stepBytes <= bytes.length; at += stepBytes) {
      hash.update(bytes.subarray(at, at + stepBytes))
      this.#states.push(hash.copy())
    }
    return hash.update(bytes.subarray(at)).digest()
  }

  #lastState(): Hash {
    const state = this.#states.at(-1)
    if (state === undefined) throw new Error('a checksum has lost its beginning')
    return state.copy()
  }
}
