import type { Language } from '../language.js'
import { nestSections, type Section } from './sections.js'

/** Levels of keys that are told. */
const maxIndents = 2

const key =
  /^(\s*)(?:"([^"]+)"|'([^']+)'|([^\s#'"[\]{},&*!|>%@`-][^#:]*?|-?[\w./][\w./ -]*?))\s*:(?:\s|$)/

/**
 * The keys of the two outer levels. A YAML library would read anchors and tags that an outline does not
 * tell, and would fail on the templates that many .yml files are.
 */
export const yaml: Language = {
  name: 'yaml',
  files: ['.yml', '.yaml'],
  lexis: 'hash',
  read: ({ text }) => ({
    parser: 'scanner',
    declarations: nestSections(text, readKeys(text), 'key'),
  }),
  patterns: [],
}

function readKeys(text: string): readonly Section[] {
  const sections: Section[] = []
  const indents: number[] = []
  let at = 0
  let blockIndent = Number.POSITIVE_INFINITY
  for (const line of text.split('\n')) {
    const indent = line.length - line.trimStart().length
    if (line.trim() !== '' && indent <= blockIndent) {
      blockIndent = Number.POSITIVE_INFINITY
      const found = key.exec(line)
      if (found !== null) {
        const name = found[2] ?? found[3] ?? found[4] ?? ''
        while ((indents.at(-1) ?? -1) >= indent) indents.pop()
        indents.push(indent)
        const from = at + indent
        if (indents.length <= maxIndents) {
          sections.push({ name, level: indents.length, from, nameAt: from })
        }
        // Below `key: |` stands text, not keys.
        if (/[|>][+-]?\d?\s*(?:#.*)?$/.test(line)) blockIndent = indent
      }
    }
    at += line.length + 1
  }
  return sections
}
