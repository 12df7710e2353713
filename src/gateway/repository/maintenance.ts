import { join } from 'node:path'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { spaceAt } from '../../io/files/file-system.js'
import { holdCollection } from '../../io/git/garbage-collection.js'
import { removeDeadOwners, tryOwnLock } from '../../io/git/index-lock.js'
import { bytesToRoll, estimateLoose, hasPromisorPack } from '../../io/git/object-store.js'
import type { Repository } from '../../io/git/open-repository.js'
import { closeOwnerRecord, type OwnerRecord, openOwnerRecord } from '../../io/git/owner-record.js'
import { removeUnfinished, repackGeometrically, type UnfinishedPack } from '../../io/git/repack.js'
import {
  type MaintenanceRecord,
  readMaintenanceRecord,
  writeMaintenanceRecord,
} from './maintenance-record.js'

export interface MaintenanceParts {
  /** The repository as it is now. Refuses where it would not be served any more. */
  readonly current: () => Promise<Repository>
  /** The objects lie elsewhere now. */
  readonly onPacked: () => void
  readonly onFault: (error: unknown) => void
  readonly looseObjects: number
}

/** Looks at how many there are, from one packing to the next. */
const looks = 20

/**
 * Packs what gathers loose in one repository, in the background: no batch waits for it, and of several gateways one does
 * it. It never prunes and expires nothing. A packing that fails changes nothing, is told, and is not tried again at once.
 */
export class Maintenance {
  readonly #parts: MaintenanceParts
  readonly #stopping = new AbortController()
  /** Since somebody last looked how many loose objects there are. */
  #written = 0
  /** Since the last packing by us. */
  #gathered = 0
  /** After a fault, until when nothing is tried, by the clock of this process: there may be no record of it. */
  #restsUntil = 0
  #running: Promise<void> | undefined

  constructor(parts: MaintenanceParts) {
    this.#parts = parts
  }

  /** So many loose objects were written. */
  wrote(count: number): void {
    this.#written += count
    this.#gathered += count
    if (this.#written * looks >= this.#parts.looseObjects) this.consider()
  }

  /** Begins to pack where that is due. */
  consider(): void {
    this.#written = 0
    if (this.#running !== undefined || this.#stopping.signal.aborted) return
    if (performance.now() < this.#restsUntil) return
    this.#running = this.#packIfDue()
      .catch(error => {
        this.#restsUntil = performance.now() + fixedLimits.repackRetryMs
        this.#parts.onFault(error)
      })
      .finally(() => {
        this.#running = undefined
      })
  }

  /** Ends the packing that runs. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #packIfDue(): Promise<void> {
    const repository = await this.#parts.current()
    const { commonDir } = repository
    const loose = estimateLoose(join(commonDir, 'objects')).count
    if (!this.#isDue(readMaintenanceRecord(commonDir), loose)) return
    if (whyNot(repository) !== undefined) return
    const owner = openOwnerRecord(commonDir, { durable: false })
    try {
      await this.#alone(repository, owner, () => this.#pack(repository, loose))
    } finally {
      closeOwnerRecord(owner)
    }
  }

  /** What the last one left loose, as damaged objects are, does not make the next one due. */
  #isDue(last: MaintenanceRecord | undefined, loose: number): boolean {
    const sinceMs = Math.abs(Date.now() - (last?.at_ms ?? 0))
    // One that runs and whose lock is free was cut off.
    const isBad = last?.state === 'failed' || last?.state === 'running'
    if (isBad && sinceMs < fixedLimits.repackRetryMs) return false
    const left = last?.state === 'done' ? last.loose : 0
    return Math.max(this.#gathered, loose - left) >= this.#parts.looseObjects
  }

  async #alone(
    { commonDir }: Repository,
    owner: OwnerRecord,
    work: () => Promise<void>,
  ): Promise<void> {
    const lock = await tryOwnLock(commonDir, 'maintenance.lock', owner)
    try {
      if (lock === undefined) return
      await removeDeadOwners(commonDir, owner)
      const release = holdCollection(commonDir)
      if (release === undefined) return
      await work().finally(release)
    } finally {
      lock?.release()
    }
  }

  async #pack(repository: Repository, loose: number): Promise<void> {
    const { commonDir, main } = repository
    const objectsDir = join(commonDir, 'objects')
    const last = readMaintenanceRecord(commonDir)
    // Another gateway may just have done it.
    if (!this.#isDue(last, estimateLoose(objectsDir).count)) return
    removeUnfinished(join(objectsDir, 'pack'), last?.unfinished ?? [])
    const tell = (told: Told, left: number): void => record(commonDir, told, left, [])
    tell({ state: 'running' }, loose)
    try {
      assertSpace(objectsDir)
      await repackGeometrically(main, objectsDir, {
        signal: this.#stopping.signal,
        onUnfinished: files => this.#tellUnfinished(commonDir, loose, files),
      })
      this.#gathered = 0
      tell({ state: 'done' }, estimateLoose(objectsDir).count)
      this.#parts.onPacked()
    } catch (error) {
      const isStopped = error instanceof Refusal && error.code === 'CANCELLED'
      tell(isStopped ? { state: 'stopped' } : { state: 'failed', problem: inShort(error) }, loose)
      if (!isStopped) throw error
    }
  }

  /** A record that cannot be written is no reason to give up. */
  #tellUnfinished(commonDir: string, loose: number, files: readonly UnfinishedPack[]): void {
    try {
      record(commonDir, { state: 'running' }, loose, files)
    } catch (error) {
      this.#parts.onFault(error)
    }
  }
}

type Told = Pick<MaintenanceRecord, 'state' | 'problem'>

function record(
  commonDir: string,
  told: Told,
  loose: number,
  unfinished: readonly UnfinishedPack[],
): void {
  const shown = unfinished.slice(0, mostUnfinished)
  writeMaintenanceRecord(commonDir, { ...told, at_ms: Date.now(), loose, unfinished: shown })
}

const mostUnfinished = 100

/** Why a repository is never packed here; undefined where it is. */
export function whyNot({ commonDir, isPartial }: Repository): string | undefined {
  const mayMiss = isPartial || hasPromisorPack(join(commonDir, 'objects'))
  // A promised pack that is rolled up with others would lose its mark, and what it misses would count as lost.
  return mayMiss
    ? 'of a partial clone only your own git knows which objects may be missing'
    : undefined
}

function assertSpace(objectsDir: string): void {
  const { bytes: looseBytes } = estimateLoose(objectsDir)
  const needed = 2 * (looseBytes + bytesToRoll(objectsDir, looseBytes))
  const { bytes } = spaceAt(objectsDir)
  if (bytes < needed + fixedLimits.repackSpareBytes)
    throw new Refusal('DISK_FULL', { needed, bytes })
}

function inShort(error: unknown): string {
  const text =
    error instanceof Refusal ? `${error.code} ${JSON.stringify(error.data)}` : String(error)
  return text.slice(0, 1_000)
}
