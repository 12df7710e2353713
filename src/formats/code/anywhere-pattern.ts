/**
 * A pattern that fits wherever the given one does, and where that fits only at the beginning or end of its text, too:
 * what names a symbol stands in the middle of a line of its file.
 */
export function anywherePattern(pattern: string): string {
  let result = ''
  let depth = 0
  for (let at = 0; at < pattern.length; at += 1) {
    const here = pattern[at] ?? ''
    const pair = pattern.slice(at, at + 2)
    if (here === '\\') {
      at += 1
      result += depth === 0 && /^\\[AzbB<>]$/.test(pair) ? '(?:)' : pair
    } else {
      if (here === '[') depth += 1
      if (here === ']' && depth > 0) depth -= 1
      result += depth === 0 && (here === '^' || here === '$') ? '(?:)' : here
    }
  }
  return result
}
