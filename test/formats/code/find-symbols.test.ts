import { expect, test } from 'vitest'
import { findSymbols } from '#src/formats/code/find-symbols.js'
import { outlineOf } from './outlines.js'

const text = `class Store {
  get size() { return 1 }
  set size(value) {}
  read() {
    const step = () => {}
  }
}
function read() {}
class Other {
  read() {}
}
describe('a/b [0]', () => {
  it('reads', () => {})
})
describe('a/b [0]', () => {})
`

test.each([
  ['Store', ['Store']],
  ['read', ['Store/read', 'read', 'Other/read']],
  ['/read', ['read']],
  ['Store/read', ['Store/read']],
  ['/Store/read', ['Store/read']],
  ['read/step', ['Store/read/step']],
  ['Store/step', []],
  ['Store/size', ['Store/size[0]', 'Store/size[1]']],
  ['Store/size[1]', ['Store/size[1]']],
  ['size[2]', []],
  ['Store[0]/read[0]', ['Store/read']],
  ['read@L4', ['Store/read']],
  ['read@L8', ['read']],
  ['read@L5', []],
  ['reads', ['a/b [0][0]/reads']],
  ['a/b [0]', ['a/b [0][0]', 'a/b [0][1]']],
  ['a/b [0][1]', ['a/b [0][1]']],
  ['/a/b [0][0]/reads', ['a/b [0][0]/reads']],
  ['ead', []],
  ['', []],
  ['/', []],
  ['@L1', []],
])('%j means %j', async (query, paths) => {
  const { symbols } = await outlineOf('a.js', text)
  expect(findSymbols(symbols, query).map(({ name_path: path }) => path)).toEqual(paths)
})

test('every symbol is found alone by its name path', async () => {
  const { symbols } = await outlineOf('a.js', text)
  const paths = [
    'Store',
    'Store/size[0]',
    'Store/size[1]',
    'Store/read',
    'Store/read/step',
    'Other',
  ]
  const found = paths.map(path => findSymbols(symbols, `/${path}`).map(one => one.name_path))
  expect(found).toEqual(paths.map(path => [path]))
})
