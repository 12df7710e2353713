import { performance } from 'node:perf_hooks'
import { fixedLimits } from '../../core/limits.js'
import type { RunningChecksum } from './running-checksum.js'

/** The bytes of an index, and the checksum that was made of them. */
export interface IndexBytes {
  readonly bytes: Buffer
  readonly checksum: RunningChecksum
}

/**
 * The bytes of one state of an index, so that they need not be read again. They go when other indexes need the room,
 * and when nobody has asked for them for a while: then they are on the disk only.
 */
export class IndexMemory {
  #held: IndexBytes | undefined
  #usedAt = performance.now()

  constructor(held: IndexBytes) {
    this.#held = held
    memories.add(this)
    makeRoom()
    forgetLater()
  }

  get size(): number {
    return this.#held?.bytes.length ?? 0
  }

  get idleMs(): number {
    return performance.now() - this.#usedAt
  }

  /** The bytes, to be looked at; undefined where they are gone. */
  get bytes(): Buffer | undefined {
    this.#usedAt = performance.now()
    return this.#held?.bytes
  }

  /** Gives the bytes away to be changed, which ends this memory. */
  take(): IndexBytes | undefined {
    const held = this.#held
    this.#held = undefined
    memories.delete(this)
    return held
  }
}

/** Of the whole process, oldest first. */
const memories = new Set<IndexMemory>()
let forgetting: NodeJS.Timeout | undefined

function makeRoom(): void {
  let bytes = [...memories].reduce((sum, { size }) => sum + size, 0)
  for (const memory of memories) {
    if (bytes <= fixedLimits.indexMemoryBytes) return
    bytes -= memory.size
    memory.take()
  }
}

function forgetLater(): void {
  if (forgetting !== undefined) return
  forgetting = setTimeout(forgetIdle, fixedLimits.indexMemoryMs).unref()
}

function forgetIdle(): void {
  forgetting = undefined
  for (const memory of memories) if (memory.idleMs >= fixedLimits.indexMemoryMs) memory.take()
  if (memories.size > 0) forgetLater()
}
