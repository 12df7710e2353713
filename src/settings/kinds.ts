import { z } from 'zod'
import { defaultLimits, type Limits } from '../core/limits.js'

/** What the values of a setting are, and how they are written as text. */
export interface Kind<Value> {
  readonly schema: z.ZodType<Value>
  /** What a value must be, to go on after "must be". */
  readonly expected: string
  /** The value that a variable of the environment or a flag says; `schema` decides whether it is one. */
  fromText(text: string): unknown
  /** Names between which a person chooses. */
  readonly choices?: readonly string[]
  /** What a flag says that is given once more; absent where the last one counts. */
  again?(before: unknown, text: string): unknown
  /** A place on the disk, relative to where it is said. */
  readonly isPath?: true
  /** A flag alone says true, and with `no-` before its name false. */
  readonly isToggle?: true
}

/** Some of the limits; the others stay as they are. */
export type LimitChanges = Partial<Limits>

const longestText = 4_096
const longestList = 1_000

const plainText = z
  .string()
  .min(1)
  .max(longestText)
  .regex(/^\P{Cc}*$/u)

/** A text of one line. */
export const text: Kind<string> = {
  schema: plainText,
  expected: 'a text of one line',
  fromText: said => said,
}

/** The first parts of a branch's name; what git would refuse, or what leads elsewhere, is none. */
export const branchParts: Kind<string> = {
  schema: z
    .string()
    .max(200)
    .refine(said => said.split('/').every(isBranchPart)),
  expected: 'the first part of a branch name, such as agent',
  fromText: said => said,
}

function isBranchPart(part: string): boolean {
  return /^[a-z0-9_][a-z0-9._-]*$/i.test(part) && !/\.\.|\.$|\.lock$/.test(part)
}

/** A file or directory. */
export const path: Kind<string> = { ...text, expected: 'a path', isPath: true }

/** Files or directories. */
export const paths: Kind<readonly string[]> = {
  schema: z.array(plainText).max(longestList),
  expected: 'a list of paths',
  fromText: splitAtCommas,
  again: oneMore,
  isPath: true,
}

/** Texts, in which a flag says one at a time. */
export const texts: Kind<readonly string[]> = {
  schema: z.array(plainText).max(longestList),
  expected: 'a list of texts',
  fromText: splitAtCommas,
  again: oneMore,
}

/** A program and its arguments. As text they are words only where every reader would take them apart alike. */
export const command: Kind<readonly string[]> = {
  schema: z.array(plainText).min(1).max(longestList),
  expected: 'plain words, or a JSON array of texts such as ["npm","ci"]',
  fromText: said => (/^[\w./:=@,+ -]+$/.test(said) ? said.trim().split(/ +/) : parseJson(said)),
}

function parseJson(said: string): unknown {
  try {
    return JSON.parse(said)
  } catch {
    return said
  }
}

export const toggle: Kind<boolean> = {
  schema: z.boolean(),
  expected: 'true or false',
  fromText: said => toggleWords[said.toLowerCase()] ?? said,
  isToggle: true,
}

const toggleWords: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
}

/** One of some names. */
export function choice<const Name extends string>(names: readonly Name[]): Kind<Name> {
  return {
    schema: z.enum(names),
    expected: `one of ${names.join(', ')}`,
    fromText: said => said,
    choices: names,
  }
}

/** Some of some names, each once, the first of them before the others. */
export function choices<const Name extends string>(names: readonly Name[]): Kind<readonly Name[]> {
  const isOnce = (list: readonly Name[]): boolean => new Set(list).size === list.length
  return {
    schema: z.array(z.enum(names)).min(1).refine(isOnce),
    expected: `a list of ${names.join(', ')}`,
    fromText: said => said.split(',').map(name => name.trim()),
  }
}

/** A whole number from 0. */
export function wholeNumber(most: number): Kind<number> {
  return {
    schema: z.int().min(0).max(most),
    expected: `a whole number from 0 to ${most}`,
    fromText: said => (/^\d{1,12}$/.test(said) ? Number(said) : said),
  }
}

/** A number from 0 to 1. */
export const fraction: Kind<number> = {
  schema: z.number().min(0).max(1),
  expected: 'a number from 0 to 1',
  fromText: said => (/^[01](?:\.\d{1,12})?$/.test(said) ? Number(said) : said),
}

const limitNames = Object.keys(defaultLimits) as (keyof Limits)[]
const limitValue = wholeNumber(999_999_999_999)

/** Limits by their names; a flag changes one at a time, `name=value`. */
export const limitChanges: Kind<LimitChanges> = {
  schema: z.strictObject(
    Object.fromEntries(limitNames.map(name => [name, limitValue.schema.exactOptional()])),
  ),
  expected: `name=value (in a file an object), with a whole number and of the names ${limitNames.join(', ')}`,
  fromText: readLimits,
  again: (before, said) => Object.assign({}, before, readLimits(said)),
}

function readLimits(said: string): Readonly<Record<string, unknown>> {
  const entries = said.split(',').map(one => {
    const [, name = one, value = ''] = /^\s*(\w+)=(.*?)\s*$/.exec(one) ?? []
    return [name, limitValue.fromText(value)]
  })
  return Object.fromEntries(entries)
}

/** A comma in a flag belongs to what it says. */
function oneMore(before: unknown, said: string): unknown {
  return [...(Array.isArray(before) ? before : []), said]
}

/** Commas inside the braces of a glob belong to it. */
function splitAtCommas(said: string): readonly string[] {
  const parts = said.match(/(?:\{[^{}]*\}|[^,])+/g) ?? []
  return parts.map(part => part.trim()).filter(part => part !== '')
}
