// What each batch of the benchmark changes: the first line of one of the files, in turn.

/**
 * The file of a batch and what it holds then.
 * @param {readonly (readonly [path: string, text: string])[]} texts
 * @param {number} number
 * @returns {readonly [path: string, text: string]}
 */
export function changedText(texts, number) {
  const [path, text] = texts[Math.abs(number) % texts.length] ?? ['', '']
  return [path, `batch ${number}${text.slice(text.indexOf('\n'))}`]
}
