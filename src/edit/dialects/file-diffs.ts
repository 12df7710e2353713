import type { FileMode } from '../../core/blob.js'
import { isOid, type Oid } from '../../core/oid.js'
import { unquotePath } from '../../core/quote-path.js'
import type { RepoPath } from '../../core/repo-path.js'
import type { Hunk } from '../ops/hunk.js'
import { unparsable } from './dialect.js'
import { type PatchLine, patchLines, pathAt } from './patch-lines.js'
import { isHunkHeader, takeHunk } from './unified-hunks.js'

/** What a unified diff does to one file. */
export interface FileDiff {
  /** The line of the patch that it begins at. */
  readonly line: number
  readonly kind: 'change' | 'create' | 'delete'
  readonly path: RepoPath
  /** Where the file is moved to. */
  readonly to?: RepoPath
  /** The mode that the file gets. */
  readonly mode?: FileMode
  /** The full id that the file must have. */
  readonly oldOid?: Oid
  readonly hunks: readonly Hunk[]
}

/** What has been read of one file. Names are as the patch has them, prefixes and all. */
interface OpenDiff {
  readonly line: PatchLine
  /** What follows `diff --git `. */
  readonly git: string | undefined
  readonly facts: Map<string, PatchLine & { readonly value: string }>
  old?: Name
  young?: Name
  readonly hunks: Hunk[]
}

interface Name {
  readonly line: PatchLine
  readonly text: string
}

/** The files of a unified diff, in order. */
export function parseFileDiffs(patch: string): readonly FileDiff[] {
  const lines = patchLines(patch)
  const diffs: OpenDiff[] = []
  let isMail = true
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]
    if (line === undefined) break
    const text = line.text.trimEnd()
    const next = lines[at + 1]
    const current = diffs.at(-1)
    if (text.startsWith('diff --git ')) {
      diffs.push(openDiff(line, text.slice('diff --git '.length)))
      isMail = false
      at += 1
    } else if (isNameLine(line, next)) {
      const open = current !== undefined && awaitsNames(current) ? current : openDiff(line)
      if (open !== current) diffs.push(open)
      open.old = nameOf(line)
      open.young = nameOf(next)
      isMail = false
      at += 2
    } else if (isHunkHeader(line) && !isMail) {
      if (current?.young === undefined)
        throw unparsable(line.number, 'has no file; add --- and +++')
      const { hunk, end } = takeHunk(lines, at, current.hunks.length + 1)
      current.hunks.push(hunk)
      at = end
    } else {
      isMail = isMail || isSignature(text)
      requireText(line, text)
      if (!isMail) noteLine(current, line, text)
      else if (diffs.length === 0 && isHunkHeader(line)) {
        throw unparsable(line.number, 'has no file; add --- and +++')
      }
      at += 1
    }
  }
  if (diffs.length === 0) throw unparsable(1, 'holds no file; each begins with --- and +++')
  return diffs.map(closeDiff)
}

function openDiff(line: PatchLine, git?: string): OpenDiff {
  return { line, git, facts: new Map(), hunks: [] }
}

function awaitsNames({ git, young }: OpenDiff): boolean {
  return git !== undefined && young === undefined
}

function isNameLine(line: PatchLine, next: PatchLine | undefined): next is PatchLine {
  return line.text.startsWith('--- ') && next?.text.startsWith('+++ ') === true
}

/** The name without the prefix of the line, and without the time that follows a tab. */
function nameOf(line: PatchLine): Name {
  const [name = '', ...time] = line.text.slice(4).split('\t')
  return { line, text: unquoted(line, time.length > 0 ? name : name.trimEnd()) }
}

function unquoted(line: PatchLine, text: string): string {
  const name = unquotePath(text)
  if (name === undefined) throw unparsable(line.number, 'has a name whose quoting is broken')
  return name
}

/** The end of a mail, after which git writes its version. */
function isSignature(text: string): boolean {
  return text === '--'
}

const extended =
  /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|index|similarity index|dissimilarity index) (.*)$/

const passedOver = /^(?:$|diff |Index: |=+$|`{3,}[\w-]*$|~{3,}[\w-]*$|\\ )/

/** Refuses what a patch of text cannot say. */
function requireText(line: PatchLine, text: string): void {
  if (/^copy (?:from|to) /.test(text)) {
    throw unparsable(line.number, 'copies a file; send the new file as one that is created')
  }
  if (/^(?:Binary files .* differ|GIT binary patch)$/.test(text)) {
    throw unparsable(line.number, 'is binary; send the file by write_file with content_base64')
  }
}

function noteLine(current: OpenDiff | undefined, line: PatchLine, text: string): void {
  const [, key, value = ''] = extended.exec(text) ?? []
  if (key !== undefined && current !== undefined && awaitsNames(current)) {
    current.facts.set(key, { ...line, value })
  } else if (!passedOver.test(text)) {
    throw unparsable(line.number, 'belongs to no hunk and is no header')
  }
}

function closeDiff(diff: OpenDiff): FileDiff {
  const { line, facts, hunks } = diff
  const kind = kindOf(diff)
  const names = namesOf(diff)
  const [source, target] = [kind === 'create' ? names.young : names.old, names.young]
  const path = pathAt(source.line, source.text)
  const to = kind === 'delete' ? path : pathAt(target.line, target.text)
  const mode = modeOf(diff, kind)
  const oldOid = kind === 'create' ? undefined : oldOidOf(facts.get('index')?.value)
  requireSomething(diff, kind)
  return {
    line: line.number,
    kind,
    path,
    ...(to !== path && { to }),
    ...(mode && { mode }),
    ...(oldOid && { oldOid }),
    hunks,
  }
}

function kindOf({ facts, old, young }: OpenDiff): FileDiff['kind'] {
  if (facts.has('new file mode') || old?.text === '/dev/null') return 'create'
  return facts.has('deleted file mode') || young?.text === '/dev/null' ? 'delete' : 'change'
}

interface Names {
  readonly old: Name
  readonly young: Name
}

function namesOf(diff: OpenDiff): Names {
  const { line, old, young, facts, git } = diff
  const [from, to] = [facts.get('rename from'), facts.get('rename to')]
  if (from !== undefined && to !== undefined) {
    const name = (fact: PatchLine & { readonly value: string }): Name => ({
      line: fact,
      text: unquoted(fact, fact.value),
    })
    return { old: name(from), young: name(to) }
  }
  if (old === undefined || young === undefined) return namesOfGit(line, git ?? '')
  const bare = withoutPrefixes(old, young)
  const isOneName = [old.text, young.text].includes('/dev/null')
  if (!isOneName && bare.old.text !== bare.young.text) {
    throw unparsable(
      young.line.number,
      'names another file than the line before; say rename from and rename to',
    )
  }
  return bare
}

/** Takes off a/ and b/, or the other pairs that git can be told to write, where both names have theirs. */
function withoutPrefixes(old: Name, young: Name): Names {
  const pairs = ['ab', 'iw', 'ci', 'cw', 'ow']
  const has = ({ text }: Name, letter: string | undefined): boolean =>
    text === '/dev/null' || text.startsWith(`${letter}/`)
  const isPrefixed = pairs.some(pair => has(old, pair[0]) && has(young, pair[1]))
  const bare = (name: Name): Name =>
    name.text === '/dev/null' ? name : { ...name, text: name.text.slice(2) }
  return isPrefixed ? { old: bare(old), young: bare(young) } : { old, young }
}

/** Without `---` and `+++` both names of the first line are the same but for their prefixes. */
function namesOfGit(line: PatchLine, git: string): Names {
  const quoted = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(git)
  const middle = (git.length - 1) / 2
  const [first, second] =
    quoted === null ? [git.slice(0, middle), git.slice(middle + 1)] : [quoted[1], quoted[2]]
  const names = withoutPrefixes(
    { line, text: unquoted(line, first ?? '') },
    { line, text: unquoted(line, second ?? '') },
  )
  if (names.old.text !== names.young.text || (quoted === null && git[middle] !== ' ')) {
    throw unparsable(line.number, 'does not name one file twice')
  }
  return names
}

function modeOf({ facts }: OpenDiff, kind: FileDiff['kind']): FileMode | undefined {
  for (const key of ['old mode', 'new mode', 'new file mode', 'deleted file mode', 'index']) {
    const fact = facts.get(key)
    const mode = key === 'index' ? fact?.value.split(' ')[1] : fact?.value
    if (fact !== undefined && mode !== undefined && !/^100(?:644|755)$/.test(mode)) {
      throw unparsable(fact.number, 'is of a symbolic link or submodule, which are not edited here')
    }
  }
  const mode = facts.get(kind === 'create' ? 'new file mode' : 'new mode')?.value
  return mode === '100755' || mode === '100644' ? mode : undefined
}

function oldOidOf(index: string | undefined): Oid | undefined {
  const oid = index?.split('..')[0]
  return oid !== undefined && isOid(oid) && /[1-9a-f]/.test(oid) ? oid : undefined
}

function requireSomething({ line, facts, hunks }: OpenDiff, kind: FileDiff['kind']): void {
  const says = ['new mode', 'rename to', 'new file mode', 'deleted file mode']
  if (hunks.length > 0 || says.some(key => facts.has(key))) return
  throw unparsable(
    line.number,
    kind === 'change'
      ? 'has no hunk, so the patch may be cut off'
      : 'creates or deletes a file without its lines, so the patch may be cut off',
  )
}
