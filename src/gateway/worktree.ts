import type { Batch } from '../core/batch.js'
import type { Blob } from '../core/blob.js'
import { Refusal } from '../core/errors.js'
import type { Oid } from '../core/oid.js'
import type { Receipt } from '../core/receipt.js'
import type { RepoPath } from '../core/repo-path.js'
import type { Op } from '../edit/ops/registry.js'
import type { DiffAnswer } from '../report/diff-answer.js'
import type { OutlinedFile } from '../report/symbols-view.js'
import { isWithoutFiles } from './checkout/absent-files.js'
import type { Checkout } from './checkout/checkout.js'
import type { ApplyOptions, RevertOptions, WorktreeParts } from './checkout/worktree-parts.js'
import { type DraftBatch, Drafts } from './editing/drafts.js'
import { invertCommit } from './editing/invert-commit.js'
import { resolveBatch } from './editing/resolve-batch.js'
import { applyChange, type ChangeRequest, currentTree } from './landing/apply-change.js'
import { faultAsRefusal } from './landing/faults.js'
import { type BatchKey, batchKey, KeyedBatches } from './landing/keyed-batches.js'
import { settled } from './landing/settled.js'
import { commitOutsideChanges } from './landing/snapshot.js'
import { worktreeState } from './opening/worktree-state.js'
import { branchBatch, branchLog, type LogQuery, ownCommit } from './reading/branch-log.js'
import { type FilesQuery, listedFiles } from './reading/list-worktree-files.js'
import { type DiffQuery, unreportedDiff } from './reading/report-changes.js'
import { type SearchedFiles, type SymbolQuery, searchFiles } from './reading/search-symbols.js'
import { Survey } from './reading/survey.js'
import { outlineFile } from './repository/outline-file.js'
import { Queue } from './repository/queue.js'
import { differences, readCommit, receiptOf } from './repository/read-history.js'
import type { WorktreeRefs } from './repository/worktree-refs.js'
import type {
  BatchAnswer,
  FilesAnswer,
  LogAnswer,
  StateAnswer,
  WorktreeAnswer,
} from './telling/answers.js'

/** One agent at work: its branch, its linked worktree, its queue. Batches are done one after another, reads beside them. */
export class Worktree {
  readonly id: string
  readonly agent: string
  /** Questions about all of its files. */
  readonly survey: Survey
  readonly #parts: WorktreeParts
  readonly #queue = new Queue()
  readonly #keyed: KeyedBatches
  readonly #keysInFlight = new Set<string>()
  /** Long texts that are being written. */
  readonly drafts: Drafts
  #model: string | undefined

  constructor(parts: WorktreeParts) {
    this.#parts = parts
    this.id = parts.id
    this.agent = parts.agent
    this.drafts = new Drafts(parts)
    this.survey = new Survey(parts.checkout, parts.limits)
    this.#keyed = new KeyedBatches(parts.checkout.served, parts.base)
  }

  /** The model at work from now on; its name goes into the commits. */
  worksWith(model: string): void {
    this.#model = model
  }

  get checkout(): Checkout {
    return this.#parts.checkout
  }

  get refs(): WorktreeRefs {
    return this.#parts.refs
  }

  /** The file as an agent sees it, what was changed outside included. Refuses with `FILE_NOT_FOUND`, `SYMLINK` and the like. */
  async read(path: RepoPath): Promise<Blob> {
    const started = performance.now()
    const { checkout, limits, meter } = this.#parts
    const blob = await this.#settled(async () => (await currentTree(checkout, limits)).read(path))
    if (blob === undefined) throw new Refusal('FILE_NOT_FOUND', { path })
    if (blob.mode === '160000') throw new Refusal('NOT_REGULAR', { path })
    if (blob.mode === '120000')
      throw new Refusal('SYMLINK', { path, target: Buffer.from(blob.bytes).toString('utf8') })
    meter.read(performance.now() - started)
    meter.bytes('read', blob.bytes.length)
    return blob
  }

  /** What a file that was read declares. `UNSUPPORTED_OP` where nobody can tell. */
  outline(path: RepoPath, blob: Blob): Promise<OutlinedFile> {
    return outlineFile(this.#parts.checkout.served.symbols, path, blob)
  }

  /** The files that may declare a name, with all that they declare. */
  async searchSymbols(query: SymbolQuery): Promise<SearchedFiles> {
    const { checkout, limits } = this.#parts
    return this.#settled(() => searchFiles(checkout, query, limits))
  }

  /** Lands a batch as one commit, or refuses it whole. */
  async apply(batch: Batch<Op>, options: ApplyOptions = {}): Promise<Receipt> {
    const { recordRefusal } = this.#parts
    if (recordRefusal === undefined) return this.#apply(batch, options)
    try {
      return await this.#apply(batch, options)
    } catch (error) {
      if (error instanceof Refusal) recordRefusal(this.id, batch, error)
      throw error
    }
  }

  #apply(batch: Batch<Op>, options: ApplyOptions): Promise<Receipt> {
    const status = options.ifMatch ? 412 : undefined
    return this.#change({
      ...this.#request(batch, options),
      resolve: tree => resolveBatch(batch, { ...this.#parts, tree, status }),
    })
  }

  /** Lands a draft as one commit, or refuses it and keeps it. */
  applyDraft(draft: DraftBatch, options: ApplyOptions = {}): Promise<Receipt> {
    const request = this.#request(draft, options)
    return this.drafts.land(draft, resolve => this.#change({ ...request, resolve }))
  }

  /** All of a request but what it changes. */
  #request(
    { message, intent, mustBeValid = false }: Omit<DraftBatch, 'draft' | 'batchOf'>,
    { dryRun = false, signal, key, fingerprint = '' }: ApplyOptions,
  ): Omit<ChangeRequest, 'resolve'> {
    const syntax = { waitMs: this.#parts.syntaxMs, isRequired: mustBeValid }
    const common = { agent: this.agent, model: this.#model, dryRun, signal, syntax }
    const once = key === undefined ? undefined : batchKey(key, fingerprint)
    return { ...common, message, intent, key: once }
  }

  /** Undoes one commit of this branch, in its own paths only. Refuses with `NOT_FOUND` or `DEPENDENT_CHANGES`. */
  async revert(commit: string, options: RevertOptions = {}): Promise<Receipt> {
    const { checkout, base, limits, allowProtected } = this.#parts
    const oid = await ownCommit(checkout, base, commit)
    const { fields, message } = await readCommit(checkout.served, oid)
    const parent = fields.parents[0]
    if (parent === undefined) throw new Refusal('NOT_FOUND', { commit })
    const undone = await differences(checkout.served, parent, oid)
    const said = options.message ?? `Revert "${message.subject}"\n\nThis undoes commit ${oid}.`
    const inverting = { checkout, differences: undone, limits, allowProtected }
    return this.#change({
      ...this.#request({ message: said }, { ...options, fingerprint: `revert ${oid}` }),
      resolve: tree => invertCommit({ ...inverting, tree }),
    })
  }

  /** Commits what was changed outside of the gateway. */
  snapshot(options: { readonly message?: string } = {}): Promise<Receipt> {
    const { checkout, limits, allowProtected } = this.#parts
    const commit = async (): Promise<Receipt> => {
      const landed = await commitOutsideChanges(checkout, this.agent, limits, {
        ...options,
        allowProtected,
      })
      if (landed.commit === undefined) return landed.receipt
      const receipt = await receiptOf(
        checkout.served,
        await readCommit(checkout.served, landed.commit),
        limits,
      )
      this.#published(receipt)
      return receipt
    }
    return this.#queue.run(() => this.#settled(commit))
  }

  /** What changed since the last report. With `mark`, a complete answer counts as reported. */
  async unreported(query: DiffQuery, limits = this.#parts.limits): Promise<DiffAnswer> {
    const { checkout, refs, base } = this.#parts
    return this.#settled(() => unreportedDiff(checkout, { refs, base, limits }, query))
  }

  /** Commits of the branch since its base, newest first. */
  async log(query: LogQuery): Promise<LogAnswer> {
    const { checkout, base } = this.#parts
    return this.#settled(() => branchLog(checkout, base, query))
  }

  /** One commit of the branch with its receipt. Refuses with `NOT_FOUND`. */
  async batch(commit: string): Promise<BatchAnswer> {
    const { checkout, base, limits } = this.#parts
    return this.#settled(() => branchBatch(checkout, base, commit, limits))
  }

  /** Files that git tracks or would add, sorted. */
  async files(query: FilesQuery): Promise<FilesAnswer> {
    const { checkout, limits } = this.#parts
    return this.#settled(() => listedFiles(checkout, query, limits))
  }

  /** Finishes what a process that has ended left half done here. */
  async finishLeftWork(): Promise<void> {
    await this.#settled(async () => undefined)
  }

  async state(): Promise<StateAnswer> {
    const { checkout, refs } = this.#parts
    return this.#settled(async () =>
      worktreeState(checkout, await this.describe(), refs, this.drafts),
    )
  }

  /** The worktree as it is told to clients. */
  async describe(): Promise<WorktreeAnswer> {
    const { checkout, refs, base } = this.#parts
    const { served } = checkout
    return {
      id: this.id,
      repo: served.name,
      agent: this.agent,
      branch: refs.branch.slice('refs/heads/'.length),
      path: checkout.path,
      base,
      head: await checkout.head(),
      reported: (await served.resolveRef(refs.reported)) ?? base,
      ...(isWithoutFiles(checkout) && { files: 'none' as const }),
      ...(checkout.anchors && { view: 'hashline' as const, anchors: checkout.anchors }),
    }
  }

  /** Runs alone: no batch is under way meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work)
  }

  /** Ends the children when the batches in flight are done. */
  async stop(): Promise<void> {
    await this.#queue.idle()
    await this.#parts.checkout.stop()
  }

  async #change(request: ChangeRequest): Promise<Receipt> {
    const { key } = request
    if (key === undefined || request.dryRun) return this.#queue.run(() => this.#land(request))
    if (this.#keysInFlight.has(key.key)) throw new Refusal('KEY_IN_FLIGHT', { key: key.key })
    this.#keysInFlight.add(key.key)
    try {
      const earlier = (head: Oid): Promise<Receipt | undefined> => this.#earlier(key, head)
      return await this.#queue.run(() => this.#land({ ...request, earlier }))
    } finally {
      this.#keysInFlight.delete(key.key)
    }
  }

  async #earlier(key: BatchKey, head: Oid): Promise<Receipt | undefined> {
    const { checkout, limits } = this.#parts
    const commit = await this.#keyed.find(key, head)
    return commit && receiptOf(checkout.served, await readCommit(checkout.served, commit), limits)
  }

  async #land(request: ChangeRequest): Promise<Receipt> {
    const { checkout, limits, meter } = this.#parts
    const started = performance.now()
    const ended = (result: string, code = ''): void =>
      meter.batch(result, code, performance.now() - started)
    try {
      const { receipt, bytesWritten, isRepeated } = await this.#settled(() =>
        applyChange(checkout, request, limits),
      )
      if (isRepeated) return receipt
      meter.bytes('written', bytesWritten)
      for (const { level } of receipt.ops) if (level !== undefined) meter.match(level, 1)
      ended(receipt.dry_run ? 'dry_run' : receipt.commit === null ? 'unchanged' : 'committed')
      this.#published(receipt)
      return receipt
    } catch (thrown) {
      const error = faultAsRefusal(thrown)
      if (error instanceof Refusal && error.code === 'CANCELLED') meter.cancel()
      if (error instanceof Refusal) ended('refused', error.code)
      else ended('failed')
      throw error
    }
  }

  #published(receipt: Receipt): void {
    if (receipt.commit === null) return
    const { id, agent } = this
    const { commit, parent } = receipt
    const paths = receipt.files.map(({ path }) => path)
    this.#parts.events.publish({ type: 'batch', worktree: id, agent, commit, parent, paths })
  }

  #settled<T>(work: () => Promise<T>): Promise<T> {
    return settled(this.#parts.checkout, work)
  }
}
