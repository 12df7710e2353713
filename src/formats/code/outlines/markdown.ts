import type { Declaration } from '../declaration.js'
import type { Language } from '../language.js'
import { nestSections, type Section } from './sections.js'

const fence = /^ {0,3}(`{3,}|~{3,})/
const atx = /^ {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/
const setext = /^ {0,3}(=+|-{2,})[ \t]*$/
const paragraph = /^ {0,3}[^\s>*+#|-]/

/** Headings, each with what stands below it. Three line patterns do not need a Markdown library. */
export const markdown: Language = {
  name: 'markdown',
  files: ['.md', '.markdown', '.mdx'],
  lexis: 'markup',
  read: ({ text }) => ({ parser: 'scanner', declarations: readHeadings(text) }),
  patterns: [],
}

function readHeadings(text: string): readonly Declaration[] {
  const sections: Section[] = []
  let at = 0
  let open = ''
  let previous = { text: '', at: 0 }
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1] ?? ''
    if (open !== '') {
      if (mark.startsWith(open) && line.trim() === mark) open = ''
    } else if (mark !== '') open = mark
    else {
      const heading = headingOf(line, at) ?? underlined(line, previous)
      if (heading !== undefined) sections.push(heading)
    }
    previous = { text: open === '' ? line : '', at }
    at += line.length + 1
  }
  return nestSections(text, sections, 'heading')
}

function headingOf(line: string, at: number): Section | undefined {
  const [, marks, name] = atx.exec(line) ?? []
  if (marks === undefined || name === undefined) return undefined
  return { name, level: marks.length, from: at, nameAt: at + line.indexOf(name) }
}

function underlined(line: string, previous: { text: string; at: number }): Section | undefined {
  const [, marks] = setext.exec(line) ?? []
  if (marks === undefined || !paragraph.test(previous.text)) return undefined
  const level = marks.startsWith('=') ? 1 : 2
  return { name: previous.text.trim(), level, from: previous.at, nameAt: previous.at }
}
