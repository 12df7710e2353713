// The programs that the hostile repository plants. Each adds its name to the log and does no harm.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What each does after it has told that it ran; others end well without a word. */
const bodies = {
  fsmonitor: "printf 'tok\\0/\\0'",
  'filter-clean': 'cat',
  'filter-smudge': 'cat',
  'filter-process': 'exit 1',
  'diff-external': 'echo external-diff',
  'diff-command': 'echo driver-diff',
  textconv: 'cat "$1"',
  'merge-driver': '',
  pager: 'cat',
  'pager-cmd': 'cat',
  editor: '',
  'sequence-editor': '',
  sshcommand: 'exit 1',
  gitproxy: 'exit 1',
  askpass: 'echo x',
  credhelper: '',
  uploadpack: 'exit 1',
  receivepack: 'exit 1',
  'ext-transport': 'exit 1',
  gpg: 'exit 1',
  'gpg-ssh': 'exit 1',
  alias: '',
  alternaterefs: '',
  'trailer-cmd': 'echo pwned',
  'trailer-command': 'echo pwned',
  'included-fsmon': 'cat',
  'wtconfig-fsmon': "printf 'tok\\0/\\0'",
  'barerepo-fsmon': "printf 'tok\\0/\\0'",
  'gc-hook': '',
  'submodule-update': '',
  difftool: '',
  mergetool: '',
  'config-hook': '',
}

/** Every hook that git knows. */
export const hookNames = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'p4-changelist',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-receive',
  'post-rewrite',
  'post-update',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'pre-receive',
  'prepare-commit-msg',
  'proc-receive',
  'push-to-checkout',
  'reference-transaction',
  'sendemail-validate',
  'update',
]

/**
 * Writes them all to `bin` of the directory.
 * @param {string} directory
 * @param {string} log
 */
export function plantPrograms(directory, log) {
  mkdirSync(join(directory, 'bin'))
  for (const [name, body] of Object.entries(bodies)) {
    plantProgram(join(directory, 'bin', name), name, log, body)
  }
}

/**
 * A script that adds its name to the log and then does what `body` says.
 * @param {string} file
 * @param {string} name
 * @param {string} log
 * @param {string} [body]
 */
export function plantProgram(file, name, log, body = '') {
  writeFileSync(file, `#!/bin/sh\necho '${name}' >>'${log}'\n${body}\n`, { mode: 0o755 })
}
