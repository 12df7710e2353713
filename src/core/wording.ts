import { catalogue } from './error-catalogue.js'
import { firstWording } from './first-wording.js'

/** What the caller has to do things with, as phrases for the sentences of refusals. */
export interface Words {
  /** To read one file again. */
  readonly read: string
  /** To see which files there are. */
  readonly list: string
  /** To create a file. */
  readonly create: string
  /** To write bytes that are no text. */
  readonly write_bytes: string
  /** The revision that says that there is no file. */
  readonly no_file: string
}

/** The words of the HTTP API and of native ops. */
export const nativeWords: Words = {
  read: 'Read the file',
  list: 'List the files',
  create: 'create it with write_file and expected_rev null',
  write_bytes: 'Replace the whole file with write_file and content_base64',
  no_file: 'null',
}

type Code = keyof typeof catalogue

/** The sentence of a refusal, in the caller's own words. */
export function sentenceOf(code: Code, words: Words = nativeWords): string {
  return catalogue[code].sentence.replace(/\{(\w+)\}/g, (hole, name: string) =>
    isWord(name) ? words[name] : hole,
  )
}

/** The sentence that was published first for a code; it never changes. A code of a later day has its own. */
export function legacySentenceOf(code: Code): string {
  return new Map<string, string>(Object.entries(firstWording)).get(code) ?? sentenceOf(code)
}

function isWord(name: string): name is keyof Words {
  return Object.hasOwn(nativeWords, name)
}
