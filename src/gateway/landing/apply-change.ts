import { Refusal } from '../../core/errors.js'
import { fixedLimits, type Limits } from '../../core/limits.js'
import type { Oid } from '../../core/oid.js'
import type { Receipt, Warning } from '../../core/receipt.js'
import type { RepoPath } from '../../core/repo-path.js'
import type { Resolution } from '../../edit/resolve.js'
import { wouldBeRenormalised } from '../../io/git/attributes.js'
import { hashObject } from '../../io/git/hash-object.js'
import type { IndexLock } from '../../io/git/index-lock.js'
import { randomHex } from '../../io/random-name.js'
import { formatCommitMessage, type Trailer } from '../../report/commit-message.js'
import { editTrailers } from '../../report/edit-trailers.js'
import { buildReceipt } from '../../report/receipt.js'
import type { Checkout } from '../checkout/checkout.js'
import { WorkingTree } from '../checkout/working-tree.js'
import { checkSyntax, type SyntaxRules } from './check-syntax.js'
import { commitSignatures } from './commit-signatures.js'
import { externalMessage } from './external-message.js'
import type { BatchKey } from './keyed-batches.js'
import { type Landed, type Landing, landChanges } from './land-changes.js'
import { lockCheckout } from './lock-checkout.js'
import type { IdentifiedChange } from './plan-commits.js'

/** Something that is to become one commit, whatever it was made from. */
export interface ChangeRequest {
  /** Asked again with a newer tree when the branch or a touched file moved meanwhile. */
  readonly resolve: (tree: WorkingTree) => Promise<Resolution>
  readonly agent: string
  readonly model?: string | undefined
  readonly message?: string | undefined
  readonly intent?: string | undefined
  readonly key?: BatchKey | undefined
  /** The receipt of the same batch, where it is on the branch already: another process may have had it too. */
  readonly earlier?: (head: Oid) => Promise<Receipt | undefined>
  readonly dryRun: boolean
  readonly syntax: SyntaxRules
  readonly signal?: AbortSignal | undefined
}

/** A receipt and what the gateway counts of it. */
export interface Applied {
  readonly receipt: Receipt
  readonly bytesWritten: number
  /** True where the batch had been landed before. */
  readonly isRepeated: boolean
}

/** Resolves a change on the newest head and lands it as one commit. */
export async function applyChange(
  checkout: Checkout,
  request: ChangeRequest,
  limits: Limits,
): Promise<Applied> {
  let refused: Refusal | undefined
  for (let attempt = 0; attempt <= fixedLimits.rebuilds; attempt += 1) {
    throwIfCancelled(request.signal)
    // Overtaken again and again, the last try keeps the others out while it resolves.
    const lock = attempt === fixedLimits.rebuilds ? await lockCheckout(checkout) : undefined
    const tree = await currentTree(checkout, limits)
    try {
      const applied = await attemptChange(checkout, request, { tree, lock }, limits)
      if (applied !== 'moved') return applied
    } catch (error) {
      // Another process landed between our looks at the branch and at the disk: what was refused may never have been.
      if (!(error instanceof Refusal) || error.code === 'NOT_DURABLE') throw error
      if ((await checkout.head()) === tree.head) throw error
      refused = error
    } finally {
      lock?.release()
    }
  }
  throw refused ?? new Refusal('LOCKED', { reason: 'the branch or the files keep changing' })
}

interface Attempt {
  readonly tree: WorkingTree
  /** The index lock, where it is held already. */
  readonly lock: IndexLock | undefined
}

async function attemptChange(
  checkout: Checkout,
  request: ChangeRequest,
  { tree, lock }: Attempt,
  limits: Limits,
): Promise<Applied | 'moved'> {
  const earlier = await request.earlier?.(tree.head)
  if (earlier !== undefined) return { receipt: earlier, bytesWritten: 0, isRepeated: true }
  const resolution = await request.resolve(tree)
  const changes = identify(checkout, resolution)
  const attributes = await attributeWarnings(checkout, tree, changes)
  const syntax = await checkSyntax(checkout.served.symbols, changes, request.syntax)
  const warnings = [...resolution.warnings, ...attributes, ...syntax.warnings]
  const { verdicts } = syntax
  const draft = { parent: tree.head, changes, ops: resolution.ops, warnings, verdicts }
  if (request.dryRun || changes.length === 0) {
    const receipt = buildReceipt({ ...draft, commit: null, dryRun: request.dryRun }, limits)
    return { receipt, bytesWritten: 0, isRepeated: false }
  }
  const landed = await land(checkout, request, { tree, lock }, draft)
  if (landed === 'moved') return landed
  const { commit, parent } = landed
  const all = [...warnings, ...landingWarnings(landed)]
  const receipt = buildReceipt({ ...draft, commit, parent, warnings: all, dryRun: false }, limits)
  const bytesWritten = sum(changes.map(({ after }) => after?.bytes.length ?? 0))
  return { receipt, bytesWritten, isRepeated: false }
}

/** The files as they stand now: the branch's head and what the disk holds over it. */
export async function currentTree(checkout: Checkout, limits: Limits): Promise<WorkingTree> {
  const head = await checkout.head()
  return new WorkingTree(checkout, head, await checkout.served.treeOf(head), limits.fileBytes)
}

interface Draft {
  readonly parent: Oid
  readonly changes: readonly IdentifiedChange[]
  readonly ops: Resolution['ops']
  readonly warnings: readonly Warning[]
}

function land(
  checkout: Checkout,
  request: ChangeRequest,
  { tree, lock }: Attempt,
  draft: Draft,
): Promise<Landed | 'moved'> {
  const { changes, ops, warnings } = draft
  const { message, signal, agent } = request
  const batchMessage = (external: boolean): string => {
    const told = [...warnings, ...(external ? [externalWarning] : [])]
    const trailers = [...requestTrailers(request), ...editTrailers(changes, ops, told)]
    const given = message === undefined ? {} : { message }
    return formatCommitMessage({ ...given, ops, changes, trailers })
  }
  const landing: Landing = {
    tree,
    changes,
    alsoTouched: [],
    message: batchMessage,
    externalMessage: files => externalMessage(agent, files),
    signatures: commitSignatures(checkout.served.repository, agent, nowSeconds()),
    ...(signal !== undefined && { signal }),
  }
  return landChanges(checkout, landing, lock)
}

function requestTrailers({ agent, model, intent, key }: ChangeRequest): readonly Trailer[] {
  const values: readonly (readonly [key: string, value: string | undefined])[] = [
    ['Editlatch-Batch', randomHex(16)],
    ['Editlatch-Agent', agent],
    ['Editlatch-Model', model],
    ['Editlatch-Intent', intent],
    ['Editlatch-Key', key && `${key.key} ${key.hash}`],
  ]
  return values.flatMap(([name, value]) => (value === undefined ? [] : [{ key: name, value }]))
}

function identify(checkout: Checkout, { changes }: Resolution): readonly IdentifiedChange[] {
  const format = checkout.served.repository.objectFormat
  return changes.map(change =>
    change.after === undefined
      ? change
      : { ...change, afterOid: hashObject(format, 'blob', change.after.bytes) },
  )
}

/** Refuses filtered files with `FILTERED`, and warns of bytes that git's own `add` would change. */
async function attributeWarnings(
  checkout: Checkout,
  tree: WorkingTree,
  changes: readonly IdentifiedChange[],
): Promise<readonly Warning[]> {
  const warnings: Warning[] = []
  for (const { path, from, after } of changes) {
    const { attributes } = await tree.file(path)
    const old = from && (await tree.file(from)).attributes
    const filter = attributes.filter ?? old?.filter
    if (filter !== undefined && !checkout.trusted) throw new Refusal('FILTERED', { path, filter })
    if (after !== undefined && wouldBeRenormalised(attributes, after.bytes)) {
      warnings.push({ code: 'would_be_renormalised', path })
    }
  }
  return warnings
}

function landingWarnings({ external, kept, unfinished }: Landed): readonly Warning[] {
  return [
    ...(external ? [externalWarning] : []),
    ...kept.map((path: RepoPath) => ({ code: 'file_kept' as const, path })),
    ...(unfinished ? [{ code: 'worktree_behind' as const }] : []),
  ]
}

const externalWarning: Warning = { code: 'external_changes_committed' }

/** The batch of a client that is gone must not be committed. */
function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Refusal('CANCELLED')
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
