import type { Script } from '../babel.js'

/** Where a text opens what could declare something: to look for a sign is far cheaper than to walk a tree. */
export interface Openings {
  /** False where a part holds neither a function nor anything in braces. */
  opensIn(from: number, to: number): boolean
  /** False where the inside of a block declares nothing that a reader tells of a function's body. */
  declaresIn(from: number, to: number): boolean
  /** False where no function in an expression has a block that declares something. */
  runsIn(from: number, to: number): boolean
  /** False where a part holds no JSX. */
  holdsJsxIn(from: number, to: number): boolean
}

/** Declarations that need no braces. A longer word that holds one of these is only looked at for nothing. */
const bareWords = /type|declare|function|module/g

/** Every JSX element has an end. */
const jsxEnds = /<\/|\/>/g

/** Opens a text to questions that mostly go forward: each part of it is then looked through once. */
export function openingsOf({ text, dialect }: Script): Openings {
  const brace = signsIn(from => text.indexOf('{', from))
  const arrow = signsIn(from => text.indexOf('=>', from))
  const innerBrace = signsIn(from => text.indexOf('{', from))
  const innerArrow = signsIn(from => text.indexOf('=>', from))
  const word = signsIn(from => searchFrom(text, bareWords, from))
  const jsxEnd = signsIn(from => (dialect === 'typescript' ? -1 : searchFrom(text, jsxEnds, from)))
  const declaresIn = (from: number, to: number): boolean =>
    innerBrace(from) < to || innerArrow(from) < to || word(from) < to
  return {
    opensIn: (from, to) => brace(from) < to || arrow(from) < to,
    declaresIn,
    runsIn: (from, to) => {
      const at = brace(from)
      return at < to && declaresIn(at + 1, to)
    },
    holdsJsxIn: (from, to) => jsxEnd(from) < to,
  }
}

function searchFrom(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

/** The next sign from an offset on; asked again before it, nothing is looked for. */
function signsIn(find: (from: number) => number): (from: number) => number {
  let known = 0
  let next = -1
  return from => {
    if (from >= known && from <= next) return next
    known = from
    const found = find(from)
    next = found < 0 ? Number.POSITIVE_INFINITY : found
    return next
  }
}
