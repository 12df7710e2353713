import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** The oldest version of each package without a known advisory that touches us. */
const floors: Readonly<Record<string, string>> = {
  '@babel/traverse': '7.23.2',
  '@hono/node-server': '2.0.10',
  '@modelcontextprotocol/sdk': '1.26.0',
  chokidar: '5.0.0',
  diff: '8.0.3',
  'fast-xml-parser': '5.11.1',
  hono: '4.12.34',
  'isomorphic-git': '1.44.19',
  jszip: '3.8.0',
  'simple-git': '3.36.0',
}

interface Entry {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
}

const lock: { readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
)

/** Every copy of every package, also those that others brought along. */
const copies = Object.entries(lock.packages)
  .filter(([path]) => path !== '')
  .map(([path, entry]) => ({ path, name: path.replace(/^.*node_modules\//, ''), ...entry }))

test('no copy of a package is older than its floor', () => {
  expect(copies.filter(({ name, version }) => isBelowFloor(name, version ?? '0'))).toEqual([])
})

test('every package is bound to its content', () => {
  expect(copies.filter(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([])
})

test('no package is bound to a place', () => {
  expect(copies.filter(({ resolved, link }) => resolved !== undefined || link)).toEqual([])
})

test('package.json names exact versions, so that the floors hold for users too', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const versions = Object.entries({ ...dependencies, ...devDependencies })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([])
})

describe('a version below its floor is seen', () => {
  test.each([
    ['diff', '8.0.2', true],
    ['diff', '8.0.3', false],
    ['diff', '8.0.3-beta.1', true],
    ['diff', '10.0.0', false],
    ['hono', '4.9.99', true],
    ['hono', '4.13.0', false],
    ['left-pad', '0.0.1', false],
  ])('%s %s: %s', (name, version, isBelow) => expect(isBelowFloor(name, version)).toBe(isBelow))
})

function isBelowFloor(name: string, version: string): boolean {
  const floor = floors[name]
  return floor !== undefined && compareVersions(version, floor) < 0
}

/** Less than, equal to or greater than 0; a pre-release comes before its release. */
function compareVersions(a: string, b: string): number {
  const [numbersA, numbersB] = [a, b].map(version => (version.split('-')[0] ?? '').split('.'))
  for (const at of [0, 1, 2]) {
    const difference = Number(numbersA?.[at] ?? 0) - Number(numbersB?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(b.includes('-')) - Number(a.includes('-'))
}
