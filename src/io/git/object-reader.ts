import { Refusal } from '../../core/errors.js'
import { type ObjectFormat, type Oid, parseOid } from '../../core/oid.js'
import { Coprocess } from './coprocess.js'
import { hashObject, type ObjectType } from './hash-object.js'
import { LruBytes } from './lru-bytes.js'
import { packedRefsVersion } from './packed-refs.js'
import type { GitPlace } from './run-git.js'
import { type AnswerReader, CoprocessEnded } from './running-child.js'

export interface StoredObject {
  readonly oid: Oid
  readonly type: ObjectType
  readonly body: Buffer
}

/** Where the bodies of trees come from. */
export interface TreeSource {
  readonly oidBytes: number
  /** Refuses with `OBJECT_MISSING`. */
  tree(oid: Oid): Promise<Buffer>
}

const treeCacheBytes = 16 * 1024 * 1024
const cachedTreeBytes = 1024 * 1024

/** Reads objects and refs of one repository through one long-lived `git cat-file --batch-command`. */
export class ObjectReader implements TreeSource {
  readonly oidBytes: number
  readonly #format: ObjectFormat
  readonly #start: () => Coprocess
  #coprocess: Coprocess
  readonly #trees = new LruBytes<Oid>(treeCacheBytes)

  constructor(place: GitPlace, format: ObjectFormat) {
    this.oidBytes = format === 'sha1' ? 20 : 32
    this.#format = format
    this.#start = () =>
      new Coprocess({
        command: place.git,
        args: [...place.flags, 'cat-file', '--batch-command'],
        env: place.env,
        cwd: place.cwd,
        version: () => packedRefsVersion(place),
        gathers: true,
      })
    this.#coprocess = this.#start()
  }

  /** The object a name stands for (an id, a ref, `commit:path`); undefined where there is none. */
  async read(name: string): Promise<StoredObject | undefined> {
    return this.#persist(`contents ${name}\n`, readContents)
  }

  /** Type and size, without the content. */
  async info(
    name: string,
  ): Promise<{ readonly oid: Oid; readonly type: string; readonly bytes: number } | undefined> {
    return this.#persist(`info ${name}\n`, readInfo)
  }

  /** The id a ref stands at now; undefined where there is no such ref. */
  async resolveRef(ref: string): Promise<Oid | undefined> {
    return (await this.info(ref))?.oid
  }

  /** The body of a tree, from memory where it was read before. Refuses with `OBJECT_MISSING`. */
  async tree(oid: Oid): Promise<Buffer> {
    const cached = this.#trees.get(oid)
    if (cached !== undefined) return cached
    const body = await this.#body(oid, 'tree')
    this.rememberTree(oid, body)
    return body
  }

  /** Keeps a tree that was just written, so that the next batch need not read it. */
  rememberTree(oid: Oid, body: Buffer): void {
    if (body.length <= cachedTreeBytes) this.#trees.set(oid, body)
  }

  /** The bytes of a blob. Refuses with `TOO_LARGE` before reading, or `OBJECT_MISSING`. */
  async blob(oid: Oid, maxBytes: number): Promise<Buffer> {
    const info = await this.info(oid)
    if (info !== undefined && info.bytes > maxBytes) {
      throw new Refusal('TOO_LARGE', { rev: oid, bytes: info.bytes, limit: maxBytes })
    }
    return this.#body(oid, 'blob')
  }

  /** The body of a commit. Refuses with `OBJECT_MISSING`. */
  commit(oid: Oid): Promise<Buffer> {
    return this.#body(oid, 'commit')
  }

  /** Later questions are answered by a child that has read the configuration anew. */
  renew(): void {
    this.#coprocess.renew()
  }

  stop(): Promise<void> {
    return this.#coprocess.stop()
  }

  async #body(oid: Oid, type: ObjectType): Promise<Buffer> {
    const object = await this.read(oid)
    if (object === undefined) throw new Refusal('OBJECT_MISSING', { oid })
    if (object.type !== type)
      throw new Refusal('NOT_FOUND', { oid, expected: type, actual: object.type })
    // Git believes a file name and an index of a pack; what is edited and shown must be what was named.
    if (hashObject(this.#format, type, object.body) !== oid) {
      throw new Refusal('OBJECT_MISSING', {
        oid,
        problem: 'what is stored there is something else',
      })
    }
    return object.body
  }

  /**
   * While packs are rewritten a running cat-file may say "missing" of what is there, and in a partial clone one ends
   * when it may not fetch what is missing. What the first one denies a new one is asked, alone.
   */
  async #persist<T>(question: string, read: AnswerReader<T | undefined>): Promise<T | undefined> {
    if (this.#coprocess.isStale) this.#coprocess.renew()
    const answer = await ask(this.#coprocess, question, read)
    if (answer !== undefined) return answer
    const fresh = this.#start()
    const last = await ask(fresh, question, read)
    this.#coprocess.renew()
    this.#coprocess = fresh
    return last
  }
}

async function ask<T>(
  coprocess: Coprocess,
  question: string,
  read: AnswerReader<T | undefined>,
): Promise<T | undefined> {
  try {
    return await coprocess.ask(question, read)
  } catch (error) {
    if (error instanceof CoprocessEnded) return undefined
    throw error
  }
}

type Header = {
  readonly oid: Oid
  readonly type: string
  readonly bytes: number
  readonly end: number
}

/** `<oid> <type> <size>`, or anything else (missing, ambiguous) for what is not there. */
function readHeader(received: Buffer): Header | { readonly end: number } | undefined {
  const newline = received.indexOf(0x0a)
  if (newline < 0) return undefined
  const match = /^([0-9a-f]+) (commit|tree|blob|tag) (\d+)$/.exec(
    received.toString('latin1', 0, newline),
  )
  const end = newline + 1
  if (match === null) return { end }
  return { oid: parseOid(match[1] ?? ''), type: match[2] ?? '', bytes: Number(match[3]), end }
}

const readInfo: AnswerReader<{ oid: Oid; type: string; bytes: number } | undefined> = received => {
  const header = readHeader(received)
  if (header === undefined) return { need: received.length + 1 }
  return { value: 'oid' in header ? header : undefined, used: header.end }
}

const readContents: AnswerReader<StoredObject | undefined> = received => {
  const header = readHeader(received)
  if (header === undefined) return { need: received.length + 1 }
  if (!('oid' in header)) return { value: undefined, used: header.end }
  const used = header.end + header.bytes + 1
  if (received.length < used) return { need: used }
  const body = Buffer.from(received.subarray(header.end, used - 1))
  return { value: { oid: header.oid, type: header.type as StoredObject['type'], body }, used }
}
