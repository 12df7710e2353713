/** @typedef {import('./types.mjs').Decision} Decision */

/** What each decision means, in the order of the legend. */
const meanings = {
  as_peer: 'done, or refused, as the peer does',
  ours: 'done, with another result; the decision has it',
  refuse: 'refused',
  either: 'done with that result, or refused; never otherwise',
  not_an_edit: 'not run, for it is no edit',
}

/**
 * Every decision as one table of Markdown.
 * @param {ReadonlyMap<string, Decision>} decisions
 */
export function decisionsTable(decisions) {
  const rows = [...decisions.values()]
  const legend = Object.entries(meanings).map(([name, meaning]) => {
    const count = rows.filter(({ decision }) => decision === name).length
    return `- \`${name}\` (${count}): ${meaning}.`
  })
  const cells = rows.map(({ dialect, id, decision, why }) => [
    `\`${dialect}\``,
    `\`${id}\``,
    `\`${decision}\``,
    why.replaceAll('|', '\\|'),
  ])
  return [
    '# Decisions',
    '',
    'The tests of the peers do not agree with each other, and some leave the choice to who implements them. Each',
    'case whose outcome is not plainly what its source says stands here with what we do and why. This file is made',
    'of `decisions-*.jsonl` by `npm run conformance -- --write`.',
    '',
    ...legend,
    '',
    ...alignedTable([['dialect', 'case', 'decision', 'why'], ...cells]),
    '',
  ].join('\n')
}

/**
 * The rows with cells of one width a column, as the formatter writes a table.
 * @param {readonly (readonly string[])[]} rows
 */
function alignedTable(rows) {
  const [head = [], ...body] = rows
  const widths = head.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const rule = widths.map(width => '-'.repeat(width))
  return [head, rule, ...body].map(
    row => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
}
