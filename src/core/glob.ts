import { Refusal } from './errors.js'

/** One character of a name pattern: itself, any one, any number, or one of a set. */
type Token = string | typeof any | typeof many | CharacterSet

const any = Symbol('?')
const many = Symbol('*')

interface CharacterSet {
  readonly negated: boolean
  readonly ranges: readonly (readonly [number, number])[]
}

/** Tells of one item whether it fits, and counts what that took. */
type Matches<Item> = (item: Item, spend: Spend) => boolean

/** A matcher of one item; undefined stands for any number of items. */
type Step<Item> = Matches<Item> | undefined

/** Is told how many steps a match took. */
type Spend = (steps: number) => void

const maxAlternatives = 256

/**
 * Reads a glob as .gitignore does: `*` and `?` stay within a name, `**` as a whole name stands for
 * any number of directories, `[a-z]` and `[!a-z]` are sets, `{a,b}` are alternatives and `\` takes
 * the next character literally. A pattern without a slash means a name at any depth, one with a
 * slash a path from the root, one that ends in a slash everything below. Names that begin with a
 * dot are no exception. The time is bounded by pattern length times path length times alternatives;
 * for all paths together by `maxSteps`, past which `PATTERN_TIMEOUT` refuses.
 */
export function globMatcher(
  pattern: string,
  { maxSteps = Infinity }: { readonly maxSteps?: number } = {},
): (path: string) => boolean {
  const matchers = [...new Set(expandBraces(pattern))].map(pathMatcher)
  let left = maxSteps
  const spend: Spend = steps => {
    left -= steps
    if (left < 0) throw new Refusal('PATTERN_TIMEOUT')
  }
  return path => {
    const names = path.split('/').map(name => [...name])
    return matchers.some(matches => matches(names, spend))
  }
}

type Name = readonly string[]

function pathMatcher(pattern: string): Matches<readonly Name[]> {
  const below = pattern.endsWith('/') ? `${pattern}**` : pattern
  const fromRoot = below.startsWith('/') ? below.slice(1) : below
  const whole = below.includes('/') ? fromRoot : `**/${below}`
  const names = whole.split('/')
  const steps = names.map(name => (name === '**' ? undefined : nameMatcher(tokenize(name))))
  // `a/**` means what is below `a`, not `a` itself.
  if (names.at(-1) === '**') steps.push(() => true)
  return (path, spend) => matchSteps(path, steps, spend)
}

function nameMatcher(tokens: readonly Token[]): Matches<Name> {
  const steps = tokens.map(token => (token === many ? undefined : characterMatcher(token)))
  return (name, spend) => matchSteps(name, steps, spend)
}

function characterMatcher(token: Exclude<Token, typeof many>): Matches<string> {
  if (token === any) return () => true
  if (typeof token === 'string') return character => character === token
  return character => {
    const code = codeOf(character)
    return token.ranges.some(([low, high]) => low <= code && code <= high) !== token.negated
  }
}

/** Only the last open step ever has to take more: what stood before it matched as early as it could. */
function matchSteps<Item>(
  items: readonly Item[],
  steps: readonly Step<Item>[],
  spend: Spend,
): boolean {
  let item = 0
  let step = 0
  let turns = 0
  let retry: { readonly step: number; item: number } | undefined
  for (;;) {
    turns += 1
    const matches = steps[step]
    const here = items[item]
    if (item === items.length && step === steps.length) break
    if (step < steps.length && matches === undefined) {
      step += 1
      retry = { step, item }
    } else if (here !== undefined && matches?.(here, spend) === true) {
      item += 1
      step += 1
    } else {
      if (retry === undefined || retry.item >= items.length) break
      retry.item += 1
      item = retry.item
      step = retry.step
    }
  }
  spend(turns)
  return item === items.length && step === steps.length
}

function tokenize(name: string): readonly Token[] {
  const characters = [...name]
  const tokens: Token[] = []
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? ''
    const set = character === '[' ? readSet(characters, at) : undefined
    if (set !== undefined) {
      tokens.push(set.token)
      at = set.end
    } else if (character === '\\' && at + 1 < characters.length) {
      at += 1
      tokens.push(characters[at] ?? '')
    } else if (character === '*') {
      if (tokens.at(-1) !== many) tokens.push(many)
    } else {
      tokens.push(character === '?' ? any : character)
    }
  }
  return tokens
}

/** The set that opens at `[`; undefined where it never closes, so that the bracket means itself. */
function readSet(
  characters: readonly string[],
  open: number,
): { readonly token: CharacterSet; readonly end: number } | undefined {
  const negated = characters[open + 1] === '!' || characters[open + 1] === '^'
  const first = open + (negated ? 2 : 1)
  const end = characters.indexOf(']', first + 1)
  if (end < 0) return undefined
  const ranges: [number, number][] = []
  for (let at = first; at < end; at += 1) {
    const isRange = characters[at + 1] === '-' && at + 2 < end
    const high = isRange ? at + 2 : at
    ranges.push([codeOf(characters[at]), codeOf(characters[high])])
    at = high
  }
  return { token: { negated, ranges }, end }
}

function codeOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? 0
}

/** Every pattern that the braces stand for; too many are refused. A brace that never closes means itself. */
function expandBraces(pattern: string): readonly string[] {
  const done: string[] = []
  const open = [pattern]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next)
    if (group === undefined) done.push(next)
    else for (const part of group.parts) open.push(`${group.before}${part}${group.after}`)
    if (done.length + open.length > maxAlternatives) {
      throw new Refusal('INVALID_ARGUMENTS', { problem: 'too many alternatives in the glob' })
    }
  }
  return done
}

interface BraceGroup {
  readonly before: string
  readonly parts: readonly string[]
  readonly after: string
}

function firstGroup(pattern: string): BraceGroup | undefined {
  const cuts: number[] = []
  let depth = 0
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]
    if (character === '\\') at += 1
    else if (character === '{') {
      if (depth === 0) cuts.splice(0, cuts.length, at)
      depth += 1
    } else if (character === ',' && depth === 1) cuts.push(at)
    else if (character === '}' && depth > 0) {
      depth -= 1
      if (depth === 0) return groupAt(pattern, [...cuts, at])
    }
  }
  return undefined
}

/** The group whose opening brace, commas and closing brace stand at the cuts. */
function groupAt(pattern: string, cuts: readonly number[]): BraceGroup {
  const parts = cuts.slice(1).map((end, index) => pattern.slice((cuts[index] ?? 0) + 1, end))
  return {
    before: pattern.slice(0, cuts[0]),
    parts,
    after: pattern.slice((cuts.at(-1) ?? 0) + 1),
  }
}
