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

/** The id that git uses for "no object" in ref updates. */
export function zeroOid(format: ObjectFormat): Oid {
  return parseOid('0'.repeat(format === 'sha1' ? 40 : 64))
}
