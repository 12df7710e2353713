import { shortOid } from '../core/oid.js'
import { counted } from './counted.js'
import { joinLines } from './join-lines.js'
import type { FileAnswer, ManyFilesAnswer, NotModified } from './read-answers.js'
import type { ReadAnswer } from './read-view.js'
import { renderRefusalText } from './render-text.js'
import { outlineText } from './symbols-view.js'

/** What was read as compact text; several files one below the other. */
export function renderReadText(answer: FileAnswer | ManyFilesAnswer): string {
  if (!('files' in answer)) return fileText(answer, undefined)
  const { files, left_out: left } = answer
  const note = left === undefined ? '' : `(cut here; read these again: ${left.join(', ')})\n`
  return files.map((file, at) => fileText(file, files[at - 1])).join('') + note
}

/** One line of facts over the text; only what is unusual is named. A further part of the file before names its lines only. */
function fileText(answer: FileAnswer, last: FileAnswer | undefined): string {
  if ('not_modified' in answer)
    return joinLines([`${answer.path} ${shortOid(answer.rev)} not modified`])
  if ('refused' in answer) {
    return joinLines([`${answer.path} refused:`, renderRefusalText(answer.refused)])
  }
  const isSame = last !== undefined && 'rev' in last && isPart(last, answer)
  return joinLines([
    isSame
      ? partExtent(answer)
      : `${answer.path} ${shortOid(answer.rev)} ${readFacts(answer).join(', ')}`,
    answer.text?.replaceAll('\r\n', '\n') ?? '',
    outlineText(answer.outline ?? []),
    cutNote(answer),
  ])
}

function isPart(last: ReadAnswer | NotModified, { path, rev }: ReadAnswer): boolean {
  return last.path === path && last.rev === rev && 'text' in last
}

function readFacts(answer: ReadAnswer): readonly string[] {
  const facts = [extent(answer)]
  if (answer.encoding === 'binary') facts.push(answer.kind ?? 'binary')
  else if (answer.encoding !== 'utf-8') facts.push(answer.encoding)
  if (answer.mode !== '100644') facts.push(`mode ${answer.mode}`)
  if (answer.eol !== 'lf' && answer.eol !== 'none') facts.push(answer.eol)
  if (answer.total_lines > 0 && !answer.final_newline) facts.push('no final newline')
  if (answer.lossy) facts.push('some bytes are not UTF-8')
  return facts
}

function extent(answer: ReadAnswer): string {
  const { start_line: start, end_line: end, total_lines: total } = answer
  if (answer.encoding === 'binary') return counted(answer.bytes, 'byte')
  if (answer.kind !== undefined) {
    return `${counted(answer.bytes, 'byte')}, ${answer.kind}, ${counted(total, 'line')}`
  }
  return start === 1 && end === total ? counted(total, 'line') : `lines ${start}-${end} of ${total}`
}

/** How long the file is stands over its first part. */
function partExtent(answer: ReadAnswer): string {
  const { start_line: start, end_line: end, kind } = answer
  return kind === undefined ? `lines ${start}-${end}` : extent(answer)
}

function cutNote({ truncated, go_on, line_cut, next_line, kind }: ReadAnswer): string {
  if (go_on !== undefined) return kind === undefined ? `(cut here: ${go_on})` : `(${go_on})`
  if (!truncated) return ''
  const what = line_cut ? 'cut within the line' : 'cut here'
  return next_line === undefined ? what : `${what}: read on from line ${next_line}`
}
