// Says a commit as one message of a model: prose, and a fence for each file.
import { cQuote } from '#src/core/quote-path.js'
import { growContexts, placesOf } from './grow-context.mjs'
import { joined, textChange, unsayable } from './said-file.mjs'

/** @typedef {import('./said-file.mjs').TextLine} TextLine */

/** @type {import('./said-file.mjs').Dialect} */
export const markdown = {
  name: 'markdown',
  view: 'plain',
  moves: false,
  modes: false,
  say: ({ path, rev, before, after, hunks }) => {
    if (after === undefined) return 'delete'
    if (before === undefined) return 'create'
    if (before.length === 0) return 'empty_file'
    const change = textChange(before, after, hunks, { keepsEnd: true })
    if (typeof change === 'string') return change
    const grown = growContexts(
      change,
      (search, _replace, current) => placesOf(search, current).length === 1,
    )
    const reason = unsayable(grown.flatMap(({ search, replace }) => [...search, ...replace]))
    if (reason !== undefined) return reason
    const blocks = grown.map(({ search, replace }) => blockOf(search, replace)).join('\n')
    const fence = '`'.repeat(Math.max(3, longestRun(blocks) + 1))
    const name = /^[\w./-]+$/.test(path) ? path : cQuote(path)
    return {
      parts: [`${fence}edit:${name} rev:${rev}\n${blocks}\n${fence}\n`],
      ops: grown.length,
    }
  },
  join: files => ({
    dialect: 'markdown',
    patch: [
      'I have looked at the files. These are the changes:\n',
      ...files.flatMap(({ said }) => said.parts),
      'Each of them is `done`; nothing else was touched.\n',
    ].join('\n'),
  }),
}

/**
 * @param {readonly TextLine[]} search
 * @param {readonly TextLine[]} replace
 */
function blockOf(search, replace) {
  const body = [...search, ...replace].map(({ text }) => text?.trimEnd() ?? '')
  let length = 7
  while (body.some(line => markers(length).includes(line))) length += 1
  const [open, middle, close] = markers(length)
  return `${open}\n${closed(search)}${middle}\n${closed(replace)}${close}`
}

/** @param {number} length */
function markers(length) {
  return [`${'<'.repeat(length)} SEARCH`, '='.repeat(length), `${'>'.repeat(length)} REPLACE`]
}

/** @param {readonly TextLine[]} lines */
function closed(lines) {
  return joined(lines.map(line => ({ ...line, break: '\n' })))
}

/** @param {string} text */
function longestRun(text) {
  return Math.max(0, ...[...text.matchAll(/^\s*(`+)/gm)].map(([, run = '']) => run.length))
}
