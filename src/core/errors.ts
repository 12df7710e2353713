import { catalogue, type NextAction } from './error-catalogue.js'
import { legacySentenceOf, sentenceOf, type Words } from './wording.js'

export type RefusalCode = keyof typeof catalogue

/** The only throw that is expected: a code, an HTTP status, a fixed sentence, and data in named fields. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>

  /** `status` overrides the catalogue only where HTTP asks for another one (412 from If-Match). */
  constructor(code: RefusalCode, data: Readonly<Record<string, unknown>> = {}, status?: number) {
    super(sentenceOf(code))
    this.name = 'Refusal'
    this.code = code
    this.status = status ?? catalogue[code].status
    this.data = data
  }

  get nextAction(): NextAction {
    return catalogue[this.code].nextAction
  }

  /** The same in the words of a caller who has other tools than the HTTP API. */
  inWords(words: Words | undefined): Refusal {
    return this.#saying(sentenceOf(this.code, words))
  }

  /** The same in the first published wording. */
  inLegacyStyle(): Refusal {
    return this.#saying(legacySentenceOf(this.code))
  }

  #saying(sentence: string): Refusal {
    const same = new Refusal(this.code, this.data, this.status)
    same.message = sentence
    return same
  }

  /** The refusal as data, for any face. */
  toJSON(): Record<string, unknown> {
    return {
      code: this.code,
      status: this.status,
      message: this.message,
      next_action: this.nextAction,
      ...this.data,
    }
  }
}
