import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Blob } from '../../core/blob.js'
import { Refusal } from '../../core/errors.js'
import { parseRepoPath, type RepoPath } from '../../core/repo-path.js'
import type { FileOnDisk } from '../../io/files/read-file.js'
import type { LinePattern } from '../../io/git/count-matches.js'
import { type LineMatch, readMatchLines } from '../../io/git/read-matches.js'
import { matchLines } from '../../io/git/ripgrep.js'
import type { PlaceInLine, Places } from '../../report/search-hits.js'
import type { SkippedFiles } from '../../report/search-view.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WorkingFile } from '../checkout/working-file.js'
import type { WorkingTree } from '../checkout/working-tree.js'
import type { CountedLines } from './count-lines.js'
import { matchLinesByGit } from './match-lines-by-git.js'
import { openSearched, type SearchedFile } from './searched-file.js'

/** A file as it is served, with the places in it that fit. */
export interface FoundFile extends Places {
  readonly path: string
  readonly blob: Blob
  readonly file: SearchedFile
}

/** Why a file is not shown. */
export type SkipReason = keyof SkippedFiles

/** Where and with what files are read. */
export interface Reading {
  readonly checkout: Checkout
  readonly tree: WorkingTree
  /** The program; undefined where it is not installed. */
  readonly ripgrep: string | undefined
  /** What an engine found before the files were read, where it is known yet. */
  readonly counted?: CountedLines
}

/** Reads files as they are served and finds what fits in them; what cannot be shown has a reason instead. */
export async function readHits(
  reading: Reading,
  pattern: LinePattern,
  paths: readonly string[],
): Promise<readonly (FoundFile | SkipReason)[]> {
  const files = await readTexts(reading, pattern, paths)
  const texts = files.filter(one => typeof one !== 'string')
  const places = await findPlaces(reading, pattern, texts)
  return files.map(one => (typeof one === 'string' ? one : foundFile(one, places)))
}

interface OpenedFile extends Pick<FoundFile, 'path' | 'blob' | 'file'> {
  /** Where it fits, as far as the engine that found it said so of just these bytes. */
  readonly seen: Buffer | undefined
}

function foundFile(opened: OpenedFile, places: ReadonlyMap<OpenedFile, Places>): FoundFile {
  const { path, blob, file } = opened
  return { path, blob, file, ...(places.get(opened) ?? nowhere) }
}

const nowhere: Places = { count: 0, first: () => [] }

async function readTexts(
  reading: Reading,
  pattern: LinePattern,
  paths: readonly string[],
): Promise<readonly (OpenedFile | SkipReason)[]> {
  const named = paths.flatMap(path => repoPathOf(path) ?? [])
  const working = reading.tree.files(named)
  const asked = new Map(named.map((path, at) => [path, working[at]]))
  return Promise.all(paths.map(path => openFile(reading, pattern, { path, asked })))
}

/** Undefined for what nobody may name. */
function repoPathOf(path: string): RepoPath | undefined {
  try {
    return parseRepoPath(path)
  } catch {
    return undefined
  }
}

interface Asked {
  readonly path: string
  readonly asked: ReadonlyMap<RepoPath, Promise<WorkingFile> | undefined>
}

async function openFile(
  reading: Reading,
  pattern: LinePattern,
  { path: name, asked }: Asked,
): Promise<OpenedFile | SkipReason> {
  let working: WorkingFile | undefined
  try {
    working = await asked.get(parseRepoPath(name))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return skipReasons.get(error.code) ?? 'unread'
  }
  if (working === undefined) return 'changed'
  const { path, blob } = working
  if (blob === undefined) return 'changed'
  if (blob.mode === '120000' || blob.mode === '160000') return 'link'
  const file = openSearched(blob.bytes)
  if (file === undefined) return 'binary'
  // Git alone knows no patterns in UTF-16.
  const isBytesOnly = pattern.syntax === 'regex' && reading.ripgrep === undefined
  if (isBytesOnly && file.isUtf16) return 'encoded'
  return { path, blob, file, seen: asSeen(reading, working, file) }
}

const skipReasons: ReadonlyMap<string, SkipReason> = new Map([
  ['TOO_LARGE', 'large'],
  ['SYMLINK', 'link'],
  ['NOT_REGULAR', 'changed'],
  ['BAD_PATH', 'unnamed'],
])

/**
 * The lines that the engine told of a file, where they are those of the text at hand: the file was not touched from
 * before the engine began until after it was read, and each of its lines is the same in its bytes and in its text.
 */
function asSeen(
  { checkout, counted }: Reading,
  { path, blob, disk }: WorkingFile,
  file: SearchedFile,
): Buffer | undefined {
  const lines = counted?.matched.get(path)?.lines
  if (
    counted === undefined ||
    lines === undefined ||
    disk === undefined ||
    blob?.bytes !== disk.bytes
  )
    return undefined
  const isOld = counted.begun.isAfter(Number(disk.stat.ctimeNs / 1_000n) / 1_000)
  return file.isPlain && isOld && isUntouched(checkout, path, disk) ? lines : undefined
}

function isUntouched({ path: root }: Checkout, path: RepoPath, { stat }: FileOnDisk): boolean {
  try {
    const { ino, size, ctimeNs } = lstatSync(join(root, path), { bigint: true })
    return ino === stat.ino && size === stat.size && ctimeNs === stat.ctimeNs
  } catch {
    return false
  }
}

async function findPlaces(
  reading: Reading,
  pattern: LinePattern,
  files: readonly OpenedFile[],
): Promise<ReadonlyMap<OpenedFile, Places>> {
  const { checkout, ripgrep } = reading
  if (pattern.syntax === 'fixed') {
    return new Map(files.map(one => [one, one.file.find(pattern.text, pattern)]))
  }
  if (ripgrep === undefined) {
    const found = await matchLinesByGit(checkout, pattern, files)
    return new Map(files.map((one, at) => [one, listed(found[at] ?? [])]))
  }
  const places = new Map<OpenedFile, Places>()
  for (const one of files) {
    if (one.seen !== undefined) places.set(one, placesIn(one.file, readMatchLines(one.seen)))
  }
  const others = files.filter(one => !places.has(one))
  for (const [one, matches] of await matchTexts({ ...reading, ripgrep }, pattern, others)) {
    places.set(one, placesIn(one.file, matches))
  }
  return places
}

function listed(places: readonly PlaceInLine[]): Places {
  return { count: places.length, first: most => places.slice(0, most) }
}

/** Characters where the engine counts bytes. */
function placesIn(file: SearchedFile, matches: readonly LineMatch[]): Places {
  const placeOf = ({ line, byte }: LineMatch): PlaceInLine => {
    // As many bytes hold no more characters.
    const before = Buffer.from(file.textOf(line).slice(0, byte))
    return { line, at: before.toString('utf8', 0, byte).length }
  }
  return { count: matches.length, first: most => matches.slice(0, most).map(placeOf) }
}

/** The lines that fit in texts, read as one text, one behind the other, each with a break of its own behind it. */
async function matchTexts(
  { checkout, ripgrep }: Reading & { readonly ripgrep: string },
  pattern: LinePattern,
  files: readonly OpenedFile[],
): Promise<ReadonlyMap<OpenedFile, readonly LineMatch[]>> {
  if (files.length === 0) return new Map()
  const bodies = files.map(({ file }) => Buffer.from(`${file.text}\n`))
  const matches = await matchLines(ripgrep, checkout.place, pattern, Buffer.concat(bodies))
  const found = new Map<OpenedFile, readonly LineMatch[]>()
  let first = 1
  let at = 0
  for (const [index, one] of files.entries()) {
    const end = first + countBreaks(bodies[index] ?? Buffer.alloc(0))
    const own: LineMatch[] = []
    for (let match = matches[at]; match !== undefined && match.line < end; match = matches[at]) {
      at += 1
      const line = match.line - first + 1
      // The break that we put there is nobody's line.
      if (one.file.hasLine(line)) own.push({ line, byte: match.byte })
    }
    found.set(one, own)
    first = end
  }
  return found
}

function countBreaks(body: Buffer): number {
  let count = 0
  for (let at = body.indexOf('\n'); at >= 0; at = body.indexOf('\n', at + 1)) count += 1
  return count
}
