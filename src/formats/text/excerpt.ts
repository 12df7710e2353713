/** Characters of one line in an answer. */
const lineChars = 200

/** Characters and lines of a passage in an answer. */
const passageChars = 1_000
const passageLines = 20

/** One line, cut to a bound; bytes that were no text show as U+FFFD. */
export function excerptLine(line: string): string {
  return clip(line, lineChars)
}

/** A few lines, cut to a bound. */
export function excerptPassage(lines: readonly string[]): string {
  return clip(lines.slice(0, passageLines).map(excerptLine).join('\n'), passageChars)
}

/** White space and look-alikes made visible: a space as `·`, a tab as `→`, anything else that hides by its code. */
export function showHidden(line: string): string {
  return excerptLine(line)
    .replaceAll(' ', '·')
    .replaceAll('\t', '→')
    .replaceAll('\r', '␍')
    .replace(
      /[\p{Zs}\p{Cf}\p{Cc}\u2010-\u2015\u2018-\u201f\u2026\u2212]/gu,
      character => `<U+${codeOf(character)}>`,
    )
}

/** A break made visible; where a line just stops there is nothing to see. */
export function showEnding(ending: string): string {
  return ending.replace('\r', '␍').replace('\n', '␊')
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

function clip(text: string, length: number): string {
  const clipped = text.length <= length ? text : `${text.slice(0, length - 1)}…`
  return clipped.toWellFormed()
}
