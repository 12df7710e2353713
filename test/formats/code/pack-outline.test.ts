import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packOutline, unpackOutline } from '#src/formats/code/pack-outline.js'
import { outlineOf } from './outlines.js'

test.each([
  ['src/formats/code/read-outline.ts'],
  ['scripts/setup.mjs'],
  ['README.md'],
  ['package.json'],
])('the outline of %s is one line, and comes back from it whole', async path => {
  const outline = await outlineOf(path, readFileSync(path, 'utf8'))
  expect(outline.symbols.length).toBeGreaterThan(0)
  const line = packOutline(outline)
  expect(line).not.toContain('\n')
  expect(unpackOutline(line)).toEqual(outline)
})

test.each([
  ['a.ts', 'let = (\nfunction f() {}\n'],
  ['a.rs', '/// doc\n#[a]\npub async fn f() { ( }\n'],
  ['a.bin', 'x'],
])('notes and errors come back too: %s', async (path, text) => {
  const outline = await outlineOf(path, text)
  expect(unpackOutline(packOutline(outline))).toEqual(outline)
})

test('the symbols are not looked at before somebody asks for them', () => {
  const whole = packOutline({ language: 'typescript', parser: 'babel', symbols: [] })
  const torn = unpackOutline(`${whole.slice(0, -1)}` as typeof whole)
  expect(torn.language).toBe('typescript')
  expect(() => torn.symbols).toThrow(SyntaxError)
})
