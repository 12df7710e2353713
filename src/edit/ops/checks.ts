import { Refusal } from '../../core/errors.js'

/** The text of one field of an op. */
export interface FieldText {
  readonly field: string
  readonly text: string
}

/** Refuses text that no file could hold as text, and text beyond the limit. */
export function checkText({ field, text }: FieldText, limit: number): void {
  if (text.length > limit) {
    throw new Refusal('TOO_LARGE', { what: field, limit, actual: text.length })
  }
  if (!text.isWellFormed()) throw invalid(field, 'not well-formed Unicode')
  if (text.includes('\0')) throw invalid(field, 'holds NUL; write binary files as content_base64')
}

/** Refuses a text that would be found everywhere. */
export function checkSearch(search: FieldText, limit: number): void {
  if (search.text === '') throw invalid(search.field, 'is empty')
  checkText(search, limit)
}

/** Refuses a text that no single line could contain. */
export function checkLinePart(search: FieldText, limit: number): void {
  checkSearch(search, limit)
  if (/[\r\n]/.test(search.text)) throw invalid(search.field, 'holds a line break')
}

/** Refuses a range that ends before it begins. */
export function checkLineOrder(op: {
  readonly start_line: number
  readonly end_line: number
}): void {
  if (op.start_line > op.end_line) throw invalid('end_line', 'is before start_line')
}

/** The refusal of one field. */
export function invalid(field: string, problem: string): Refusal {
  return new Refusal('INVALID_ARGUMENTS', { problems: [{ field, problem }] })
}
