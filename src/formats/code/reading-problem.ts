import type { Outline, OutlineNote } from '../../core/outline.js'

const reasons: Readonly<Partial<Record<OutlineNote, string>>> = {
  unknown_language: 'no reader knows the language of this file',
  too_large: 'the file is too large to be read for its symbols',
  minified: 'the lines of this file are too long to be read for their symbols',
}

/** Why an outline says nothing of its file; undefined where it does. */
export function readingProblem({ note, parser }: Outline): string | undefined {
  if (note !== undefined && reasons[note] !== undefined) return reasons[note]
  return parser === 'none' ? 'the file is too complex to be read for its symbols' : undefined
}
