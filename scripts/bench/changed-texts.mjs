// What each batch of the benchmark changes: the first line of some of the files, in turn.
import { createHash } from 'node:crypto'

/** @typedef {import('./serve-engine.mjs').BatchRequest} BatchRequest */

/**
 * The files of a batch and what they hold then.
 * @param {readonly (readonly [path: string, text: string])[]} texts
 * @param {BatchRequest} batch
 * @returns {readonly (readonly [path: string, text: string])[]}
 */
export function changedTexts(texts, { number, files }) {
  return Array.from({ length: Math.min(files, texts.length) }, (_, index) => {
    const [path, text] = texts[(number * files + index) % texts.length] ?? ['', '']
    return [path, `batch ${number}${text.slice(text.indexOf('\n'))}`]
  })
}

/** Makes the input of a batch for the gateway. Like a client it knows what it read and what it wrote. */
export class BatchInputs {
  /** @type {Map<string, string>} */
  #now
  #texts

  /** @param {readonly (readonly [path: string, text: string])[]} texts */
  constructor(texts) {
    this.#texts = texts
    this.#now = new Map(texts)
  }

  /** @param {BatchRequest} batch */
  next(batch) {
    const edits = changedTexts(this.#texts, batch).map(([path, text]) => {
      const expected_rev = blobId(this.#now.get(path) ?? '')
      this.#now.set(path, text)
      const line = text.slice(0, text.indexOf('\n'))
      const lines = { start_line: 1, end_line: 1, text: line }
      return /** @type {const} */ ({ op: 'replace_lines', path, expected_rev, ...lines })
    })
    return { edits, message: `batch ${batch.number}` }
  }
}

/**
 * The id of a text's blob.
 * @param {string} text
 */
function blobId(text) {
  const bytes = Buffer.from(text)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
