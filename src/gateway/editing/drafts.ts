import type { Batch } from '../../core/batch.js'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { isOid, type Oid, parseOid } from '../../core/oid.js'
import type { Receipt } from '../../core/receipt.js'
import type { Op } from '../../edit/ops/registry.js'
import { serialiseTag } from '../../io/git/commit-object.js'
import type { NewObject } from '../../io/git/edit-tree.js'
import { hashObject, type ObjectType } from '../../io/git/hash-object.js'
import { RefMoved, type RefUpdate } from '../../io/git/ref-writer.js'
import { gitText } from '../../io/git/run-git.js'
import { randomHex } from '../../io/random-name.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WorktreeParts } from '../checkout/worktree-parts.js'
import { type ChangeRequest, nowSeconds } from '../landing/apply-change.js'
import { keepObjects } from '../landing/keep-objects.js'
import type { DraftAnswer } from '../telling/answers.js'
import { resolveBatch } from './resolve-batch.js'

/** What an agent sends of a long text: whole lines, and after how many of them they come. */
export interface DraftLines {
  /** A name of the agent's choice; a new one is given where it is absent. */
  readonly draft?: string | undefined
  readonly afterLines: number
  /** Ends in a newline. */
  readonly text: string
}

/** How a draft becomes a commit. */
export interface DraftBatch {
  readonly draft: string
  readonly batchOf: (text: string) => Batch<Op>
  readonly message?: string | undefined
  readonly intent?: string | undefined
  readonly mustBeValid?: boolean | undefined
}

interface StoredDraft {
  readonly name: string
  readonly ref: string
  /** The tag that the ref stands at, and the text it is about. */
  readonly tag: Oid
  readonly blob: Oid
  readonly lines: number
  readonly bytes: number
  readonly seconds: number
}

/**
 * Texts that an agent writes in pieces. Each is a blob below a ref, so that no gc takes it, and belongs to no tree, so
 * that nobody sees half of it; the tag between ref and blob says when it was last written to and how long it is.
 */
export class Drafts {
  readonly #parts: WorktreeParts

  constructor(parts: WorktreeParts) {
    this.#parts = parts
  }

  /** Those that have not expired, by name. */
  async list(): Promise<readonly DraftAnswer[]> {
    return (await this.#live()).map(describe)
  }

  /** Adds lines to the end of a draft, or begins one. Refuses with `DRAFT_CONFLICT` where it ends elsewhere. */
  async write(added: DraftLines): Promise<DraftAnswer> {
    const name = added.draft ?? randomHex(8)
    for (let attempt = 0; attempt <= fixedLimits.rebuilds; attempt += 1) {
      const written = await this.#append(name, added)
      if (written !== 'moved') return describe(written)
    }
    throw new Refusal('LOCKED', { reason: 'the draft keeps changing' })
  }

  /** Lands a draft by a change that is resolved from its text; the draft is gone then. */
  async land(
    { draft, batchOf }: DraftBatch,
    change: (resolve: ChangeRequest['resolve']) => Promise<Receipt>,
  ): Promise<Receipt> {
    let used: StoredDraft | undefined
    const receipt = await change(async tree => {
      used = await this.#find(draft)
      const batch = batchOf((await this.#bytes(used)).toString('utf8'))
      return resolveBatch(batch, { ...this.#parts, tree, status: undefined })
    })
    if (used !== undefined && !receipt.dry_run) await this.#move([removal(used, this.#zero)])
    return receipt
  }

  async #append(name: string, added: DraftLines): Promise<StoredDraft | 'moved'> {
    // Everything is judged by one look, so that who was overtaken since finds the ref moved.
    const all = await this.#all()
    const live = all.filter(one => !isExpired(one))
    const known = live.find(one => one.name === name)
    if (known === undefined) this.#assertRoom(name, added, live)
    const before = known === undefined ? Buffer.alloc(0) : await this.#bytes(known)
    if (known !== undefined && known.lines !== added.afterLines)
      throw conflict(known, before, added)
    const text = Buffer.concat([before, Buffer.from(added.text, 'utf8')])
    const { writeBytes } = this.#parts.limits
    if (text.length > writeBytes) {
      throw new Refusal('TOO_LARGE', { what: 'draft', limit: writeBytes, actual: text.length })
    }
    const written = { name, ref: this.#ref(name), lines: countLines(text), bytes: text.length }
    return this.#store({ ...written, seconds: nowSeconds() }, text, all)
  }

  /** A new draft begins at its beginning, and only where not too many lie around. */
  #assertRoom(name: string, { afterLines }: DraftLines, live: readonly StoredDraft[]): void {
    const drafts = live.map(one => one.name)
    if (afterLines > 0) throw new Refusal('NOT_FOUND', { draft: name, drafts })
    if (live.length >= fixedLimits.drafts) {
      throw new Refusal('TOO_LARGE', { what: 'drafts', limit: fixedLimits.drafts, drafts })
    }
  }

  async #store(
    written: Omit<StoredDraft, 'tag' | 'blob'>,
    text: Buffer,
    all: readonly StoredDraft[],
  ): Promise<StoredDraft | 'moved'> {
    const { checkout, agent } = this.#parts
    const blob = this.#object('blob', text)
    const { lines, bytes, seconds } = written
    const tagger = { name: agent, email: `${agent}@editlatch.invalid`, seconds }
    const body = serialiseTag({ object: blob.oid, tagger, message: sizeLine(lines, bytes) })
    const tag = this.#object('tag', body)
    await checkout.served.store([blob, tag], checkout.durability)
    const stale = all.filter(one => isExpired(one) && one.ref !== written.ref)
    // One that has expired under this name makes room for the new one.
    const old = all.find(one => one.ref === written.ref)?.tag ?? this.#zero
    const update = { ref: written.ref, old, new: tag.oid }
    if (!(await this.#move([update, ...stale.map(one => removal(one, this.#zero))]))) return 'moved'
    await keepObjects(checkout, [blob, tag])
    return { ...written, tag: tag.oid, blob: blob.oid }
  }

  /** False where a ref did not stand where it was expected to. */
  async #move(updates: readonly RefUpdate[]): Promise<boolean> {
    try {
      await this.#parts.checkout.served.refs.update(updates)
      return true
    } catch (error) {
      if (error instanceof RefMoved) return false
      throw error
    }
  }

  async #find(name: string): Promise<StoredDraft> {
    const live = await this.#live()
    const found = live.find(one => one.name === name)
    if (found !== undefined) return found
    throw new Refusal('NOT_FOUND', { draft: name, drafts: live.map(one => one.name) })
  }

  #bytes({ blob }: StoredDraft): Promise<Buffer> {
    const { checkout, limits } = this.#parts
    return checkout.served.reader.blob(blob, limits.writeBytes)
  }

  async #live(): Promise<readonly StoredDraft[]> {
    return (await this.#all()).filter(draft => !isExpired(draft))
  }

  async #all(): Promise<readonly StoredDraft[]> {
    const format =
      '--format=%(refname) %(objectname) %(object) %(taggerdate:unix) %(contents:subject)'
    const { main } = this.#parts.checkout.served.repository
    const lines = await gitText(main, ['for-each-ref', format, this.#ref('')])
    return lines.split('\n').flatMap(line => parseDraft(line, this.#ref('')) ?? [])
  }

  #object(type: ObjectType, body: Buffer): NewObject {
    const { objectFormat } = this.#parts.checkout.served.repository
    return { oid: hashObject(objectFormat, type, body), type, body }
  }

  get #zero(): Oid {
    return this.#parts.checkout.served.zero
  }

  #ref(name: string): string {
    return this.#parts.refs.drafts + name
  }
}

/** Every draft of an agent, whatever it holds, as refs to remove. */
export async function draftRemovals(
  { served }: Checkout,
  drafts: string,
): Promise<readonly RefUpdate[]> {
  const listing = ['for-each-ref', '--format=%(refname) %(objectname)', drafts]
  const lines = (await gitText(served.repository.main, listing)).split('\n')
  return lines.flatMap(line => {
    const [ref = '', oid = ''] = line.split(' ')
    return isOid(oid) ? [{ ref, old: parseOid(oid), new: served.zero }] : []
  })
}

function removal({ ref, tag }: StoredDraft, zero: Oid): RefUpdate {
  return { ref, old: tag, new: zero }
}

/** What somebody else has put below our refs is passed over. */
function parseDraft(line: string, refs: string): StoredDraft | undefined {
  const fields = /^(\S+) ([0-9a-f]+) ([0-9a-f]+) (\d+) (\d+) lines, (\d+) bytes$/.exec(line)
  const [, ref = '', tag = '', blob = '', seconds, lines, bytes] = fields ?? []
  if (!ref.startsWith(refs) || !isOid(tag) || !isOid(blob)) return undefined
  const stored = { tag: parseOid(tag), blob: parseOid(blob), seconds: Number(seconds) }
  const name = ref.slice(refs.length)
  return { ref, name, ...stored, lines: Number(lines), bytes: Number(bytes) }
}

function sizeLine(lines: number, bytes: number): string {
  return `${lines} lines, ${bytes} bytes\n`
}

function isExpired({ seconds }: StoredDraft): boolean {
  return (nowSeconds() - seconds) * 1_000 > fixedLimits.draftMs
}

function describe({ name, lines, bytes, seconds }: StoredDraft): DraftAnswer {
  const expires = new Date(seconds * 1_000 + fixedLimits.draftMs).toISOString()
  return { draft: name, lines, bytes, expires }
}

const shownLines = 3
const shownChars = 200

function conflict(known: StoredDraft, bytes: Buffer, { afterLines }: DraftLines): Refusal {
  const lines = bytes.toString('utf8').split('\n').slice(0, -1)
  const first = Math.max(0, lines.length - shownLines)
  const last = lines.slice(first).map((text, at) => ({
    line: first + at + 1,
    text: text.slice(0, shownChars).toWellFormed(),
  }))
  const { name: draft, lines: actual } = known
  return new Refusal('DRAFT_CONFLICT', {
    draft,
    after_lines: afterLines,
    actual_lines: actual,
    last_lines: last,
  })
}

function countLines(bytes: Buffer): number {
  return bytes.reduce((lines, byte) => (byte === 0x0a ? lines + 1 : lines), 0)
}
