import type { Language } from '../language.js'
import { nestSections, type Section } from './sections.js'

const table = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/
const key = /^\s*((?:"[^"]+"|'[^']+'|[\w-]+)(?:\s*\.\s*(?:"[^"]+"|'[^']+'|[\w-]+))*)\s*=/

/** Tables and their keys, also of .ini files. Values are of no interest here, so no library reads them. */
export const toml: Language = {
  name: 'toml',
  files: ['.toml', '.ini', '.cfg', '.editorconfig'],
  lexis: 'hash',
  read: ({ text }) => ({
    parser: 'scanner',
    declarations: nestSections(text, readKeys(text), 'key'),
  }),
  patterns: [],
}

function readKeys(text: string): readonly Section[] {
  const sections: Section[] = []
  let at = 0
  let quotes: string | undefined
  let level = 1
  for (const line of text.split('\n')) {
    if (quotes === undefined) {
      const [, name] = table.exec(line) ?? []
      const [, field] = name === undefined ? (key.exec(line) ?? []) : []
      if (name !== undefined) level = 2
      const told = name ?? field?.replace(/^(["'])(.*)\1$/, '$2')
      const white = line.length - line.trimStart().length
      const from = at + white
      if (told !== undefined) {
        sections.push({ name: told, level: name === undefined ? level : 1, from, nameAt: from })
      }
    }
    quotes = stillOpen(line, quotes)
    at += line.length + 1
  }
  return sections
}

/** The quotes of a text over several lines that a line leaves open. */
function stillOpen(line: string, quotes: string | undefined): string | undefined {
  const marks = quotes ?? /"""|'''/.exec(line)?.[0]
  if (marks === undefined) return undefined
  const isOdd = (line.split(marks).length - 1) % 2 === 1
  return isOdd === (quotes === undefined) ? marks : undefined
}
