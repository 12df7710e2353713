/** Characters that are taken for each other when text is typed again: what is typed, and what it stands for. */
const lookAlikes: readonly (readonly [string, RegExp])[] = [
  ["'", /[\u2018-\u201b\u2032\u02bc\uff07]/g],
  ['"', /[\u201c-\u201f\u2033\uff02]/g],
  ['-', /[\u2010-\u2015\u2212\ufe63\uff0d]/g],
  [' ', /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g],
  ['...', /\u2026/g],
]

/**
 * A text with each typographic character as what a keyboard has for it. Only what means the same
 * is folded, so that two texts that fold alike read alike; ligatures, fractions and what cannot be
 * seen are not.
 */
export function foldConfusables(text: string): string {
  if (isTyped(text)) return text
  return lookAlikes.reduce((folded, [typed, alike]) => folded.replace(alike, typed), text)
}

/** True for ASCII, which needs no folding. */
export function isTyped(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
  return /^[\x00-\x7f]*$/.test(text)
}
