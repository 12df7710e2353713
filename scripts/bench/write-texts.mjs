// What every engine that is compared with does first.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitText } from '../replay/git.mjs'
import { changedTexts } from './changed-texts.mjs'

/**
 * Makes a linked worktree on a branch of its own and answers where it lies.
 * @param {import('./serve-engine.mjs').Setting} setting
 * @param {string} name
 */
export function addWorktree({ clone, folder, base }, name) {
  const path = join(folder, name)
  gitText(clone, ['worktree', 'add', '--quiet', '--no-track', '-b', `bench/${name}`, path, base])
  return path
}

/**
 * Writes the files of a batch and answers their paths.
 * @param {string} root
 * @param {readonly (readonly [path: string, text: string])[]} texts
 * @param {import('./serve-engine.mjs').BatchRequest} batch
 */
export function writeTexts(root, texts, batch) {
  return changedTexts(texts, batch).map(([path, text]) => {
    writeFileSync(join(root, path), text)
    return path
  })
}
