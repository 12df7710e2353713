import type { ClientFileOutcome } from '../../core/client-file.js'
import { Refusal } from '../../core/errors.js'

/** A text with what was to stand in it. */
export interface Merged {
  readonly text: string
  readonly outcome: Exclude<ClientFileOutcome, 'created'>
}

/** Refuses with `INVALID_SETTINGS` to change a file; who knows its path adds it. */
export function refuseMerge(
  problem: string,
  { expected, key }: { readonly expected: string; readonly key?: string },
): never {
  throw new Refusal('INVALID_SETTINGS', { ...(key !== undefined && { key }), problem, expected })
}

/** Refuses to put an entry where another one stands. */
export function refuseOther(key: string): never {
  refuseMerge('something else stands there', {
    key,
    expected: '--name for another name, or --force to replace it',
  })
}

/** Refuses what nobody but its author can change. */
export function refuseOdd(key: string): never {
  refuseMerge('the file says this in a way that cannot be extended', {
    key,
    expected: 'the entry put there by hand',
  })
}

/** True for values that say the same, whatever the order of their keys. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isObject(one) || !isObject(other)) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  if (!isPlain(one) || !isPlain(other)) return JSON.stringify(one) === JSON.stringify(other)
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every(key => Object.hasOwn(other, key) && sameValue(one[key], other[key]))
  )
}

/** A copy of a value in which one part is another. */
export function withValue(root: unknown, at: readonly string[], value: unknown): unknown {
  const [name, ...rest] = at
  if (name === undefined) return value
  const plain = isObject(root) ? root : {}
  return { ...plain, [name]: withValue(plain[name], rest, value) }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** The line end of a text. */
export function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

/** False for a date, which holds nothing that can be looked at. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || prototype === Object.prototype
}
