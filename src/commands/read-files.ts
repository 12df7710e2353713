import type { Blob } from '../core/blob.js'
import { Refusal } from '../core/errors.js'
import { fixedLimits, type Limits } from '../core/limits.js'
import { namesOid } from '../core/oid.js'
import type { Outline } from '../core/outline.js'
import type { LineRange } from '../core/receipt.js'
import { parseRepoPath, type RepoPath } from '../core/repo-path.js'
import type { Words } from '../core/wording.js'
import { pickSymbol } from '../formats/code/pick-symbol.js'
import { openText } from '../formats/text/text-file.js'
import type { Worktree } from '../gateway/worktree.js'
import { linesAround } from '../report/around-lines.js'
import { utf8Bytes } from '../report/fit-patches.js'
import type { FileAnswer, ManyFilesAnswer } from '../report/read-answers.js'
import { type ReadAnswer, type ReadOptions, renderRead } from '../report/read-view.js'
import { outlineHint } from '../report/symbols-view.js'
import { parseReadTargets, type ReadTarget, sayTarget } from './read-target.js'

/** How files are read. */
export interface Reading {
  readonly worktree: Worktree
  readonly view: ReadOptions['view']
  readonly limits: Limits
  /** Revisions that are held already, with commas. */
  readonly ifRev?: string | undefined
  /** In which what is wrong with one of several files is told. */
  readonly words?: Words | undefined
}

/** The file at a path. `FILE_NOT_FOUND` names the paths that are most like it, `TOO_LARGE` what to do instead. */
export async function readBlob(worktree: Worktree, path: RepoPath): Promise<Blob> {
  try {
    return await worktree.read(path)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'TOO_LARGE') throw new Refusal('TOO_LARGE', { ...error.data, go_on })
    if (error.code !== 'FILE_NOT_FOUND') throw error
    const suggestions = await worktree.survey.nearestPaths(path)
    if (suggestions.length === 0) throw error
    throw new Refusal('FILE_NOT_FOUND', { ...error.data, suggestions })
  }
}

const go_on = 'it is too large to be read or edited here: search it for what you need'

/** One file, or only that it is still the one that is held. */
async function readFile({ target, blob: read }: Part, reading: Reading): Promise<FileAnswer> {
  const path = parseRepoPath(target.path)
  const blob = read ?? (await readBlob(reading.worktree, path))
  return isHeld(blob.oid, reading.ifRev)
    ? { path, rev: blob.oid, not_modified: true }
    : showFile(path, blob, target, reading)
}

/** What is shown of a file that was read. */
export async function showFile(
  path: RepoPath,
  blob: Blob,
  target: ReadTarget,
  { worktree, view, limits }: Reading,
): Promise<ReadAnswer> {
  const lines = target.lines ?? (await symbolLines(worktree, path, blob, target))
  const { anchors } = worktree.checkout
  const options = { view, anchors, opensBriefly: true, ...(lines && { lines }) }
  const shown = renderRead(path, blob, options, limits)
  const isBeginning = lines === undefined && shown.next_line !== undefined && !shown.kind
  if (!isBeginning) return shown
  const outline = outlineHint(await outlineOf(worktree, path, blob), shown.end_line)
  return outline.length === 0 ? shown : { ...shown, outline }
}

/** Several files within one budget. What is wrong with one of them is told in its place; `BAD_PATH` refuses them all. */
export async function readFiles(
  said: readonly string[],
  reading: Reading,
): Promise<ManyFilesAnswer> {
  const targets = said.flatMap(parseReadTargets)
  // What is no path of any file is a slip of the whole request.
  for (const { path } of targets) parseRepoPath(path)
  let waiting: readonly Part[] = targets.map(target => ({ target }))
  const files: FileAnswer[] = []
  let left = reading.limits.readBytes
  for (;;) {
    const [next, ...later] = waiting
    if (next === undefined) break
    if (left <= 0 || files.length >= fixedLimits.readParts) {
      return { files, truncated: true, left_out: waiting.map(one => sayTarget(one.target)) }
    }
    const [part = next, ...parts] = await partsOf(next, reading)
    waiting = [...parts, ...later]
    const limits = { ...reading.limits, readBytes: left }
    const answer = await orRefusal(part, { ...reading, limits })
    left -= 'text' in answer ? utf8Bytes(answer.text ?? '') : 0
    files.push(answer)
  }
  return { files, truncated: files.some(file => 'truncated' in file && file.truncated) }
}

/** What is shown in one piece; with the file it is of where that was read to know the piece. */
interface Part {
  readonly target: ReadTarget
  readonly blob?: Blob
}

/** Where the declarations around lines are asked for, the pieces that show them. What is wrong with the file is told when it is shown. */
async function partsOf(part: Part, { worktree, ifRev }: Reading): Promise<readonly Part[]> {
  const { at, path: said } = part.target
  if (at === undefined) return [part]
  const path = parseRepoPath(said)
  const blob = await readBlob(worktree, path).catch(() => undefined)
  if (blob === undefined || isHeld(blob.oid, ifRev)) return [part]
  const text = openText(blob.bytes)
  if (text === undefined) return [{ ...part, blob }]
  const outline = await outlineOf(worktree, path, blob)
  const ranges = linesAround(outline?.symbols ?? [], at, text.lines.count)
  return ranges.map(lines => ({ target: { path: said, lines }, blob }))
}

/** Refusals that are about one file and no more. */
const aboutFile = [403, 404, 409, 413, 415, 422]

async function orRefusal(part: Part, reading: Reading): Promise<FileAnswer> {
  try {
    return await readFile(part, reading)
  } catch (error) {
    if (!(error instanceof Refusal) || !aboutFile.includes(error.status)) throw error
    return { path: sayTarget(part.target), refused: error.inWords(reading.words).toJSON() }
  }
}

/** True where a revision is among those that are held. */
export function isHeld(rev: string, held: string | undefined): boolean {
  return held === '*' || (held?.split(',').some(one => namesOid(one.trim(), rev)) ?? false)
}

/** The lines of the symbol that was asked for, with those around it; undefined where none was. */
async function symbolLines(
  worktree: Worktree,
  path: RepoPath,
  blob: Blob,
  { symbol: query, around = 0 }: ReadTarget,
): Promise<LineRange | undefined> {
  if (query === undefined) return undefined
  const { outline } = await worktree.outline(path, blob)
  const { start_line: start, end_line: end } = pickSymbol(outline, query)
  return { start: Math.max(1, start - around), end: end + around }
}

/** Undefined for a file of no language that is known: there is no hint then, and no harm. */
async function outlineOf(
  worktree: Worktree,
  path: RepoPath,
  blob: Blob,
): Promise<Outline | undefined> {
  try {
    return (await worktree.outline(path, blob)).outline
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** The budget of one read, as it was asked for and never above the limit. */
export function readBudget(limits: Limits, maxBytes: number | undefined): Limits {
  return { ...limits, readBytes: Math.min(limits.readBytes, maxBytes ?? limits.readBytes) }
}
