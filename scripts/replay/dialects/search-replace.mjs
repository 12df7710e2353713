// Says a file as texts and what shall stand there instead, as the tools of many agents take them.
import { growContexts } from './grow-context.mjs'
import { joined, textChange, unsayable, wholeText } from './said-file.mjs'

/** @typedef {import('./said-file.mjs').TextLine} TextLine */

/** @type {import('./said-file.mjs').Dialect} */
export const searchReplace = {
  name: 'search_replace',
  view: 'plain',
  moves: false,
  modes: false,
  say: ({ path, rev, before, after, hunks }) => {
    if (after === undefined) return 'delete'
    if (before === undefined || before.length === 0) return create(path, rev ?? null, after)
    const change = textChange(before, after, hunks, { keepsEnd: false })
    if (typeof change === 'string') return change
    const grown = growContexts(change, (search, replace, current) =>
      isOnce(textsOf(search, replace)[0], joined(current)),
    )
    const reason = unsayable(grown.flatMap(({ search, replace }) => [...search, ...replace]))
    if (reason !== undefined) return reason
    const parts = grown.map(({ search, replace }) => {
      const [find, text] = textsOf(search, replace)
      return { path, expected_rev: rev, old_string: find, new_string: text }
    })
    return { parts, ops: parts.length }
  },
  join: files => ({
    dialect: 'search_replace',
    edits: files.flatMap(({ said }) => said.parts),
  }),
}

/**
 * @param {string} path
 * @param {string | null} rev
 * @param {Buffer} bytes
 */
function create(path, rev, bytes) {
  const whole = wholeText(bytes)
  if (typeof whole === 'string') return whole
  if (whole.text === '') return 'empty_file'
  const edit = { path, expected_rev: rev, old_string: '', new_string: whole.text }
  return { parts: [edit], ops: 1 }
}

/**
 * Both texts as a person would mark them, without the break at the end that both have.
 * @param {readonly TextLine[]} search
 * @param {readonly TextLine[]} replace
 * @returns {readonly [find: string, text: string]}
 */
function textsOf(search, replace) {
  const [find, text] = [joined(search), joined(replace)]
  const isClosed = [find, text].every(one => one.endsWith('\n') && one.length > 1)
  return isClosed ? [find.slice(0, -1), text.slice(0, -1)] : [find, text]
}

/**
 * @param {string} find
 * @param {string} text
 */
function isOnce(find, text) {
  const first = text.indexOf(find)
  return text.indexOf(find, first + 1) < 0
}
