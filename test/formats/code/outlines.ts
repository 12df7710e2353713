import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { CodeSymbol, Outline } from '#src/core/outline.js'
import { parseScript } from '#src/formats/code/babel.js'
import { readOutline } from '#src/formats/code/read-outline.js'
import { openGrammars } from '#src/formats/code/tree-sitter.js'

/** The grammars as they lie in the sources. */
const grammars = openGrammars({
  runtime: () => readFileSync('node_modules/web-tree-sitter/web-tree-sitter.wasm'),
  grammar: name => gunzipSync(readFileSync(`src/formats/code/grammars/${name}.wasm.gz`)),
})

export function outlineOf(path: string, text: string): Promise<Outline> {
  return readOutline({ path, text }, { ...grammars, parseScript })
}

/**
 * Symbols one a line, two spaces a level: `function name exported async 3-9`, with `@4` where the name
 * stands on another line than the first, and `doc 2` where a comment stands above.
 */
export function render(symbols: readonly CodeSymbol[], indent = ''): readonly string[] {
  return symbols.flatMap(symbol => {
    const { kind, name, flags, start_line: start, end_line: end } = symbol
    const range = start === end ? `${start}` : `${start}-${end}`
    const at = symbol.name_line === start ? '' : ` @${symbol.name_line}`
    const doc = symbol.doc_start_line === undefined ? '' : ` doc ${symbol.doc_start_line}`
    const line = `${indent}${[kind, name, ...flags, range].join(' ')}${at}${doc}`
    return [line, ...render(symbol.children, `${indent}  `)]
  })
}
