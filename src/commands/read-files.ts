import type { Blob } from '../core/blob.js'
import { Refusal } from '../core/errors.js'
import { fixedLimits, type Limits } from '../core/limits.js'
import { namesOid } from '../core/oid.js'
import type { Outline } from '../core/outline.js'
import type { LineRange } from '../core/receipt.js'
import { parseRepoPath, type RepoPath } from '../core/repo-path.js'
import type { Words } from '../core/wording.js'
import { pickSymbol } from '../formats/code/pick-symbol.js'
import { openText, type TextFile } from '../formats/text/text-file.js'
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
async function readFile(target: ReadTarget, opened: Opened, reading: Reading): Promise<FileAnswer> {
  const { path, blob } = opened
  return isHeld(blob.oid, reading.ifRev)
    ? { path, rev: blob.oid, not_modified: true }
    : showFile(opened, target, reading)
}

/** A file that was read. */
export interface Opened {
  readonly path: RepoPath
  readonly blob: Blob
  /** It as text, decoded once however many parts of it are shown; undefined where it is none. */
  text(): TextFile | undefined
}

/** A file whose text is decoded when it is asked for. */
export function openedFile(path: RepoPath, blob: Blob): Opened {
  let decoded: { readonly text: TextFile | undefined } | undefined
  return {
    path,
    blob,
    text: () => {
      decoded ??= { text: openText(blob.bytes) }
      return decoded.text
    },
  }
}

/** What is shown of a file that was read. */
export async function showFile(
  { path, blob, text }: Opened,
  target: ReadTarget,
  { worktree, view, limits }: Reading,
): Promise<ReadAnswer> {
  const lines = target.lines ?? (await symbolLines(worktree, path, blob, target))
  const { anchors } = worktree.checkout
  const options = { view, anchors, opensBriefly: true, ...(lines && { lines }) }
  const shown = renderRead(path, blob, text(), options, limits)
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
  let waiting: readonly ReadTarget[] = targets
  const files: FileAnswer[] = []
  const open = lastOpened(reading.worktree)
  let left = reading.limits.readBytes
  for (;;) {
    const [next, ...later] = waiting
    if (next === undefined) break
    if (left <= 0 || files.length >= fixedLimits.readParts) {
      return { files, truncated: true, left_out: waiting.map(sayTarget) }
    }
    const [part = next, ...parts] = await partsOf(next, open, reading)
    waiting = [...parts, ...later]
    const limits = { ...reading.limits, readBytes: left }
    const show = async () => readFile(part, await open(part.path), { ...reading, limits })
    const answer = await orRefusal(part, reading, show)
    left -= 'text' in answer ? utf8Bytes(answer.text ?? '') : 0
    files.push(answer)
  }
  return { files, truncated: files.some(file => 'truncated' in file && file.truncated) }
}

/** Reads the file at a path, once where several of its parts are asked for one after another. */
function lastOpened(worktree: Worktree): (said: string) => Promise<Opened> {
  let last: Opened | undefined
  return async said => {
    const path = parseRepoPath(said)
    if (last?.path !== path) last = openedFile(path, await readBlob(worktree, path))
    return last
  }
}

/** Where the declarations around lines are asked for, the pieces that show them. What is wrong with the file is told when it is shown. */
async function partsOf(
  target: ReadTarget,
  open: (said: string) => Promise<Opened>,
  { worktree, ifRev }: Reading,
): Promise<readonly ReadTarget[]> {
  const { at, path: said } = target
  if (at === undefined) return [target]
  const opened = await open(said).catch(() => undefined)
  if (opened === undefined || isHeld(opened.blob.oid, ifRev)) return [target]
  const text = opened.text()
  if (text === undefined) return [target]
  const outline = await outlineOf(worktree, opened.path, opened.blob)
  const ranges = linesAround(outline?.symbols ?? [], at, text.lines.count)
  return ranges.map(lines => ({ path: said, lines }))
}

/** Refusals that are about one file and no more. */
const aboutFile = [403, 404, 409, 413, 415, 422]

async function orRefusal(
  target: ReadTarget,
  { words }: Reading,
  show: () => Promise<FileAnswer>,
): Promise<FileAnswer> {
  try {
    return await show()
  } catch (error) {
    if (!(error instanceof Refusal) || !aboutFile.includes(error.status)) throw error
    return { path: sayTarget(target), refused: error.inWords(words).toJSON() }
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
