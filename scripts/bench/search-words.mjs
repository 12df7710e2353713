// Texts and patterns to search a repository for: from what its own files say, the same for the same files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitText } from '../replay/git.mjs'

const sampledFiles = 300
const most = 20_000

/**
 * A frequent, a middling and a rare word of a worktree, and patterns around them.
 * @param {string} path
 */
export function pickSearches(path) {
  const files = gitText(path, ['ls-files', '*.ts', '*.tsx', '*.js', '*.vue']).split('\n')
  const step = Math.max(1, Math.floor(files.length / sampledFiles))
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (let at = 0; at < files.length; at += step) {
    const text = readFileSync(join(path, files[at] ?? ''), 'utf8').slice(0, most)
    for (const [word] of text.matchAll(/\b[A-Za-z]{5,}\b/g)) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)]?.[0] ?? 'export'
  const [frequent, middling, rare] = [at(0.002), at(0.1), at(0.9)]
  return {
    literal: [frequent, middling, rare],
    regex: [
      `\\b${middling}\\w*\\(`,
      `^import .*${rare}`,
      '[a-z]+_[a-z]+_[a-z]+_handler',
      `(?:${frequent}|${rare})\\s*[:=]`,
    ],
  }
}
