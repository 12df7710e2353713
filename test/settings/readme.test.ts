import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames, settingOf, variableOf } from '#src/settings/table.js'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

const where = { none: 'no', user: 'own', 'user and repository': 'own, repository' } as const

/** The rows of the table in README; how wide they are set is the formatter's. */
const rows = settingNames.map(name => {
  const { flag, about, initially, files } = settingOf(name)
  return `| \`${name}\` | \`${flag}\` | ${initially.replaceAll('<', '&lt;')} | ${where[files]} | ${about.replaceAll('<', '&lt;')} |`
})

test('README lists every setting as the table has it', () => {
  const section = readme.split('## Settings\n')[1]?.split('\n## ')[0] ?? ''
  const listed = section
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.replace(/ {2,}/g, ' '))
  console.log(`${listed.length} settings, ${rows.length} in the table`)
  expect(listed).toEqual(rows)
  expect(section).toContain(variableOf('max_level'))
})
