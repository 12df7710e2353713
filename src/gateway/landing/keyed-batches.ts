import { createHash } from 'node:crypto'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import type { Oid } from '../../core/oid.js'
import { isOid } from '../../core/oid.js'
import { runGit } from '../../io/git/run-git.js'
import { parseCommitMessage } from '../../report/commit-message.js'
import { trailer } from '../repository/read-history.js'
import type { ServedRepository } from '../repository/served-repository.js'

/** The key a client gave to a batch, and the hash of what it asked. */
export interface BatchKey {
  readonly key: string
  readonly hash: string
}

/** Reads a key from outside: up to 200 printable ASCII characters without spaces, else `INVALID_ARGUMENTS`. */
export function batchKey(key: string, fingerprint: string): BatchKey {
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new Refusal('INVALID_ARGUMENTS', {
      problem: 'an idempotency key is 1 to 200 printable ASCII characters without spaces',
    })
  }
  return { key, hash: createHash('sha256').update(fingerprint).digest('hex') }
}

/**
 * Which batches of a branch were committed under which key. What is lasting stands in the commits' trailers;
 * here is only what was read of them, brought up to the branch when asked.
 */
export class KeyedBatches {
  readonly #served: ServedRepository
  readonly #commits = new Map<string, { readonly hash: string; readonly commit: Oid }>()
  #readUpTo: Oid

  constructor(served: ServedRepository, base: Oid) {
    this.#served = served
    this.#readUpTo = base
  }

  /** The commit of the same batch, as long as it is on the branch; `KEY_REUSED` where the key belongs to another one. */
  async find({ key, hash }: BatchKey, head: Oid): Promise<Oid | undefined> {
    await this.#readTo(head)
    const found = this.#commits.get(key)
    // Somebody may have taken the branch back to before the commit.
    if (found === undefined || !(await this.#served.isAncestor(found.commit, head)))
      return undefined
    if (found.hash !== hash) throw new Refusal('KEY_REUSED', { commit: found.commit })
    return found.commit
  }

  async #readTo(head: Oid): Promise<void> {
    if (head === this.#readUpTo) return
    const { stdout } = await runGit(this.#served.repository.main, [
      'log',
      '-z',
      '--format=%H%n%B',
      '--first-parent',
      `--max-count=${fixedLimits.keyCommits}`,
      // Said out loud, because a trusted configuration may say otherwise.
      '--no-show-signature',
      '--basic-regexp',
      '--grep=^Editlatch-Key: ',
      head,
      `^${this.#readUpTo}`,
    ])
    for (const record of stdout.toString('utf8').split('\0').reverse()) this.#remember(record)
    this.#readUpTo = head
  }

  #remember(record: string): void {
    const newline = record.indexOf('\n')
    const commit = record.slice(0, Math.max(newline, 0))
    const value = trailer(parseCommitMessage(record.slice(newline + 1)), 'Editlatch-Key')
    const [key, hash] = value?.split(' ') ?? []
    if (isOid(commit) && key !== undefined && hash !== undefined)
      this.#commits.set(key, { hash, commit })
  }
}
