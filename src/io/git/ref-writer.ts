import { performance } from 'node:perf_hooks'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { isOid, type Oid } from '../../core/oid.js'
import { Coprocess } from './coprocess.js'
import type { Durability } from './object-writer.js'
import { packedRefsVersion } from './packed-refs.js'
import type { GitPlace } from './run-git.js'
import { type AnswerReader, CoprocessEnded } from './running-child.js'

/** One ref to move. A zero `old` means it must not exist; a zero `new` deletes it. */
export interface RefUpdate {
  readonly ref: string
  readonly old: Oid
  readonly new: Oid
}

/** The ref did not stand where it was expected to; nothing was moved. */
export class RefMoved extends Error {
  /** Undefined where git did not say (the ref is gone, or is locked by somebody). */
  readonly actual: Oid | undefined
  /** The lock file that could not be made, mostly because somebody else holds it. */
  readonly lock: string | undefined

  constructor(stderr: string) {
    super(`a ref update was refused: ${stderr.slice(0, 300)}`)
    this.name = 'RefMoved'
    const actual = /is at ([0-9a-f]+) but expected/.exec(stderr)?.[1]
    this.actual = actual !== undefined && isOid(actual) ? actual : undefined
    this.lock = /Unable to create '(.+?)'/.exec(stderr)?.[1]
  }
}

/** Moves refs by compare-and-swap through a long-lived `git update-ref --stdin`: real locks, real reflogs, every ref format. */
export class RefWriter {
  readonly #coprocess: Coprocess
  #last: Promise<unknown> = Promise.resolve()

  constructor(place: GitPlace, durability: Durability) {
    const sync = durability === 'power' ? 'reference' : 'none'
    this.#coprocess = new Coprocess({
      command: place.git,
      args: [
        ...place.flags,
        '-c',
        `core.fsync=${sync}`,
        // Else every id is looked up as the name of a ref, in twenty places.
        '-c',
        'core.warnAmbiguousRefs=false',
        'update-ref',
        '--stdin',
        '--create-reflog',
        '-m',
        'editlatch',
      ],
      env: {
        ...place.env,
        GIT_COMMITTER_NAME: 'editlatch',
        GIT_COMMITTER_EMAIL: 'editlatch@localhost',
      },
      cwd: place.cwd,
      version: () => packedRefsVersion(place),
    })
  }

  /**
   * Moves all refs or none. Between locking and moving them `confirm` may throw, which leaves all as they were.
   * Throws `RefMoved`.
   */
  update(updates: readonly RefUpdate[], confirm: () => void = () => {}): Promise<void> {
    // One transaction at a time: the child has one state.
    const done = this.#last.then(() => this.#transact(updates, confirm))
    this.#last = done.catch(() => {})
    return done
  }

  /**
   * Whether a ref stands at a commit, asked while it is locked: a git that was about to move it has done so by then
   * or never will. Refuses with `LOCKED` where somebody keeps the lock.
   */
  standsAt(ref: string, oid: Oid): Promise<boolean> {
    const answer = this.#last.then(() => this.#verify(ref, oid))
    this.#last = answer.catch(() => {})
    return answer
  }

  stop(): Promise<void> {
    return this.#coprocess.stop()
  }

  async #verify(ref: string, oid: Oid): Promise<boolean> {
    const deadline = performance.now() + fixedLimits.lockWaitMs
    for (;;) {
      try {
        this.#renewIfOld()
        await this.#say(`start\nverify ${ref} ${oid}\nprepare\n`, 'prepare: ok\n')
        await this.#say('abort\n', 'abort: ok\n')
        return true
      } catch (error) {
        if (!(error instanceof RefMoved)) throw error
        if (error.lock === undefined) return false
        if (performance.now() > deadline)
          throw new Refusal('LOCKED', { reason: 'a ref is locked', lock: error.lock })
      }
    }
  }

  async #transact(updates: readonly RefUpdate[], confirm: () => void): Promise<void> {
    this.#renewIfOld()
    const lines = updates.map(update => `update ${update.ref} ${update.new} ${update.old}\n`)
    await this.#say(`start\n${lines.join('')}prepare\n`, 'prepare: ok\n')
    try {
      confirm()
    } catch (error) {
      await this.#say('abort\n', 'abort: ok\n')
      throw error
    }
    await this.#say('commit\n', 'commit: ok\n')
  }

  /** The time in a reflog entry is the child's start. */
  #renewIfOld(): void {
    const isOld = this.#coprocess.ageMs > fixedLimits.refWriterAgeMs
    if (isOld || this.#coprocess.isStale) this.#coprocess.renew()
  }

  async #say(words: string, expected: string): Promise<void> {
    try {
      await this.#coprocess.ask(words, endsWith(expected))
    } catch (error) {
      if (!(error instanceof CoprocessEnded)) throw error
      if (/dubious|not a git repository/i.test(error.stderr))
        throw new Refusal('IO_FAULT', { reason: 'update-ref' })
      throw new RefMoved(error.stderr)
    }
  }
}

function endsWith(expected: string): AnswerReader<void> {
  return received =>
    received.toString('latin1').endsWith(expected)
      ? { value: undefined, used: received.length }
      : { need: received.length + 1 }
}
