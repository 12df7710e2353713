import { Refusal } from './errors.js'
import { fixedLimits } from './limits.js'

/**
 * Reads a JSON object from outside: UTF-8 without byte order mark, no key twice, no `__proto__`,
 * bounded nesting. JSON.parse alone takes all of these and lets two readers see two different things.
 */
export function parseStrictJson(bytes: Uint8Array): Record<string, unknown> {
  const text = decode(bytes)
  const open = checkStructure(text)
  const value = parse(text, open)
  if (!isObject(value)) throw refused('the body must be a JSON object')
  return value
}

function decode(bytes: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused('the body is not UTF-8')
  }
  if (text.startsWith('\ufeff')) throw refused('the body begins with a byte order mark')
  return text
}

function parse(text: string, open: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch {
    if (open) throw new Refusal('ARGUMENTS_TRUNCATED')
    throw refused('the body is not JSON')
  }
}

/** Walks over the text once; true where an object, array or string is still open at its end. */
function checkStructure(text: string): boolean {
  // One entry for each open bracket: the keys seen in an object, undefined for an array.
  const levels: (Set<string> | undefined)[] = []
  const mark = /["{}[\],]/g
  let expectsKey = false
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [sign] = found
    if (sign === '"') {
      const end = endOfString(text, found.index)
      if (end === undefined) return true
      const keys = levels.at(-1)
      if (expectsKey && keys !== undefined) checkKey(text.slice(found.index, end), keys)
      mark.lastIndex = end
    } else if (sign === '{' || sign === '[') {
      levels.push(sign === '{' ? new Set() : undefined)
      if (levels.length > fixedLimits.jsonDepth) throw refused('the body is nested too deeply')
    } else if (sign !== ',') {
      levels.pop()
    }
    expectsKey = sign === '{' || sign === ','
  }
  return levels.length > 0
}

/** The offset behind the closing quote. A pattern would do, but its stack does not hold megabytes. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (!isEscaped(text, at)) return at + 1
  }
  return undefined
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

function checkKey(quoted: string, seen: Set<string>): void {
  const key = unquoted(quoted)
  if (key === '__proto__') throw refused('a key is called __proto__')
  if (seen.has(key)) throw refused('a key stands twice in one object')
  seen.add(key)
}

/** Two spellings of one key are the same key; a broken one is JSON.parse's to refuse. */
function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(problem: string): Refusal {
  return new Refusal('INVALID_ARGUMENTS', { problem })
}
