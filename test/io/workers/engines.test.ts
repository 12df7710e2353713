import { expect, test } from 'vitest'
import { readSources } from '../../support/source-file.js'

/** What stands in the files that one file loads when it starts, packages among it. */
function loadedBy(entry: string): ReadonlySet<string> {
  const byPath = new Map(readSources('src').map(source => [source.path, source]))
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const { target, specifier, typeOnly } of byPath.get(path)?.imports ?? []) {
      if (!typeOnly) visit(target ?? specifier)
    }
  }
  visit(entry)
  return seen
}

const engines = ['@babel/parser', 'web-tree-sitter']

test('a command starts without loading a parser', () =>
  expect(engines.filter(name => loadedBy('main.ts').has(name))).toEqual([]))

test('the thread that parses loads them', () =>
  expect(engines.filter(name => loadedBy('io/workers/parser-thread.ts').has(name))).toEqual(
    engines,
  ))
