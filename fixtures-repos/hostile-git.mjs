// Git for the builder of the hostile repository, and objects that git itself would not write.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'

const person = { name: 'builder', email: 'builder@example.invalid', date: '1700000000 +0000' }

/**
 * Runs git without anybody's configuration and answers what it printed.
 * @param {string} cwd
 * @param {readonly string[]} args
 */
export function git(cwd, ...args) {
  const env = {
    PATH: process.env.PATH ?? '',
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_AUTHOR_DATE: person.date,
    GIT_COMMITTER_NAME: person.name,
    GIT_COMMITTER_EMAIL: person.email,
    GIT_COMMITTER_DATE: person.date,
  }
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${error?.message ?? stderr}`)
  return stdout.trim()
}

/**
 * Writes a loose object past every check of git, and answers its id.
 * @param {string} path
 * @param {'blob' | 'tree' | 'commit'} type
 * @param {string | Uint8Array} body
 */
export function writeObject(path, type, body) {
  const bytes = Buffer.from(body)
  const whole = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes])
  const oid = createHash('sha1').update(whole).digest('hex')
  const file = join(path, '.git/objects', oid.slice(0, 2), oid.slice(2))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, deflateSync(whole, { level: 1 }))
  return oid
}

/**
 * A tree of the given entries, in the given order and under the given names.
 * @param {string} path
 * @param {readonly (readonly [mode: string, name: string, oid: string])[]} entries
 */
export function writeTree(path, entries) {
  const lines = entries.map(([mode, name, oid]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
  )
  return writeObject(path, 'tree', Buffer.concat(lines))
}

/**
 * A commit with whatever stands in its headers and message.
 * @param {string} path
 * @param {{ tree: string, parent: string, message: string, author?: string, headers?: string }} commit
 */
export function writeCommit(path, { tree, parent, message, author = person.name, headers = '' }) {
  const written = `<${person.email}> ${person.date}`
  const lines = [`tree ${tree}`, `parent ${parent}`, `author ${author} ${written}`]
  const head = [...lines, `committer ${person.name} ${written}`].join('\n')
  return writeObject(path, 'commit', `${head}\n${headers}\n${message}`)
}

/**
 * Writes a ref as a file, whatever its name.
 * @param {string} path
 * @param {string} ref
 * @param {string} oid
 */
export function writeRef(path, ref, oid) {
  const file = join(path, '.git', ref)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${oid}\n`)
}
