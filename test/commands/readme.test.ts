import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '#src/commands/registry.js'
import { toolList } from '#src/commands/tool-list.js'
import { dialectNames } from '#src/edit/dialects/registry.js'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** Scripts of those who work on Editlatch itself, and what is told otherwise. */
const ofDevelopment = [
  'bench:ladder',
  'check',
  'client',
  'format',
  'grammars',
  'guard-history',
  'prepack',
  'start',
  'test',
]

/** The first cells of the tables below a heading. */
function firstCells(heading: string): readonly string[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return section.split('\n').flatMap(line => /^\| (`.*?) +\| /.exec(line)?.[1] ?? [])
}

/** The calls of one cell: methods that stand alone have the path of the next one, three dots that of the one before. */
function callsOf(cell: string): readonly string[] {
  const calls: string[] = []
  let methods: string[] = []
  let lastPath = ''
  for (const [, said = ''] of cell.matchAll(/`([^`]+)`/g)) {
    const [, method, path] = /^([A-Z]+)? ?(\S*)$/.exec(said) ?? []
    if (method !== undefined && lastPath !== '') methods = []
    if (method !== undefined) methods.push(method)
    if (path === undefined || path === '') continue
    lastPath = path.replace('...', lastPath).replace(/\?.*/, '')
    calls.push(...methods.map(one => `${one} ${lastPath}`))
  }
  return calls
}

test('README lists every call of the commands, and no other', () => {
  const listed = firstCells('HTTP')
    .flatMap(callsOf)
    .filter(call => call.includes(' /v1/'))
  const there = commands.flatMap(({ routes }) =>
    routes.map(({ method, path }) => {
      const named = path.replace(':worktree', '{id}').replaceAll(/:(\w+)/g, '{$1}')
      return `${method} ${named}`
    }),
  )
  console.log(`${there.length} calls, ${listed.length} in README`)
  expect(listed.toSorted()).toEqual(there.toSorted())
})

test('README lists every dialect, and names every tool', () => {
  const dialects = firstCells('Ways to say an edit').map(cell => /^`(\w+)`/.exec(cell)?.[1])
  expect(dialects).toEqual(expect.arrayContaining([...dialectNames]))
  const section = readme.split('\n## MCP\n')[1]?.split('\n## ')[0] ?? ''
  const missing = toolList({}).filter(({ name }) => !section.includes(`\`${name}\``))
  expect(missing).toEqual([])
})

test('README tells of every script that measures or tries something, and of none that is not there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const told = new Set([...readme.matchAll(/`npm run ([\w:-]+)/g)].map(([, name]) => name))
  const untold = Object.keys(scripts).filter(name => !told.has(name))
  expect(untold.toSorted()).toEqual(ofDevelopment)
  expect([...told].filter(name => name === undefined || scripts[name] === undefined)).toEqual([])
})
