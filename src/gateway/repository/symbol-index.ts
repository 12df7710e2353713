import { createHash } from 'node:crypto'
import type { Blob } from '../../core/blob.js'
import { fixedLimits } from '../../core/limits.js'
import type { Outline } from '../../core/outline.js'
import type { PackedOutline, Parsers, ParsingWays, Source } from '../../core/parsers.js'
import { packedNote, packOutline } from '../../formats/code/pack-outline.js'
import { emptyOutline, outlineUnread } from '../../formats/code/read-outline.js'
import { languageOf, readingKey } from '../../formats/code/registry.js'
import { viewText } from '../../formats/text/text-file.js'
import { LruBytes } from '../../io/git/lru-bytes.js'
import { UnpackedOutlines } from './unpacked-outlines.js'

/** A blob that is named, not read: its path tells its language. */
export interface NamedBlob extends Pick<Blob, 'oid'> {
  readonly path: string
}

/** A blob and where it stands. Its bytes are what its id names. */
export interface PlacedBlob extends NamedBlob, Pick<Blob, 'bytes'> {
  /** Reads its text, where somebody knows that it is one. */
  readonly readText?: () => string
}

/** Where outlines outlast the process; a cache that never throws. */
export interface OutlineStore {
  get(keys: readonly string[]): Promise<ReadonlyMap<string, string>>
  missing(keys: readonly string[]): Promise<readonly string[]>
  put(key: string, value: string): void
  flush(): Promise<void>
}

/** A text, and the name under which its outline is kept. */
interface KeyedSource {
  readonly key: string
  /** Undefined for what is no text; asked only where nothing is kept. */
  readonly source: () => Source | undefined
}

/**
 * What the files of a repository declare, kept by blob for all its worktrees, in memory and in its state directory, so
 * that no process parses what any of them has parsed. Asked as `Parsers`, by text.
 */
export class SymbolIndex implements Parsers {
  readonly #parsers: Parsers
  readonly #store: OutlineStore | undefined
  readonly #kept = new LruBytes<string>(fixedLimits.outlineBytes)
  readonly #unpacked = new UnpackedOutlines(fixedLimits.unpackedOutlineChars)

  constructor(parsers: Parsers, store?: OutlineStore) {
    this.#parsers = parsers
    this.#store = store
  }

  /** The outlines of blobs, in their order; undefined for one that is no text. */
  async outlines(blobs: readonly PlacedBlob[]): Promise<readonly (Outline | undefined)[]> {
    const keyed = blobs.map(keyedBlob)
    const ready = new Map(keyed.map(({ key }) => [key, this.#unpacked.get(key)]))
    const packed = await this.#read(keyed.filter(({ key }) => ready.get(key) === undefined))
    const read = await this.#unpackAll(packed)
    return keyed.map(({ key }) => ready.get(key) ?? read.get(key))
  }

  /** The outlines that are known without reading anything, in the order of the blobs; undefined for the others. */
  async known(blobs: readonly NamedBlob[]): Promise<readonly (Outline | undefined)[]> {
    const keys = blobs.map(blobKey)
    const packed = await this.#lookUp(keys)
    const read = await this.#unpackAll(packed)
    return keys.map(key => read.get(key))
  }

  /** Of blobs in a known language, those that nobody has read yet. */
  async unread<T extends NamedBlob>(blobs: readonly T[]): Promise<readonly T[]> {
    const byKey = new Map(
      blobs.flatMap(blob =>
        readingKey(blob.path) === undefined ? [] : [[blobKey(blob), blob] as const],
      ),
    )
    const keys = [...byKey.keys()].filter(key => this.#kept.get(key) === undefined)
    const missing = this.#store === undefined ? keys : await this.#store.missing(keys)
    return missing.flatMap(key => byKey.get(key) ?? [])
  }

  /** Reads blobs that are unread for later questions, after all that is asked now. */
  async warm(blobs: readonly PlacedBlob[]): Promise<void> {
    await this.#parse(blobs.map(keyedBlob), new Map(), { isBackground: true })
  }

  /** Keeps that a blob is too large for every reader. */
  passOver(blob: NamedBlob): void {
    const language = languageOf(blob.path)?.name ?? ''
    this.#keep(new Map(), blobKey(blob), packOutline(emptyOutline(language, 'too_large')))
  }

  async outline(sources: readonly Source[]): Promise<readonly PackedOutline[]> {
    const keyed = sources.map(source => ({ key: textKey(source), source: () => source }))
    const packed = await this.#read(keyed)
    return keyed.flatMap(({ key }) => packed.get(key) ?? [])
  }

  /** Resolves when all that was read is on the disk. */
  async stop(): Promise<void> {
    await this.#store?.flush()
  }

  async #read(sources: readonly KeyedSource[]): Promise<ReadonlyMap<string, PackedOutline>> {
    const found = await this.#lookUp(sources.map(({ key }) => key))
    await this.#parse(sources, found)
    return found
  }

  /** Adds to what is found what is not yet. */
  async #parse(
    sources: readonly KeyedSource[],
    found: Map<string, PackedOutline>,
    ways?: ParsingWays,
  ): Promise<void> {
    const missing = new Map<string, Source>()
    for (const { key, source } of sources) {
      if (found.has(key) || missing.has(key)) continue
      const read = source()
      const unread = read && outlineUnread(read)
      if (read === undefined) this.#keep(found, key, noText)
      else if (unread === undefined) missing.set(key, read)
      else this.#keep(found, key, packOutline(unread))
    }
    const answers = await this.#parsers.outline([...missing.values()], ways)
    for (const [at, key] of [...missing.keys()].entries()) {
      const line = answers[at]
      if (line !== undefined) this.#keep(found, key, line)
    }
  }

  #keep(found: Map<string, PackedOutline>, key: string, line: PackedOutline): void {
    found.set(key, line)
    // In no known language there is nothing to look for again.
    if (key.endsWith(` ${readingKey('')}`)) return
    this.#kept.set(key, bytesOf(line))
    // On a machine with more time the same text may be read better.
    if (packedNote(line) !== 'too_complex') this.#store?.put(key, line)
  }

  /** Nothing for what is no text. */
  async #unpackAll(
    packed: ReadonlyMap<string, PackedOutline>,
  ): Promise<ReadonlyMap<string, Outline>> {
    const outlines = new Map<string, Outline>()
    for (const [key, line] of packed) {
      if (line !== noText) outlines.set(key, this.#unpacked.unpack(key, line))
      const isTurn = outlines.size % turnOutlines === turnOutlines - 1
      if (isTurn) await new Promise(resolve => setImmediate(resolve))
    }
    return outlines
  }

  /** What memory or the disk holds. */
  async #lookUp(keys: readonly string[]): Promise<Map<string, PackedOutline>> {
    const found = new Map<string, PackedOutline>()
    for (const key of keys) {
      const kept = this.#kept.get(key)?.toString('utf8')
      if (kept !== undefined) found.set(key, kept as PackedOutline)
    }
    const others = keys.filter(key => !found.has(key))
    const stored = others.length === 0 ? undefined : await this.#store?.get(others)
    for (const [key, line] of stored ?? []) {
      this.#kept.set(key, bytesOf(line))
      found.set(key, line as PackedOutline)
    }
    return found
  }
}

/** In memory of its own, so that nothing more is kept with it and nobody copies it once more. */
function bytesOf(line: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(line))
  bytes.write(line)
  return bytes
}

/** What is kept of a blob that is no text. */
const noText = 'null' as PackedOutline

/** Outlines between two turns of others: a few milliseconds. */
const turnOutlines = 128

function keyedBlob({ path, oid, bytes, readText }: PlacedBlob): KeyedSource {
  const source = (): Source | undefined => {
    const text = readText?.() ?? viewText(bytes)
    return text === undefined ? undefined : { path, text }
  }
  return { key: blobKey({ path, oid }), source }
}

function blobKey({ path, oid }: NamedBlob): string {
  return `${oid} ${readingKey(path)}`
}

function textKey({ path, text }: Source): string {
  const hash = createHash('sha256').update(text, 'utf16le').digest('base64')
  return `${hash} ${readingKey(path)}`
}
