import { Refusal } from './errors.js'

/** A normal relative path inside a repository: forward slashes, no empty, dot or `.git` component. */
export type RepoPath = string & { readonly __brand: 'RepoPath' }

const maxPathChars = 4_096
const maxNameBytes = 255

/** Reads a path from outside. `BAD_PATH` for anything not normal, `PROTECTED_PATH` for every spelling of `.git`. */
export function parseRepoPath(text: string): RepoPath {
  const problem = pathProblem(text)
  if (problem !== undefined) throw new Refusal('BAD_PATH', { path: text.slice(0, 200), problem })
  if (text.split('/').some(isDotGit)) throw new Refusal('PROTECTED_PATH', { path: text })
  return text as RepoPath
}

/** The directory part and the name of a path; the directory of a top-level file is ''. */
export function splitPath(path: RepoPath): { readonly directory: string; readonly name: string } {
  const slash = path.lastIndexOf('/')
  return slash < 0
    ? { directory: '', name: path }
    : { directory: path.slice(0, slash), name: path.slice(slash + 1) }
}

function pathProblem(text: string): string | undefined {
  if (text === '') return 'empty'
  if (text.length > maxPathChars) return 'too long'
  if (!text.isWellFormed()) return 'not well-formed Unicode'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'control character'
  if (text.includes('\\')) return 'backslash'
  if (text.startsWith('/')) return 'absolute'
  if (/^[A-Za-z]:/.test(text)) return 'drive letter'
  for (const name of text.split('/')) {
    if (name === '') return 'empty component'
    if (name === '.' || name === '..') return 'dot component'
    if (new TextEncoder().encode(name).length > maxNameBytes) return 'name too long'
  }
  return undefined
}

/**
 * A name as the most forgiving file system would look it up: in one letter case, composed, without the code points
 * that HFS+ ignores, without NTFS streams and the dots and spaces that Windows drops from the end.
 */
export function foldName(name: string): string {
  const folded = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .normalize('NFKC')
    // Upper case first, because some letters only fold that way (ſ to S).
    .toUpperCase()
    .toLowerCase()
  return (folded.split(':')[0] ?? '').replace(/[. ]+$/, '')
}

/** True for any name that some file system opens as `.git` (the rules of git's core.protectHFS and core.protectNTFS). */
function isDotGit(name: string): boolean {
  const folded = foldName(name)
  return folded === '.git' || /^git~\d+$/.test(folded)
}
