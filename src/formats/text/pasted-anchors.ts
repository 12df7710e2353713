/**
 * The first line, from 1, that begins with an anchor, in a text of which at least half the lines
 * that are not blank do; undefined for any other text. Code such as `a::b->c()` is none: without a
 * line number only the arrow of the read view makes two short words an anchor.
 */
export function findPastedAnchor(text: string): number | undefined {
  if (!text.includes(':')) return undefined
  let blank = 0
  let pasted = 0
  let first: number | undefined
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') blank += 1
    if (!beginsWithAnchor.test(line)) continue
    first ??= index + 1
    pasted += 1
  }
  return pasted * 2 >= lines.length - blank ? first : undefined
}

const beginsWithAnchor =
  /^[ \t]{0,8}(?:\d{1,8}:[a-z]{1,4}(?::[a-z]{1,4})?(?:→|->|\|)|[a-z]{1,4}:[a-z]{1,4}→)/
