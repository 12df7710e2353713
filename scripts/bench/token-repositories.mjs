// The commits of `npm run bench:tokens` as repositories to work in: each with the trees that its commits start from.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildDemoRepository } from '../../fixtures-repos/demo.mjs'
import { gitBytes, gitText } from '../replay/git.mjs'
import { blocksOf } from './token-edits.mjs'

/** @typedef {import('./small-commits.mjs').SmallCommit} SmallCommit */
/** @typedef {import('./token-edits.mjs').ChangedFile & { readonly blocks: readonly import('./token-edits.mjs').Block[] }} CommitFile */
/** @typedef {{ readonly name: string, readonly source: string, readonly commits: readonly SmallCommit[] }} Listed */

const listed = new URL('./token-commits.json', import.meta.url)

/**
 * The listed repositories that a folder of bare clones holds, as `owner+name/repo`; the small shipped one where it holds none.
 * @param {string | undefined} mirror
 * @param {string} scratch
 * @returns {{ readonly repositories: readonly Listed[], readonly absent: readonly string[] }}
 */
export function listRepositories(mirror, scratch) {
  /** @type {{ repositories: readonly { name: string, commits: readonly SmallCommit[] }[] }} */
  const { repositories } = JSON.parse(readFileSync(listed, 'utf8'))
  const placed = repositories.map(one => ({
    ...one,
    source: join(mirror ?? '', one.name.replace('/', '+'), 'repo'),
  }))
  const present = placed.filter(({ source }) => mirror !== undefined && existsSync(source))
  const absent = placed.filter(one => !present.includes(one)).map(({ name }) => name)
  if (present.length > 0) return { repositories: present, absent }
  const source = join(scratch, 'demo')
  buildDemoRepository(source)
  return { repositories: [{ name: 'demo', source, commits: demoChanges(source) }], absent }
}

/**
 * Every commit of the small repository that modifies a file.
 * @param {string} source
 * @returns {readonly SmallCommit[]}
 */
function demoChanges(source) {
  const log = gitText(source, ['log', '--diff-filter=M', '--format=%H %P'])
  return log.split('\n').map(line => {
    const [commit = '', parent = ''] = line.split(' ')
    return { commit, parent }
  })
}

/**
 * A commit without a past that holds the files of a commit's parent, in a repository of its own; a clone may lack some
 * large ones, which are left out. Answers its id.
 * @param {string} source
 * @param {string} place
 * @param {string} parent
 * @returns {string}
 */
export function plantParent(source, place, parent) {
  if (!existsSync(place)) gitText(join(place, '..'), ['init', '--quiet', '-b', 'main', place])
  const walk = [
    'rev-list',
    '--objects',
    '--no-object-names',
    '--no-walk',
    '--missing=print',
    parent,
  ]
  const objects = gitText(source, walk).split('\n')
  const absent = new Set(objects.flatMap(line => (line.startsWith('?') ? [line.slice(1)] : [])))
  const wanted = objects.filter(line => !line.startsWith('?')).join('\n')
  const pack = gitBytes(source, ['pack-objects', '-q', '--stdout'], wanted)
  gitText(place, ['index-pack', '--stdin'], pack)
  gitText(place, ['read-tree', parent])
  const entries = gitText(place, ['ls-files', '-s', '-z']).split('\0')
  const gone = entries.filter(entry => absent.has(entry.split(' ')[1] ?? ''))
  const paths = gone.map(entry => `${entry.slice(entry.indexOf('\t') + 1)}\0`).join('')
  gitText(place, ['update-index', '-z', '--force-remove', '--stdin'], paths)
  const tree = gitText(place, ['write-tree'])
  const base = gitText(place, ['commit-tree', '-m', parent, tree])
  gitText(place, ['update-ref', 'refs/heads/main', base])
  gitText(place, ['update-ref', `refs/heads/base-${parent.slice(0, 12)}`, base])
  return base
}

/**
 * The files that a commit changes. Undefined where one is not UTF-8 with LF breaks.
 * @param {string} source
 * @param {SmallCommit} commit
 * @returns {readonly CommitFile[] | undefined}
 */
export function changedFiles(source, { commit, parent }) {
  const names = gitText(source, [
    'diff-tree',
    '-r',
    '-z',
    '--name-only',
    '--diff-filter=M',
    parent,
    commit,
  ])
  const files = names.split('\0').flatMap(path => {
    if (path === '') return []
    const [before, after] = [parent, commit].map(one => blobText(source, `${one}:${path}`))
    const diff = gitText(source, ['diff', '-U0', '--no-ext-diff', parent, commit, '--', path])
    return [{ path, before: before ?? '\r', after: after ?? '\r', blocks: blocksOf(diff) }]
  })
  return files.some(({ before, after }) => /[\r\ufffd]/.test(before + after)) ? undefined : files
}

/**
 * @param {string} source
 * @param {string} name
 */
function blobText(source, name) {
  return gitBytes(source, ['cat-file', 'blob', name]).toString('utf8')
}
