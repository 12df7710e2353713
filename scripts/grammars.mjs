// `npm run grammars`: fetches the tree-sitter grammars that src ships, at the versions named here. As npm
// dependencies these packages would bring 539 MB of native builds; of each only its .wasm is kept, gzipped.
// The notice beside them is written anew: package, version, hashes and licence texts.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root, stop } from './setup.mjs'

/** Each package with the languages it brings; `tree-sitter-<language>.wasm` is the file's name there. */
const packages = /** @type {const} */ ([
  ['tree-sitter-bash@0.25.1', ['bash']],
  ['tree-sitter-c@0.24.1', ['c']],
  ['tree-sitter-c-sharp@0.23.5', ['c_sharp']],
  ['tree-sitter-cpp@0.23.4', ['cpp']],
  ['tree-sitter-go@0.25.0', ['go']],
  ['tree-sitter-java@0.23.5', ['java']],
  ['tree-sitter-javascript@0.25.0', ['javascript']],
  ['@tree-sitter-grammars/tree-sitter-kotlin@1.1.0', ['kotlin']],
  ['tree-sitter-php@0.24.2', ['php']],
  ['tree-sitter-python@0.25.0', ['python']],
  ['tree-sitter-ruby@0.23.1', ['ruby']],
  ['tree-sitter-rust@0.24.0', ['rust']],
  ['tree-sitter-typescript@0.23.2', ['typescript', 'tsx']],
])

const grammars = join(root, 'src/formats/code/grammars')
const scratch = mkdtempSync(join(tmpdir(), 'editlatch-grammars-'))
mkdirSync(grammars, { recursive: true })
const notices = packages.map(([specifier, languages]) => takeGrammars(specifier, languages))
writeFileSync(join(grammars, 'NOTICE.md'), renderNotice(notices))
rmSync(scratch, { recursive: true })

/** @typedef {{ specifier: string, rows: string[], licence: string, text: string }} Notice */

/**
 * Unpacks one package and keeps its grammars.
 * @param {string} specifier
 * @param {readonly string[]} languages
 * @returns {Notice}
 */
function takeGrammars(specifier, languages) {
  const folder = mkdtempSync(join(scratch, 'package-'))
  const [packed] = JSON.parse(run('npm', ['pack', '--json', specifier], folder))
  run('tar', ['-xzf', packed.filename], folder)
  /** @param {string} name */
  const read = name => readFileSync(join(folder, 'package', name))
  const rows = languages.map(language => {
    const wasm = read(`tree-sitter-${language}.wasm`)
    writeFileSync(join(grammars, `${language}.wasm.gz`), gzipSync(wasm, { level: 9 }))
    return `| ${language} | ${specifier} | ${createHash('sha256').update(wasm).digest('hex')} |`
  })
  const licence = JSON.parse(read('package.json').toString()).license
  return { specifier, rows, licence, text: read('LICENSE').toString().trim() }
}

/** @param {readonly Notice[]} notices */
function renderNotice(notices) {
  const texts = notices.map(
    ({ specifier, licence, text }) => `## ${specifier} (${licence})\n\n${text}\n`,
  )
  return `# Grammars

WebAssembly grammars of tree-sitter, taken unchanged from the npm packages named here and gzipped by
\`npm run grammars\`. The hash is that of the file before gzip.

| grammar | package | sha256 |
|---|---|---|
${notices.flatMap(({ rows }) => rows).join('\n')}

${texts.join('\n')}`
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
