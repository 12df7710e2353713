import { performance } from 'node:perf_hooks'
import { fixedLimits } from '../../core/limits.js'
import type { Oid } from '../../core/oid.js'
import { type CommitFields, parseCommit } from '../../io/git/commit-object.js'
import { hashObject, type ObjectType } from '../../io/git/hash-object.js'
import {
  gitAsSecondReader,
  type SecondEntry,
  type SecondReader,
} from '../../io/git/second-reader.js'
import { parseCommitMessage } from '../../report/commit-message.js'
import { differences } from '../repository/read-history.js'
import type { ServedRepository } from '../repository/served-repository.js'
import type { VerifyProblem } from '../telling/answers.js'
import { checkTrailers, type FileChange } from './verify-trailers.js'

export interface CheckedCommit {
  readonly changes: readonly FileChange[]
  /** The first parent, where the commit could be read. */
  readonly parent: Oid | undefined
}

/** The time for a verification is over. */
export class TimeIsOver extends Error {}

const rememberedTrees = 2_000

/** Reads commits once more with a second reader and compares with what the gateway's own says. */
export class CommitVerifier {
  readonly #served: ServedRepository
  readonly #second: SecondReader
  readonly #spare: SecondReader
  readonly #deadline: number
  readonly #trees = new Map<Oid, readonly SecondEntry[]>()
  readonly #sound = new Set<Oid>()
  readonly #gitlinks = new Set<Oid>()
  readonly checked = { commits: 0, trees: 0, blobs: 0, trailers: 0 }
  readonly problems: VerifyProblem[] = []
  /** Blobs above the limit, of which only the size was asked. */
  largeBlobs = 0
  /** Sound objects that only git's reading could take apart. */
  byGit = 0

  constructor(served: ServedRepository, second: SecondReader, deadline: number) {
    this.#served = served
    this.#second = second
    this.#spare = gitAsSecondReader(served.reader)
    this.#deadline = deadline
  }

  /** Checks one commit, what it changed, and what its trailers say of that. Throws `TimeIsOver`. */
  async check(commit: Oid): Promise<CheckedCommit> {
    if (!(await this.#isSound(commit, commit, 'commit'))) return { changes: [], parent: undefined }
    const fields = await this.#parsed(reader => reader.commit(commit))
    await this.#compareFields(commit, fields)
    const parent = fields.parents[0]
    const before = parent && (await this.#parsed(reader => reader.commit(parent))).tree
    const changes: FileChange[] = []
    const isWhole = await this.#walk(commit, '', before, fields.tree, changes)
    if (isWhole && parent !== undefined) await this.#compareChanges(commit, parent, changes)
    for (const { path, after } of changes) {
      const isBlob = after !== null && !this.#gitlinks.has(after)
      if (isBlob) await this.#isSound(commit, after, 'blob', path)
    }
    if (isWhole) this.#checkTrailers(commit, fields.message, changes)
    this.checked.commits += 1
    return { changes, parent }
  }

  #checkTrailers(commit: Oid, message: string, changes: readonly FileChange[]): void {
    const { checked, problems } = checkTrailers(parseCommitMessage(message).trailers, changes)
    this.checked.trailers += checked
    for (const lie of problems) this.report({ commit, what: 'trailer', ...lie })
  }

  /** What the second implementation cannot take apart (modes of old, people without a name) git's reading must do for. */
  async #parsed<T>(read: (reader: SecondReader) => Promise<T>): Promise<T> {
    try {
      return await read(this.#second)
    } catch {
      this.byGit += 1
      return read(this.#spare)
    }
  }

  report(problem: VerifyProblem): void {
    if (this.problems.length < fixedLimits.verifyProblems) this.problems.push(problem)
  }

  /** True where both readers give the same bytes and these have the object's name. Each object is read once. */
  async #isSound(
    commit: Oid,
    oid: Oid,
    type: Exclude<ObjectType, 'tag'>,
    path?: string,
  ): Promise<boolean> {
    if (this.#sound.has(oid)) return true
    if (performance.now() > this.#deadline) throw new TimeIsOver()
    const where = { commit, what: type, ...(path !== undefined && { path }), expected: oid }
    const { reader, repository } = this.#served
    const info = await reader.info(oid)
    if (info !== undefined && info.bytes > fixedLimits.verifiedObjectBytes) {
      this.largeBlobs += 1
      return true
    }
    const ours = await reader.read(oid)
    if (ours === undefined || ours.type !== type) {
      this.report({ ...where, actual: ours?.type ?? null })
      return false
    }
    const bytes = await this.#second.bytes(oid).catch(() => undefined)
    const readings = [ours.body, ...(bytes === undefined ? [] : [bytes])]
    const hashes = readings.map(body => hashObject(repository.objectFormat, type, body))
    const wrong = hashes.find(hash => hash !== oid)
    if (wrong !== undefined || bytes === undefined) {
      this.report({ ...where, actual: wrong ?? null })
      return false
    }
    this.#sound.add(oid)
    if (type === 'tree') this.checked.trees += 1
    if (type === 'blob') this.checked.blobs += 1
    return true
  }

  async #compareFields(commit: Oid, fields: CommitFields): Promise<void> {
    const ours = parseCommit(await this.#served.reader.commit(commit))
    const told = [ours, fields].map(describeCommit)
    if (told[0] !== told[1]) {
      const [actual = '', expected = ''] = told
      this.report({ commit, what: 'commit', expected, actual })
    }
  }

  /** Collects what differs between two trees; false where one of them cannot be read. */
  async #walk(
    commit: Oid,
    directory: string,
    before: Oid | undefined,
    after: Oid | undefined,
    changes: FileChange[],
  ): Promise<boolean> {
    if (before === after) return true
    const [old, now] = [await this.#tree(commit, before), await this.#tree(commit, after)]
    if (old === undefined || now === undefined) return false
    let isWhole = true
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const path = directory === '' ? name : `${directory}/${name}`
      const [left, right] = [old.get(name), now.get(name)]
      if (left?.oid === right?.oid && left?.mode === right?.mode) continue
      const [oldTree, newTree] = [treeOid(left), treeOid(right)]
      isWhole = (await this.#walk(commit, path, oldTree, newTree, changes)) && isWhole
      const [oldFile, newFile] = [this.#fileOid(left), this.#fileOid(right)]
      if (oldFile !== null || newFile !== null) {
        changes.push({ path, before: oldFile, after: newFile })
      }
    }
    return isWhole
  }

  async #tree(
    commit: Oid,
    oid: Oid | undefined,
  ): Promise<ReadonlyMap<string, SecondEntry> | undefined> {
    if (oid === undefined) return new Map()
    if (!(await this.#isSound(commit, oid, 'tree'))) return undefined
    const entries = this.#trees.get(oid) ?? (await this.#parsed(reader => reader.tree(oid)))
    if (this.#trees.size > rememberedTrees) this.#trees.clear()
    this.#trees.set(oid, entries)
    return new Map(entries.map(entry => [entry.name, entry]))
  }

  #fileOid(entry: SecondEntry | undefined): Oid | null {
    if (entry === undefined || entry.kind === 'tree') return null
    if (entry.kind === 'commit') this.#gitlinks.add(entry.oid)
    return entry.oid
  }

  /** What git says that the commit changed must be what the second reader found. */
  async #compareChanges(commit: Oid, parent: Oid, changes: readonly FileChange[]): Promise<void> {
    const listed = await differences(this.#served, parent, commit).catch(() => undefined)
    const byGit = listed?.flatMap(({ path, from, before, after }) =>
      from === undefined
        ? [describeChange({ path, before: before ?? null, after: after ?? null })]
        : [
            describeChange({ path: from, before: before ?? null, after: null }),
            describeChange({ path, before: null, after: after ?? null }),
          ],
    )
    const expected = changes.map(describeChange).sort().join('\n')
    const actual = byGit?.sort().join('\n') ?? null
    // Names that are no UTF-8 have no common spelling.
    if (expected.includes('\ufffd') || expected === actual) return
    const cut = (text: string | null): string | null => text?.slice(0, toldChars) ?? null
    this.report({ commit, what: 'files', expected: cut(expected), actual: cut(actual) })
  }
}

const toldChars = 2_000

function treeOid(entry: SecondEntry | undefined): Oid | undefined {
  return entry?.kind === 'tree' ? entry.oid : undefined
}

function describeChange({ path, before, after }: FileChange): string {
  return `${path} ${before ?? 'new'}..${after ?? 'deleted'}`
}

/** Fields that both readers spell alike; the message but for its white space. */
function describeCommit({ tree, parents, author, committer, message }: CommitFields): string {
  const people = [author, committer].map(
    ({ name, email, seconds }) => `${name} <${email}> ${seconds}`,
  )
  return [tree, parents.join(' '), ...people, message.replace(/\s+/g, ' ').trim()].join('\n')
}
