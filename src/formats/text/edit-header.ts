import { unquotePath } from '../../core/quote-path.js'

/** What the opening line of an edit fence says. */
export interface EditHeader {
  readonly file: string
  readonly rev: string
  readonly hasLanguage: boolean
}

export type HeaderProblem = 'bad_header' | 'rev_required'

const path = '("(?:[^"\\\\]|\\\\.)*"|(?!rev[ \\t]*[:=])[^\\s"]\\S*)'
const header = new RegExp(
  `^(?:([^\\s:"]+)[ \\t]+)?edit:[ \\t]*${path}(?:[ \\t]+rev[ \\t]*[:=][ \\t]*(\\S*))?$`,
)

/** True where a fence is meant as an edit, well said or not. */
export function isEditInfo(info: string): boolean {
  return /^(?:\S+\s+)?edit\s*[:：﹕=]|^edit(?:\s|$)/iu.test(info)
}

/** Reads `[lang ]edit:<path or "quoted path"> rev:<rev>`; blanks after the colons and `=` are forgiven. */
export function readEditHeader(info: string): EditHeader | HeaderProblem {
  const [, language, written = '', rev = ''] = header.exec(info) ?? []
  const file = unquotePath(written)
  if (file === undefined || file === '') return 'bad_header'
  return rev === '' ? 'rev_required' : { file, rev, hasLanguage: language !== undefined }
}
