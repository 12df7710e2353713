import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { randomHex } from '../random-name.js'
import { eachLine, keyOfLine } from './record-lines.js'

/** How large a file of records may become. */
export interface RecordBounds {
  /** Bytes of the file, after which the older half is let go. */
  readonly fileBytes: number
  /** Bytes of one record; longer ones are not kept. */
  readonly recordBytes: number
  /** Records whose places are known. */
  readonly records: number
}

/** Bytes that may wait to be written, and milliseconds; what comes beyond is not kept. */
const waitingBytes = 8 * 1024 * 1024
const gatherBytes = 512 * 1024
const gatherMs = 200

/** Milliseconds for which what others append may go unseen: a question must not cost a look at the file each time. */
const unseenMs = 2_000

/** Records that are read at once, and the bytes between two of them that are read rather than skipped. */
const runBytes = 1024 * 1024
const gapBytes = 64 * 1024

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY, O_EXCL } = constants

/** Where a record stands in the file: offset and length in one number. */
type Place = number
const lengthSpan = 2 ** 24

/**
 * Values by key, in a file that any number of processes append whole lines to: key, checksum and value, each after a
 * tab. It is a cache: a line that is torn, foreign or gone is a value that nobody kept, and what cannot be written is
 * lost. Neither ever throws. Only the places of the records are held in memory.
 */
export class RecordFile {
  readonly #pathOf: () => Promise<string>
  readonly #bounds: RecordBounds
  readonly #onFault: (error: unknown) => void
  readonly #places = new Map<string, Place>()
  #turn: Promise<unknown> = Promise.resolve()
  readonly #waiting = new Map<string, string>()
  /** Keys that were put since the file was looked at. */
  #unseen = new Set<string>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #waitingBytes = 0
  #gathering: NodeJS.Timeout | undefined
  #inode = 0n
  #scanned = 0
  #hasFailed = false

  constructor(
    pathOf: () => Promise<string>,
    bounds: RecordBounds,
    onFault: (error: unknown) => void = () => {},
  ) {
    this.#pathOf = pathOf
    this.#bounds = bounds
    this.#onFault = onFault
  }

  /** The values of those keys that are kept. */
  get(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const nothing = new Map<string, string>()
    if (!keys.some(key => this.#mayHold(key))) return Promise.resolve(nothing)
    return this.#alone(nothing, file => this.#read(file, keys))
  }

  /** The keys that are not kept. A record that turns out to be torn is only missed by `get`. */
  missing(keys: readonly string[]): Promise<readonly string[]> {
    if (!keys.some(key => this.#mayHold(key))) return Promise.resolve(keys)
    return this.#alone(keys, async () => keys.filter(key => !this.#places.has(key)))
  }

  #mayHold(key: string): boolean {
    const isLong = performance.now() - this.#lookedAt > unseenMs
    return isLong || this.#places.has(key) || this.#unseen.has(key)
  }

  /** Keeps a value from now on; neither key nor value holds a line break. */
  put(key: string, value: string): void {
    const line = `${key}\t${checksum(key, value)}\t${value}\n`
    if (line.length > this.#bounds.recordBytes) return
    if (this.#waitingBytes + line.length > waitingBytes) return
    this.#waitingBytes += line.length
    this.#waiting.set(key, line)
    this.#unseen.add(key)
    if (this.#waitingBytes >= gatherBytes) this.#writeSoon()
    else this.#gathering ??= setTimeout(() => this.#writeSoon(), gatherMs).unref()
  }

  /** Resolves when all that was given is written, as far as it can be. */
  async flush(): Promise<void> {
    this.#writeSoon()
    await this.#turn
  }

  /** One after another, since each first takes in what was appended meanwhile. */
  #alone<T>(otherwise: T, work: (file: FileHandle) => Promise<T>): Promise<T> {
    this.#writeSoon()
    const done = this.#turn.then(() => this.#withFile(otherwise, work))
    this.#turn = done
    return done
  }

  async #withFile<T>(otherwise: T, work: (file: FileHandle) => Promise<T>): Promise<T> {
    let file: FileHandle | undefined
    try {
      file = await open(await this.#pathOf(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      await this.#catchUp(file)
      return await work(file)
    } catch (error) {
      this.#fail(error)
      return otherwise
    } finally {
      this.#lookedAt = performance.now()
      await file?.close().catch(() => {})
    }
  }

  /** Notes the lines that were added since the last look; all of them where the file is another one. */
  async #catchUp(file: FileHandle): Promise<void> {
    const stat = await file.stat({ bigint: true })
    if (!stat.isFile()) throw new Error('no regular file')
    const size = Number(stat.size)
    if (stat.ino !== this.#inode || size < this.#scanned) {
      this.#places.clear()
      this.#inode = stat.ino
      this.#scanned = 0
    }
    this.#unseen = new Set(this.#waiting.keys())
    const fresh = [this.#scanned, size] as const
    this.#scanned = await eachLine(file, fresh, (line, at) => this.#note(line, at))
  }

  #note(line: Buffer, at: number): void {
    const key = keyOfLine(line)
    if (key === undefined || line.length > this.#bounds.recordBytes) return
    // The newest last, so that the oldest are found first.
    this.#places.delete(key)
    this.#places.set(key, at * lengthSpan + line.length)
    if (this.#places.size <= this.#bounds.records) return
    for (const oldest of this.#places.keys()) {
      this.#places.delete(oldest)
      return
    }
  }

  async #read(file: FileHandle, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    const places = [...new Set(keys)].flatMap(key => this.#places.get(key) ?? [])
    for (const run of runsOf(places)) {
      for (const line of await readRun(file, run)) {
        const record = parseLine(line)
        if (record !== undefined) found.set(record.key, record.value)
      }
    }
    for (const key of keys) if (!found.has(key)) this.#places.delete(key)
    return found
  }

  #writeSoon(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    if (this.#waiting.size > 0) this.#turn = this.#turn.then(() => this.#write())
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return
    // What was torn before us ends at our first line break.
    const block = Buffer.from(`\n${[...this.#waiting.values()].join('')}`)
    this.#waiting.clear()
    this.#waitingBytes = 0
    let file: FileHandle | undefined
    try {
      const path = await this.#pathOf()
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
      // In one piece, so that the lines of others stand before or after it.
      await file.write(block)
      const { size } = await file.stat()
      if (size > this.#bounds.fileBytes) await this.#compact(path)
    } catch (error) {
      this.#fail(error)
    } finally {
      await file?.close().catch(() => {})
    }
  }

  /** Writes the newer half anew. What others append to the old file meanwhile is lost to the cache. */
  async #compact(path: string): Promise<void> {
    const fresh = `${path}.${randomHex(8)}`
    await this.#withFile(undefined, async file => {
      const target = await open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
      try {
        for (const run of runsOf(this.#newest())) {
          const lines = await readRun(file, run)
          const whole = lines.filter(line => parseLine(line) !== undefined)
          await target.write(Buffer.concat(whole.flatMap(line => [line, lineBreak])))
        }
        await target.close()
        await rename(fresh, path)
      } catch (error) {
        await target.close().catch(() => {})
        await rm(fresh, { force: true })
        throw error
      }
    })
  }

  #newest(): readonly Place[] {
    const kept: Place[] = []
    let bytes = 0
    for (const place of [...this.#places.values()].reverse()) {
      bytes += (place % lengthSpan) + 1
      if (bytes > this.#bounds.fileBytes / 2) break
      kept.push(place)
    }
    return kept
  }

  /** Tells the first fault; a file that is not there yet is none. */
  #fail(error: unknown): void {
    if (this.#hasFailed || isNotThere(error)) return
    this.#hasFailed = true
    this.#onFault(error)
  }
}

const lineBreak = Buffer.from('\n')
const tab = 9

function isNotThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Places by their order in the file, those that lie close together read as one. */
function runsOf(places: readonly Place[]): readonly (readonly Place[])[] {
  const runs: Place[][] = []
  let from = 0
  let end = 0
  for (const place of places.toSorted((a, b) => a - b)) {
    const at = Math.floor(place / lengthSpan)
    const next = at + (place % lengthSpan)
    const run = runs.at(-1)
    if (run !== undefined && at - end <= gapBytes && next - from <= runBytes) run.push(place)
    else {
      runs.push([place])
      from = at
    }
    end = next
  }
  return runs
}

async function readRun(file: FileHandle, places: readonly Place[]): Promise<readonly Buffer[]> {
  const from = Math.floor((places[0] ?? 0) / lengthSpan)
  const last = places.at(-1) ?? 0
  const length = Math.floor(last / lengthSpan) + (last % lengthSpan) - from
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, from)
  const bytes = buffer.subarray(0, bytesRead)
  return places.map(place => {
    const at = Math.floor(place / lengthSpan) - from
    return bytes.subarray(at, at + (place % lengthSpan))
  })
}

interface KeyValue {
  readonly key: string
  readonly value: string
}

/** Undefined for a line that is not whole, or not ours. Its bytes are checked as they are. */
function parseLine(line: Buffer): KeyValue | undefined {
  const keyEnd = line.indexOf(tab)
  const checkEnd = line.indexOf(tab, keyEnd + 1)
  if (keyEnd < 0 || checkEnd < 0) return undefined
  const value = line.subarray(checkEnd + 1)
  const sum = crc32(value, crc32(line.subarray(0, keyEnd + 1)))
  if (line.toString('latin1', keyEnd + 1, checkEnd) !== written(sum)) return undefined
  return { key: line.toString('utf8', 0, keyEnd), value: value.toString('utf8') }
}

/** Against what is torn, not against anybody: who can write to the file can write anything. */
function checksum(key: string, value: string): string {
  return written(crc32(`${key}\t${value}`))
}

function written(sum: number): string {
  return sum.toString(36)
}
