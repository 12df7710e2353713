// `npm run guard-history -- REPO... [--commits N]`: takes what real commits added to existing files as the new text of
// edits and tells how often it is taken for a slip (a placeholder, pasted line numbers or anchors, escaped breaks).
// Each hunk is looked at whole, and line by line up to 40 lines. Exit code 1 where anything was suspected.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findSuspicion } from '../dist/formats/text/suspect-text.js'
import { gitText } from './replay/git.mjs'
import { stop } from './setup.mjs'

const singleLines = 40

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commits: { type: 'string', default: '2000' } },
})
if (positionals.length === 0) stop('name at least one repository')
for (const given of positionals) look(resolve(process.env.INIT_CWD ?? process.cwd(), given))

/** @param {string} repository */
function look(repository) {
  const commits = gitText(repository, ['rev-list', '--no-merges', '-n', values.commits, 'HEAD'])
  const ids = commits.split('\n')
  const counts = { hunks: 0, lines: 0, suspected: 0 }
  for (const id of ids) {
    const asked = ['diff-tree', '-p', '-U0', '--root', '--no-renames', '--diff-filter=M', id]
    for (const { path, at, added } of hunksOf(gitText(repository, asked))) {
      counts.hunks += 1
      counts.lines += added.length
      const told = suspicionOf(repository, `${id}^:${path}`, path, at, added)
      if (told === undefined) continue
      counts.suspected += 1
      console.log(`  ${id.slice(0, 10)} ${path}:${at} ${told.kind}: ${told.text}`)
      process.exitCode = 1
    }
  }
  const { hunks, lines, suspected } = counts
  console.log(
    `${repository}: ${suspected} suspected of ${ids.length} commits, ${hunks} hunks, ${lines} lines`,
  )
}

/** @param {string} patch */
function* hunksOf(patch) {
  for (const file of patch.split(/^(?=diff --git )/m)) {
    const path = /^\+\+\+ b\/(.*?)\t?$/m.exec(file)?.[1]
    if (path === undefined) continue
    for (const hunk of file.split(/^(?=@@ )/m).slice(1)) {
      const at = Number(/^@@ -(\d+)/.exec(hunk)?.[1])
      const added = hunk
        .split('\n')
        .filter(line => line.startsWith('+'))
        .map(line => line.slice(1))
      if (added.length > 0) yield { path, at, added }
    }
  }
}

/**
 * The file is fetched only where the text alone would be suspect.
 * @param {string} repository @param {string} name @param {string} path @param {number} at @param {readonly string[]} added
 */
function suspicionOf(repository, name, path, at, added) {
  for (const text of [added.join('\n'), ...added.slice(0, singleLines)]) {
    const alone = findSuspicion({ path, text, file: '', at })
    if (alone === undefined && !/^\s*\d+/m.test(text)) continue
    const file = gitText(repository, ['show', name])
    const told = findSuspicion({ path, text, file, at })
    if (told !== undefined) return told
  }
  return undefined
}
