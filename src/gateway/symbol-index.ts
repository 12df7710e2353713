import { createHash } from 'node:crypto'
import type { Blob } from '../core/blob.js'
import { fixedLimits } from '../core/limits.js'
import type { Outline } from '../core/outline.js'
import type { PackedOutline, Parsers, Source } from '../core/parsers.js'
import { packOutline, unpackOutline } from '../formats/code/pack-outline.js'
import { outlineUnread } from '../formats/code/read-outline.js'
import { readingKey } from '../formats/code/registry.js'
import { openText } from '../formats/text/text-file.js'
import { LruBytes } from '../io/git/lru-bytes.js'

/** A blob and where it stands: the path tells its language. */
export interface PlacedBlob extends Pick<Blob, 'oid' | 'bytes'> {
  readonly path: string
}

/** A source, and the name under which its outline is kept. */
interface KeyedSource {
  readonly key: string
  readonly source: Source
}

/** What the files of a repository declare, kept by blob for all its worktrees. Asked as `Parsers`, by text. */
export class SymbolIndex implements Parsers {
  readonly #parsers: Parsers
  readonly #kept = new LruBytes<string>(fixedLimits.outlineBytes)

  constructor(parsers: Parsers) {
    this.#parsers = parsers
  }

  /** The outlines of blobs, in their order; undefined for one that is no text. */
  async outlines(blobs: readonly PlacedBlob[]): Promise<readonly (Outline | undefined)[]> {
    const sources = blobs.map(({ path, oid, bytes }): KeyedSource | undefined => {
      const key = `${oid} ${readingKey(path)}`
      // What is kept needs no text.
      const text = this.#kept.get(key) === undefined ? openText(bytes)?.text : ''
      return text === undefined ? undefined : { key, source: { path, text } }
    })
    const packed = await this.#read(sources.flatMap(source => source ?? []))
    return sources.map(source => {
      const line = source && packed.get(source.key)
      return line && unpackOutline(line)
    })
  }

  async outline(sources: readonly Source[]): Promise<readonly PackedOutline[]> {
    const keyed = sources.map(source => ({ key: textKey(source), source }))
    const packed = await this.#read(keyed)
    return keyed.flatMap(({ key }) => packed.get(key) ?? [])
  }

  async #read(sources: readonly KeyedSource[]): Promise<ReadonlyMap<string, PackedOutline>> {
    const found = new Map<string, PackedOutline>()
    const missing = new Map<string, Source>()
    for (const { key, source } of sources) {
      const kept = this.#kept.get(key)?.toString('utf8') as PackedOutline | undefined
      if (kept !== undefined) found.set(key, kept)
      else missing.set(key, source)
    }
    const unread = [...missing].flatMap(([key, source]) => {
      const outline = outlineUnread(source)
      return outline === undefined ? [] : [[key, packOutline(outline)] as const]
    })
    for (const [key, line] of unread) {
      found.set(key, line)
      missing.delete(key)
    }
    const answers = await this.#parsers.outline([...missing.values()])
    for (const [at, key] of [...missing.keys()].entries()) {
      const line = answers[at]
      if (line === undefined) continue
      this.#kept.set(key, Buffer.from(line))
      found.set(key, line)
    }
    return found
  }
}

function textKey({ path, text }: Source): string {
  const hash = createHash('sha256').update(text, 'utf16le').digest('base64')
  return `${hash} ${readingKey(path)}`
}
