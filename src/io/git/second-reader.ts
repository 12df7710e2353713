import type { Oid } from '../../core/oid.js'
import { type CommitFields, parseCommit } from './commit-object.js'
import { fileMode } from './commit-tree.js'
import type { ObjectReader } from './object-reader.js'
import { directoryMode, parseTree } from './tree-object.js'

/** An entry of a tree as a second reader says it. */
export interface SecondEntry {
  readonly name: string
  readonly oid: Oid
  readonly kind: 'tree' | 'blob' | 'commit'
  /** As git writes modes today; empty for a directory. */
  readonly mode: string
}

/** Reads objects once more, with code that shares nothing with what is to be checked where that is possible. An object that it cannot read is an Error. */
export interface SecondReader {
  readonly name: 'isomorphic-git' | 'git'
  /** The bytes of an object of any kind. */
  bytes(oid: Oid): Promise<Uint8Array>
  commit(oid: Oid): Promise<CommitFields>
  tree(oid: Oid): Promise<readonly SecondEntry[]>
}

/** What git says and our parsers make of it: for repositories that no second implementation reads. */
export function gitAsSecondReader(reader: ObjectReader): SecondReader {
  const bytes = async (oid: Oid): Promise<Buffer> => {
    const object = await reader.read(oid)
    if (object === undefined) throw new Error('git cannot read it')
    return object.body
  }
  return {
    name: 'git',
    bytes,
    commit: async oid => parseCommit(await bytes(oid)),
    tree: async oid =>
      parseTree(await bytes(oid), reader.oidBytes).map(entry => ({
        name: entry.name,
        oid: entry.oid,
        kind: kindOf(entry.mode),
        mode: fileMode(entry.mode) ?? '',
      })),
  }
}

function kindOf(mode: string): SecondEntry['kind'] {
  if (mode === directoryMode) return 'tree'
  return fileMode(mode) === '160000' ? 'commit' : 'blob'
}
