import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { RepoPath } from '../../core/repo-path.js'
import { Coprocess } from './coprocess.js'
import { findEntry, type IndexCache, type IndexLayout, readIndex } from './index-file.js'
import type { GitPlace } from './run-git.js'
import type { AnswerReader } from './running-child.js'

/** How git turns a file of the worktree into a blob (clean) and back (smudge). */
export interface FileAttributes {
  /** The name of a clean/smudge filter, which runs a program. */
  readonly filter?: string
  /** True where the bytes are rewritten whatever they are: a filter, `ident` or another encoding. */
  readonly recodes: boolean
  /** Whether CRLF becomes LF on the way in; `auto` leaves alone what has CRLF in the repository. */
  readonly text: 'set' | 'auto' | 'no'
  /** True where LF becomes CRLF on the way out. */
  readonly crlf: boolean
}

/** Conversion that holds without any .gitattributes: core.autocrlf, core.eol, and whether other attribute files exist. */
export interface Conversion {
  readonly autocrlf: 'true' | 'input' | 'false'
  readonly eolIsCrlf: boolean
  readonly otherAttributeFiles: boolean
}

/** The index of the worktree, and what is known of it already. */
export interface WatchedIndex {
  readonly path: string
  readonly cache: IndexCache
}

const plain: FileAttributes = { recodes: false, text: 'no', crlf: false }

/** True where git would write the blob's own bytes into the worktree. */
export function smudgeIsIdentity(attributes: FileAttributes): boolean {
  return !attributes.recodes && !attributes.crlf
}

/** True where git would store the file's own bytes. */
export function cleanIsIdentity(attributes: FileAttributes, bytes: Uint8Array): boolean {
  return !attributes.recodes && (attributes.text === 'no' || !bytes.includes(carriageReturn))
}

/** True where the next `git add` of the file would store other bytes than these. */
export function wouldBeRenormalised(attributes: FileAttributes, bytes: Uint8Array): boolean {
  return (
    attributes.text === 'set' &&
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('\r\n')
  )
}

const rememberedFiles = 20_000
const carriageReturn = 0x0d
const unspecified = 'unspecified'
const asked = ['text', 'eol', 'crlf', 'ident', 'filter', 'working-tree-encoding'] as const

/** Answers the attributes of paths in one worktree through a long-lived `git check-attr`, which is asked only where they can matter. */
export class AttributeReader {
  readonly #coprocess: Coprocess
  readonly #workTree: string
  readonly #conversion: () => Conversion
  readonly #files = new Map<string, string>()
  readonly #staged: StagedAttributes
  /** What was answered since anything of this changed. */
  #judged = new Map<string, FileAttributes>()
  #known: Conversion | undefined

  constructor(
    place: GitPlace,
    workTree: string,
    conversion: () => Conversion,
    index: WatchedIndex,
  ) {
    this.#workTree = workTree
    this.#conversion = conversion
    this.#staged = new StagedAttributes(index)
    this.#coprocess = new Coprocess({
      command: place.git,
      args: [...place.flags, 'check-attr', '--stdin', '-z', ...asked],
      env: place.env,
      cwd: workTree,
      gathers: true,
    })
  }

  async of(path: RepoPath): Promise<FileAttributes> {
    const [attributes = plain] = await this.ofAll([path])
    return attributes
  }

  /** Of several paths, in their order; what lies above them is looked at once. */
  async ofAll(paths: readonly RepoPath[]): Promise<readonly FileAttributes[]> {
    const looked = new Map<string, string>()
    this.#staged.look()
    const mayMatter = paths.map(path => this.#look(path, looked))
    const isPlain = this.#nothingElse()
    return Promise.all(
      paths.map(async (path, at) => {
        if (isPlain && mayMatter[at] === false) return plain
        return this.#judged.get(path) ?? this.#ask(path)
      }),
    )
  }

  stop(): Promise<void> {
    return this.#coprocess.stop()
  }

  async #ask(path: RepoPath): Promise<FileAttributes> {
    const judged = this.#judged
    const attributes = this.#judge(await this.#coprocess.ask(`${path}\0`, readValues))
    // Where something changed meanwhile, this belongs to what was before.
    judged.set(path, attributes)
    return attributes
  }

  #nothingElse(): boolean {
    const { autocrlf, otherAttributeFiles } = this.#conversion()
    return autocrlf === 'false' && !otherAttributeFiles
  }

  #judge(values: ReadonlyMap<string, string>): FileAttributes {
    const value = (name: (typeof asked)[number]): string => values.get(name) ?? unspecified
    const filter = value('filter')
    const filtered = filter !== unspecified && filter !== 'unset'
    const encoding = value('working-tree-encoding')
    const recoded = encoding !== unspecified && encoding !== 'unset' && encoding !== 'set'
    const text = this.#text(
      value('text') === unspecified ? value('crlf') : value('text'),
      value('eol'),
    )
    return {
      ...(filtered && { filter }),
      recodes: filtered || recoded || value('ident') === 'set',
      text,
      crlf: text !== 'no' && this.#endsInCrlf(value('eol')),
    }
  }

  #text(text: string, eol: string): FileAttributes['text'] {
    if (text === 'unset') return 'no'
    if (text === 'auto') return 'auto'
    if (text !== unspecified || eol !== unspecified) return 'set'
    return this.#conversion().autocrlf === 'false' ? 'no' : 'auto'
  }

  #endsInCrlf(eol: string): boolean {
    if (eol === 'lf' || eol === 'crlf') return eol === 'crlf'
    const { autocrlf, eolIsCrlf } = this.#conversion()
    return autocrlf === 'true' || (autocrlf === 'false' && eolIsCrlf)
  }

  /**
   * True where a .gitattributes lies above the path, or is in the index alone, where git looks for one that is not
   * on the disk. check-attr keeps what it has read, so that a new one is
   * started when any of these files, or the configuration, is no longer what it was.
   */
  #look(path: RepoPath, looked: Map<string, string>): boolean {
    const conversion = this.#conversion()
    if (this.#files.size > rememberedFiles) this.#files.clear()
    let changed = conversion !== this.#known || this.#files.size === 0
    let found = false
    let directory = ''
    for (const name of path.split('/')) {
      const file = join(directory, '.gitattributes')
      const identity = looked.get(file) ?? this.#identity(file)
      looked.set(file, identity)
      const before = this.#files.get(file)
      if (before !== undefined && before !== identity) changed = true
      this.#files.set(file, identity)
      if (identity !== '') found = true
      directory = join(directory, name)
    }
    if (changed || this.#judged.size > rememberedFiles) this.#judged = new Map()
    if (changed) this.#coprocess.renew()
    this.#known = conversion
    return found
  }

  #identity(file: string): string {
    return fileIdentity(join(this.#workTree, file)) || this.#staged.identity(file)
  }
}

function fileIdentity(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true })
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // ENOTDIR: a file stands where the path needs a directory. ELOOP: a link that leads to itself.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return ''
    throw error
  }
}

/** The .gitattributes that an index holds; what was looked up is remembered while the index is the same. */
class StagedAttributes {
  readonly #index: WatchedIndex
  readonly #known = new Map<string, string>()
  #layout: IndexLayout | undefined

  constructor(index: WatchedIndex) {
    this.#index = index
  }

  /** Takes the index as it is now for what is asked next. */
  look(): void {
    const layout = unlessChanged(() => readIndex(this.#index.path, this.#index.cache))
    if (layout !== this.#layout || this.#known.size > rememberedFiles) this.#known.clear()
    this.#layout = layout
  }

  /** What tells one such file from another; empty where the index has none. */
  identity(file: string): string {
    const layout = this.#layout
    if (layout?.searchable === false) return `only git can tell ${layout.identity?.trailer}`
    const known = this.#known.get(file)
    if (known !== undefined) return known
    const identity = unlessChanged(() => layout && (findEntry(layout, file)?.oid ?? ''))
    if (identity === undefined) return 'an index that is being changed'
    this.#known.set(file, identity)
    return identity
  }
}

function unlessChanged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** `path NUL attribute NUL value NUL`, once for each attribute asked for. */
const readValues: AnswerReader<ReadonlyMap<string, string>> = received => {
  const values = new Map<string, string>()
  let at = 0
  for (const _ of asked) {
    const fields: string[] = []
    for (let field = 0; field < 3; field += 1) {
      const nul = received.indexOf(0, at)
      if (nul < 0) return { need: received.length + 1 }
      fields.push(received.toString('utf8', at, nul))
      at = nul + 1
    }
    values.set(fields[1] ?? '', fields[2] ?? '')
  }
  return { value: values, used: at }
}
