// The definitions that the tag queries of tree-sitter's own grammars find: an independent word on what a file declares.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Language, Parser, Query } from 'web-tree-sitter'
import { languageOf } from '../../dist/formats/code/registry.js'
import { root, stop } from '../setup.mjs'

/** @typedef {import('./symbols-sources.mjs').Source} Source */
/** @typedef {import('./symbols-compare.mjs').Tag} Tag */

/** Each grammar with the packages whose queries it is asked, at the versions that are shipped. */
const packages = {
  c: ['tree-sitter-c@0.24.1'],
  c_sharp: ['tree-sitter-c-sharp@0.23.5'],
  cpp: ['tree-sitter-cpp@0.23.4'],
  go: ['tree-sitter-go@0.25.0'],
  java: ['tree-sitter-java@0.23.5'],
  javascript: ['tree-sitter-javascript@0.25.0'],
  php: ['tree-sitter-php@0.24.2'],
  python: ['tree-sitter-python@0.25.0'],
  ruby: ['tree-sitter-ruby@0.23.1'],
  rust: ['tree-sitter-rust@0.24.0'],
  typescript: ['tree-sitter-javascript@0.25.0', 'tree-sitter-typescript@0.23.2'],
  tsx: ['tree-sitter-javascript@0.25.0', 'tree-sitter-typescript@0.23.2'],
}

/**
 * Answers what tells the definitions of a file, undefined where there are no queries for its language.
 * @returns {Promise<(source: Source) => readonly Tag[] | undefined>}
 */
export async function openTagQueries() {
  await Parser.init()
  /** @type {Map<string, { parser: Parser, query: Query }>} */
  const engines = new Map()
  for (const [grammar, specifiers] of Object.entries(packages)) {
    const wasm = readFileSync(join(root, `src/formats/code/grammars/${grammar}.wasm.gz`))
    const language = await Language.load(gunzipSync(wasm))
    const parser = new Parser()
    parser.setLanguage(language)
    const query = new Query(language, specifiers.map(readTags).join('\n'))
    engines.set(grammar, { parser, query })
  }
  return source => {
    const engine = engines.get(grammarOf(source.path) ?? '')
    return engine && definitionsOf(source, engine)
  }
}

/**
 * @param {string} path
 * @returns {string | undefined}
 */
function grammarOf(path) {
  if (/\.[jt]sx$/.test(path)) return path.endsWith('tsx') ? 'tsx' : 'javascript'
  return languageOf(path)?.name.replace('-', '_')
}

/**
 * @param {Source} source
 * @param {{ parser: Parser, query: Query }} engine
 * @returns {readonly Tag[]}
 */
function definitionsOf({ path, text }, { parser, query }) {
  const tree = parser.parse(text)
  if (tree === null) return []
  const found = query.matches(tree.rootNode).flatMap(({ captures }) => {
    const name = captures.find(one => one.name === 'name')?.node
    const definition = captures.find(one => one.name.startsWith('definition.'))
    if (name === undefined || definition === undefined) return []
    const kind = definition.name.replace('definition.', '')
    return [{ path, name: name.text, line: name.startPosition.row + 1, kind }]
  })
  tree.delete()
  // Several patterns may find one definition.
  return [...new Map(found.map(tag => [`${tag.line} ${tag.name}`, tag])).values()]
}

/** @type {Map<string, string>} */
const fetched = new Map()

/**
 * The queries of one package.
 * @param {string} specifier
 * @returns {string}
 */
function readTags(specifier) {
  const known = fetched.get(specifier)
  if (known !== undefined) return known
  const folder = mkdtempSync(join(tmpdir(), 'editlatch-tags-'))
  const [packed] = JSON.parse(run('npm', ['pack', '--json', specifier], folder))
  run('tar', ['-xzf', packed.filename, 'package/queries/tags.scm'], folder)
  const text = readFileSync(join(folder, 'package/queries/tags.scm'), 'utf8')
  rmSync(folder, { recursive: true })
  fetched.set(specifier, text)
  return text
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function run(command, args, cwd) {
  const { status, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) stop(`${command} ${args.join(' ')} failed`)
  return stdout
}
