import type { SyntaxErrors } from '../../../core/outline.js'
import type { Declaration, Reading } from '../declaration.js'
import type { Language } from '../language.js'
import { linesOf } from '../lines.js'

/** Levels of keys that are told. */
const maxLevels = 2

const token = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|[{}[\]:,]|[^\s{}[\]:,"/]+|\//g

interface Growing extends Declaration {
  to: number
  readonly children: Growing[]
}

/**
 * The keys of the two outer levels. JSON.parse tells no places, so the scanner finds them; it is
 * asked only whether the text is right.
 */
export const json: Language = {
  name: 'json',
  files: ['.json', '.webmanifest', '.ipynb', '.har', '.geojson'],
  lexis: 'slashes',
  read: ({ text }) => read(text, text),
  patterns: [],
}

/** JSON with comments and trailing commas, as configuration is often written. */
export const jsonWithComments: Language = {
  name: 'jsonc',
  files: [
    ...['.jsonc', '.json5', '.code-workspace', 'tsconfig.json', 'jsconfig.json', '.babelrc'],
    ...['.eslintrc', 'devcontainer.json', 'settings.json', 'launch.json', 'tasks.json'],
  ],
  lexis: 'slashes',
  read: ({ text }) => read(text, withoutComments(text)),
  patterns: [],
}

function read(text: string, strict: string): Reading {
  return { parser: 'scanner', declarations: readKeys(text), errors: errorsOf(strict) }
}

function readKeys(text: string): readonly Declaration[] {
  const top: Growing[] = []
  /** For each open bracket: whether it is an object, and the key that holds it. */
  const open: { readonly isObject: boolean; readonly key: Growing | undefined }[] = []
  let pending: { readonly name: string; readonly at: number } | undefined
  let key: Growing | undefined
  for (const { 0: word, index: at } of text.matchAll(token)) {
    const level = open.length
    const inside = open.at(-1)
    if (word === '{' || word === '[') {
      open.push({ isObject: word === '{', key })
      key = undefined
    } else if (word === '}' || word === ']') {
      const closed = open.pop()
      if (closed?.key !== undefined) closed.key.to = at + 1
      key = undefined
    } else if (word === ':') {
      const isTold = level <= maxLevels && inside?.isObject === true && pending !== undefined
      if (isTold && pending !== undefined && open.every(({ isObject }) => isObject)) {
        key = growing(pending.name, pending.at, at + 1)
        ;(inside?.key?.children ?? top).push(key)
      }
    } else if (word.startsWith('"')) {
      if (key !== undefined) key.to = at + word.length
      pending = { name: word.slice(1, -1), at }
      if (key !== undefined) pending = undefined
      key = undefined
    } else if (word !== ',' && !word.startsWith('/') && key !== undefined) {
      key.to = at + word.length
      key = undefined
    }
  }
  return top
}

function growing(name: string, from: number, to: number): Growing {
  return { name, kind: 'key', flags: [], from, to, nameAt: from, children: [] }
}

function withoutComments(text: string): string {
  const plain = text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"/g, word =>
    word.startsWith('"') ? word : word.replace(/[^\n]/g, ' '),
  )
  return plain.replace(/"(?:\\.|[^"\\\n])*"|,(?=\s*[}\]])/g, word => (word === ',' ? ' ' : word))
}

function errorsOf(text: string): SyntaxErrors {
  const problem = text.trim() === '' ? undefined : problemOf(text.replace(/^\ufeff/, ' '))
  const lines = problem === undefined ? [] : [problem]
  return { count: lines.length, lines, certain: true, fatal: false }
}

/** The line of the first error: the parser says its place only in its message. */
function problemOf(text: string): number | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const [, at] = /at position (\d+)/.exec(String(error)) ?? []
    return linesOf(text).lineAt(at === undefined ? text.trimEnd().length - 1 : Number(at))
  }
}
