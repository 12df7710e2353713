import { randomBytes } from 'node:crypto'
import type { Oid } from '../../core/oid.js'
import { isOid } from '../../core/oid.js'
import { Coprocess } from './coprocess.js'
import type { GitPlace } from './run-git.js'
import type { AnswerReader } from './running-child.js'

/** One file that differs between two stored trees. Paths are bytes as latin1 where they are no UTF-8. */
export interface TreeDifference {
  readonly path: string
  readonly from?: string
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly oldMode: string
  readonly newMode: string
  readonly before: Oid | undefined
  readonly after: Oid | undefined
  /** Git's own patch of this file, headers included; empty where only names were asked for. */
  readonly patch: Buffer
}

/** Compares stored trees through long-lived `git diff-tree --stdin` children: one that lists, one that also writes patches. */
export class TreeDiffer {
  readonly #list: Coprocess
  readonly #patch: Coprocess

  constructor(place: GitPlace) {
    this.#list = new Coprocess(diffTree(place, ['--raw']))
    this.#patch = new Coprocess(diffTree(place, ['--patch-with-raw', '--unified=3']))
  }

  /** The files that differ, with exact renames found. */
  async list(before: Oid, after: Oid): Promise<readonly TreeDifference[]> {
    return before === after ? [] : ask(this.#list, before, after)
  }

  /** The same with patches. Refuses with `TOO_LARGE` when git writes more than the output cap. */
  async patches(before: Oid, after: Oid): Promise<readonly TreeDifference[]> {
    return before === after ? [] : ask(this.#patch, before, after)
  }

  /** Later questions are answered by children that have read the configuration anew. */
  renew(): void {
    this.#list.renew()
    this.#patch.renew()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#list.stop(), this.#patch.stop()])
  }
}

const diffOptions = [
  '--stdin',
  '-r',
  '-z',
  '-M100%',
  '-l1000',
  '--full-index',
  '--text',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]

function diffTree(
  place: GitPlace,
  extra: readonly string[],
): ConstructorParameters<typeof Coprocess>[0] {
  return {
    command: place.git,
    args: [...place.flags, 'diff-tree', ...diffOptions, ...extra],
    env: place.env,
    cwd: place.cwd,
  }
}

/**
 * A line that diff-tree cannot read is written back and flushed, so an unguessable one marks the end of the
 * answer whatever the files hold.
 */
function ask(coprocess: Coprocess, before: Oid, after: Oid): Promise<readonly TreeDifference[]> {
  const mark = `end-${randomBytes(16).toString('hex')}\n`
  const echo = `${before} ${after}\n`
  return coprocess.ask(echo + mark, upToMark(Buffer.from(mark), Buffer.from(echo)))
}

function upToMark(mark: Buffer, echo: Buffer): AnswerReader<readonly TreeDifference[]> {
  let searched = 0
  return received => {
    const end = received.indexOf(mark, searched)
    searched = Math.max(0, received.length - mark.length)
    if (end < 0) return { need: received.length + 1 }
    const from = received.subarray(0, echo.length).equals(echo) ? echo.length : 0
    return { value: parse(received.subarray(from, end)), used: end + mark.length }
  }
}

/** Raw records (`:modes ids status NUL path NUL [path NUL]`), then, after one more NUL, the patches one after another. */
function parse(answer: Buffer): readonly TreeDifference[] {
  const records: Omit<TreeDifference, 'patch'>[] = []
  const sections: number[] = []
  let at = 0
  while (answer[at] === 0x3a) {
    const { record, end, typeChanged } = parseRecord(answer, at)
    records.push(record)
    // A file that became a link, or the reverse, is written as a deletion and a creation.
    sections.push(typeChanged ? 2 : 1)
    at = end
  }
  const patches = groupPatches(
    splitPatches(answer.subarray(answer[at] === 0 ? at + 1 : at)),
    sections,
  )
  return records.map((record, index) => ({ ...record, patch: patches[index] ?? empty }))
}

/** The sections of each file; none at all where a file name holding line breaks has spoiled the count. */
function groupPatches(patches: readonly Buffer[], sections: readonly number[]): readonly Buffer[] {
  if (patches.length !== sections.reduce((sum, count) => sum + count, 0)) return []
  let at = 0
  return sections.map(count => {
    at += count
    return Buffer.concat(patches.slice(at - count, at))
  })
}

const empty = Buffer.alloc(0)

interface ParsedRecord {
  readonly record: Omit<TreeDifference, 'patch'>
  readonly end: number
  readonly typeChanged: boolean
}

function parseRecord(answer: Buffer, start: number): ParsedRecord {
  let at = start
  const field = (): string => {
    const nul = answer.indexOf(0, at)
    if (nul < 0) throw new Error('the answer of diff-tree is cut off')
    const bytes = answer.subarray(at, nul)
    at = nul + 1
    return decodePath(bytes)
  }
  const [oldMode = '', newMode = '', before = '', after = '', letter = ''] = field()
    .slice(1)
    .split(' ')
  const first = field()
  const renamed = letter.startsWith('R')
  const path = renamed ? field() : first
  return {
    record: {
      path,
      ...(renamed && { from: first }),
      status: statusOf(letter),
      oldMode,
      newMode,
      before: realOid(before),
      after: realOid(after),
    },
    end: at,
    typeChanged: letter.startsWith('T'),
  }
}

function statusOf(letter: string): TreeDifference['status'] {
  const statuses = { A: 'added', D: 'deleted', R: 'renamed' } as const
  return statuses[letter.charAt(0) as keyof typeof statuses] ?? 'modified'
}

function realOid(text: string): Oid | undefined {
  return isOid(text) && !/^0+$/.test(text) ? text : undefined
}

function decodePath(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : bytes.toString('latin1')
}

const patchHead = Buffer.from('diff --git ')

/** In a patch only a header line begins with `diff --git `: content lines begin with a space, `+`, `-` or `\`. */
function splitPatches(text: Buffer): readonly Buffer[] {
  const starts: number[] = []
  for (let at = 0; at >= 0 && at < text.length; at = nextLine(text, at)) {
    if (text.subarray(at, at + patchHead.length).equals(patchHead)) starts.push(at)
  }
  return starts.map((start, index) => text.subarray(start, starts[index + 1] ?? text.length))
}

function nextLine(text: Buffer, at: number): number {
  const newline = text.indexOf(0x0a, at)
  return newline < 0 ? -1 : newline + 1
}
