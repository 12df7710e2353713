import { Refusal } from './errors.js'

/** A git object id in lower-case hex: 40 digits in a sha1 repository, 64 in a sha256 one. */
export type Oid = string & { readonly __brand: 'Oid' }

export type ObjectFormat = 'sha1' | 'sha256'

/** Reads a full object id from outside; abbreviations are refused with `INVALID_ARGUMENTS`. */
export function parseOid(text: string): Oid {
  if (!isOid(text)) throw new Refusal('INVALID_ARGUMENTS', { problem: 'not a full object id' })
  return text
}

/** True for 40 or 64 lower-case hex digits. */
export function isOid(text: string): text is Oid {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

const shortDigits = 12

/** An object id as compact text shows it: enough digits to name it in any repository, a third of the tokens. */
export function shortOid(oid: string): string {
  return isOid(oid) ? oid.slice(0, shortDigits) : oid
}

/** Reads an object id from outside of which at least the first twelve digits are given; `wholeOid` says what it stands for. */
export function parseShortOid(text: string): Oid {
  if (!isOid(text) && !isShortOid(text)) {
    const problem = 'a commit is named by its id, or by at least the first twelve digits of it'
    throw new Refusal('INVALID_ARGUMENTS', { problem })
  }
  return text as Oid
}

/** True for the first digits of an id, at least twelve of them. */
export function isShortOid(text: string): boolean {
  return /^[0-9a-f]{12,63}$/.test(text) && !isOid(text)
}

/** True where a text from outside is an id, or the first digits of it. */
export function namesOid(text: string, oid: string): boolean {
  return text === oid || (isShortOid(text) && oid.startsWith(text))
}

/** The id that git uses for "no object" in ref updates. */
export function zeroOid(format: ObjectFormat): Oid {
  return parseOid('0'.repeat(format === 'sha1' ? 40 : 64))
}
