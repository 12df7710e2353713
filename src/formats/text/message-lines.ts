/** One line of a message, without its break, and its number from 1. */
export interface MessageLine {
  readonly line: number
  readonly text: string
}

/** The lines of a message. Only LF and CRLF break lines; a lone CR and U+2028 are text. */
export function messageLines(message: string): readonly MessageLine[] {
  const texts = message.split('\n')
  if (texts.at(-1) === '') texts.pop()
  return texts.map((text, index) => ({
    line: index + 1,
    text: text.endsWith('\r') ? text.slice(0, -1) : text,
  }))
}

/** The lines as one text with LF, which ends in a newline when it is not empty. */
export function joinLines(lines: readonly MessageLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('')
}
