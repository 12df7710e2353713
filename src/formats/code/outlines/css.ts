import { checkBalance } from '../balance.js'
import type { Declaration } from '../declaration.js'
import type { Language } from '../language.js'

/** Levels of rules that are told: a rule in `@media`, a nested one. */
const maxLevels = 3

const token = /\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[{};]/g

interface Growing extends Declaration {
  to: number
  readonly children: Growing[]
}

/** Rules by their selectors. What stands between braces is all that counts, in .scss and .less as well. */
export const css: Language = {
  name: 'css',
  files: ['.css', '.scss', '.less', '.pcss'],
  lexis: 'slashes',
  read: ({ text }) => {
    const errors = checkBalance(text, 'slashes')
    return {
      parser: 'scanner',
      declarations: readRules(text),
      ...(errors !== undefined && { errors }),
    }
  },
  patterns: [],
}

function readRules(text: string): readonly Declaration[] {
  const top: Growing[] = []
  const open: Growing[] = []
  let after = 0
  for (const { 0: word, index: at } of text.matchAll(token)) {
    if (word.startsWith('/*')) {
      // A comment before a selector does not belong to it.
      if (text.slice(after, at).trim() === '') after = at + word.length
      continue
    }
    if (word === '{') {
      const rule = ruleAt(text, after, at)
      if (open.length < maxLevels) (open.at(-1)?.children ?? top).push(rule)
      open.push(rule)
    } else if (word === '}') {
      const closed = open.pop()
      if (closed !== undefined) closed.to = at + 1
    } else if (word !== ';') continue
    after = at + 1
  }
  for (const rule of open) rule.to = text.length
  return top
}

function ruleAt(text: string, after: number, brace: number): Growing {
  const written = text.slice(after, brace)
  const lead = /^(?:\s|\/\/[^\n]*\n)*/.exec(written)?.[0].length ?? 0
  const from = Math.min(after + lead, brace)
  const name = text.slice(from, brace).trim().replace(/\s+/g, ' ').slice(0, 200)
  return { name, kind: 'rule', flags: [], from, to: brace + 1, nameAt: from, children: [] }
}
