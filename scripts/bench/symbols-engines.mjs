// The parsers of this checkout, for scripts that read in their own thread.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseScript } from '../../dist/formats/code/babel.js'
import { openGrammars } from '../../dist/formats/code/tree-sitter.js'
import { root } from '../setup.mjs'

const grammars = openGrammars({
  runtime: () => readFileSync(join(root, 'node_modules/web-tree-sitter/web-tree-sitter.wasm')),
  grammar: name =>
    gunzipSync(readFileSync(join(root, `src/formats/code/grammars/${name}.wasm.gz`))),
})

export const benchEngines = { ...grammars, parseScript }
