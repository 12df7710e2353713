import type { Blob } from '../../core/blob.js'
import { Refusal } from '../../core/errors.js'
import { parseRepoPath } from '../../core/repo-path.js'
import { openText, type TextFile } from '../../formats/text/text-file.js'
import type { LinePattern } from '../../io/git/count-matches.js'
import { matchLines } from '../../io/git/ripgrep.js'
import { findLiteral, type PlaceInLine } from '../../report/search-hits.js'
import type { SkippedFiles } from '../../report/search-view.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WorkingTree } from '../checkout/working-tree.js'
import { matchLinesByGit } from './match-lines-by-git.js'

/** A file as it is served, with the places in it that fit. */
export interface FoundFile {
  readonly path: string
  readonly blob: Blob
  readonly file: TextFile
  readonly places: readonly PlaceInLine[]
}

/** Why a file is not shown. */
export type SkipReason = keyof SkippedFiles

/** Where and with what files are read. */
export interface Reading {
  readonly checkout: Checkout
  readonly tree: WorkingTree
  /** The program; undefined where it is not installed. */
  readonly ripgrep: string | undefined
}

/** Reads files as they are served and finds what fits in them; what cannot be shown has a reason instead. */
export async function readHits(
  { checkout, tree, ripgrep }: Reading,
  pattern: LinePattern,
  paths: readonly string[],
): Promise<readonly (FoundFile | SkipReason)[]> {
  const files = await Promise.all(paths.map(path => readText(tree, path)))
  const texts = files.filter(one => typeof one !== 'string')
  const places = await findPlaces({ checkout, ripgrep }, pattern, texts)
  const found = new Map(texts.map((one, at) => [one, places[at] ?? []]))
  return files.map(one =>
    typeof one === 'string' ? one : { ...one, places: found.get(one) ?? [] },
  )
}

type OpenedFile = Omit<FoundFile, 'places'>

async function readText(tree: WorkingTree, path: string): Promise<OpenedFile | SkipReason> {
  let blob: Blob | undefined
  try {
    blob = await tree.read(parseRepoPath(path))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return skipReasons.get(error.code) ?? 'unread'
  }
  if (blob === undefined) return 'changed'
  if (blob.mode === '120000' || blob.mode === '160000') return 'link'
  const file = openText(blob.bytes)
  return file === undefined ? 'binary' : { path, blob, file }
}

const skipReasons: ReadonlyMap<string, SkipReason> = new Map([
  ['TOO_LARGE', 'large'],
  ['SYMLINK', 'link'],
  ['NOT_REGULAR', 'changed'],
  ['BAD_PATH', 'unnamed'],
])

async function findPlaces(
  { checkout, ripgrep }: Omit<Reading, 'tree'>,
  pattern: LinePattern,
  files: readonly OpenedFile[],
): Promise<readonly (readonly PlaceInLine[])[]> {
  if (pattern.syntax === 'fixed') {
    return files.map(({ file }) => findLiteral(file, pattern.text, pattern))
  }
  if (ripgrep === undefined) return matchLinesByGit(checkout, pattern, files)
  const bodies = files.map(({ file }) => Buffer.from(`${file.text}\n`))
  const matches = await matchLines(ripgrep, checkout.place, pattern, Buffer.concat(bodies))
  return placesByFile(files, matches)
}

/** Files were read as one text, one behind the other, each with a break of its own behind it. */
function placesByFile(
  files: readonly OpenedFile[],
  matches: Awaited<ReturnType<typeof matchLines>>,
): readonly (readonly PlaceInLine[])[] {
  let first = 1
  let at = 0
  return files.map(({ file }) => {
    const breaks = file.lines.count + (file.lines.hasFinalNewline || file.text === '' ? 1 : 0)
    const end = first + breaks
    const places: PlaceInLine[] = []
    for (let match = matches[at]; match !== undefined && match.line < end; match = matches[at]) {
      at += 1
      const line = match.line - first + 1
      // The break that we put there is nobody's line.
      if (line > file.lines.count) continue
      const text = file.text.slice(file.lines.startOf(line), file.lines.endOf(line))
      places.push({ line, at: Buffer.from(text).toString('utf8', 0, match.byte).length })
    }
    first = end
    return places
  })
}
