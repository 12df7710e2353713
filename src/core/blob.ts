import type { Oid } from './oid.js'

/** The modes a file may have in a git tree; directories are not files. */
export type FileMode = '100644' | '100755' | '120000' | '160000'

/** What a file holds, before anything has given it an id. */
export interface FileContent {
  readonly mode: FileMode
  readonly bytes: Uint8Array
}

/** One stored version of a file. Its oid is the revision that agents name. */
export interface Blob extends FileContent {
  readonly oid: Oid
}

/** True for content that text and line operations may touch. */
export function isRegular(mode: FileMode): boolean {
  return mode === '100644' || mode === '100755'
}
