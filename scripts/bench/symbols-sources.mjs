// The source files of a git repository, as text.
import { spawnSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageOf } from '../../dist/formats/code/registry.js'
import { gitText } from '../replay/git.mjs'

/** @typedef {{ path: string, text: string }} Source */

const documents = ['markdown', 'json', 'jsonc', 'yaml', 'toml', 'css', 'html', 'sql', 'makefile']

/**
 * Tracked regular files in a language with functions, with LF breaks.
 * @param {string} folder
 * @returns {readonly Source[]}
 */
export function listSources(folder) {
  const paths = gitText(folder, ['ls-files', '-z']).split('\0')
  return paths.flatMap(path => {
    const language = languageOf(path)
    if (path === '' || language === undefined || documents.includes(language.name)) return []
    if (!lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile()) return []
    return [{ path, text: readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n') }]
  })
}

/**
 * What ctags says of the same files.
 * @param {string} folder
 * @param {readonly Source[]} sources
 */
export function runCtags(folder, sources) {
  const fields = ['--output-format=json', '--fields=+nKzsSe', '--extras=-F', '-f', '-', '-L', '-']
  const { stdout } = spawnSync('ctags', fields, {
    cwd: folder,
    input: sources.map(({ path }) => path).join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  return stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
}
