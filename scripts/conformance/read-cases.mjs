import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {import('./types.mjs').Case} Case */
/** @typedef {import('./types.mjs').Files} Files */
/** @typedef {import('./types.mjs').Outcome} Outcome */

/** The file of the cases that have one file without a name. */
export const onlyFile = 'f.txt'

/**
 * Every case of the corpora: what users reported, then the tests of the peers.
 * @param {string} folder
 * @returns {readonly Case[]}
 */
export function readCases(folder) {
  const peers = readdirSync(join(folder, 'peers')).filter(name => name.endsWith('.jsonl'))
  return [
    ...readFailures(join(folder, 'failures.jsonl')),
    ...peers.flatMap(name =>
      readLines(join(folder, 'peers', name)).map(line => peerCase(line, name.slice(0, -6))),
    ),
  ]
}

/**
 * What users reported as going wrong somewhere.
 * @param {string} file
 * @returns {readonly Case[]}
 */
export function readFailures(file) {
  return readLines(file).map(failureCase)
}

/**
 * The objects of a file of JSON lines.
 * @param {string} file
 * @returns {any[]}
 */
export function readLines(file) {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line))
}

/**
 * @param {any} line
 * @returns {Case}
 */
function failureCase(line) {
  const { id, dialect, edit, expect } = line
  const before = textOf(line, 'before')
  const named = { ...line, before: undefined, after: undefined }
  const outcomes = [expect, ...(line.also_acceptable ?? [])].map(one => failureOutcome(one, before))
  return {
    id,
    peer: 'failures',
    dialect,
    before: new Map([[onlyFile, before]]),
    mode: edit.mode ?? '100644',
    links: new Set(),
    edit: typeof edit === 'string' ? undefined : edit,
    patch: typeof edit === 'string' ? edit : undefined,
    expect: named,
    policy: undefined,
    outcomes,
  }
}

/**
 * @param {any} expected
 * @param {Uint8Array} before
 * @returns {Outcome}
 */
function failureOutcome(expected, before) {
  if (expected.refuse !== undefined) return { refused: true }
  const swap = /^@same with (\S+) -> (\S+)$/.exec(expected.after ?? '')
  const after =
    swap === null
      ? textOf(expected, 'after')
      : bytesOf(new TextDecoder().decode(before).replace(swap[1] ?? '', () => swap[2] ?? ''))
  return { after: new Map([[onlyFile, after]]) }
}

/**
 * @param {any} line
 * @param {'before' | 'after'} field
 */
function textOf(line, field) {
  const base64 = line[`${field}_b64`]
  if (base64 !== undefined) return new Uint8Array(Buffer.from(base64, 'base64'))
  return bytesOf(generated(line[field]))
}

/** @param {string} text */
function generated(text) {
  const lines = /^@generate:(\d+) lines "(.*)"$/.exec(text)
  if (lines !== null) {
    const line = lines[2] ?? ''
    return Array.from(
      { length: Number(lines[1]) },
      (_, index) => `${line.replace('{i}', String(index))}\n`,
    ).join('')
  }
  const long = /^@generate:1 line of (\d+) chars "(.*)" repeated with "(.*)" in the middle$/.exec(
    text,
  )
  if (long === null) return text
  const half = (long[2] ?? '').repeat(Number(long[1]) / 2 / (long[2] ?? '').length)
  return `${half}${long[3]}${half}\n`
}

/**
 * @param {any} line
 * @param {string} peer
 * @returns {Case}
 */
function peerCase(line, peer) {
  const { id, edit, expect } = line
  const before = Object.entries(line.before ?? {})
  const after = line.after === undefined ? undefined : filesOf(line.after)
  return {
    id,
    peer,
    dialect: expect.dialect,
    before: filesOf(line.before ?? {}),
    mode: '100644',
    links: new Set(before.filter(([, file]) => file.symlink !== undefined).map(([path]) => path)),
    edit,
    patch: line['patch.txt'],
    expect,
    policy: expect.policy,
    outcomes: expect.error ? [{ refused: true }] : after === undefined ? [] : [{ after }],
  }
}

/**
 * @param {Record<string, any>} files
 * @returns {Files}
 */
export function filesOf(files) {
  return new Map(
    Object.entries(files).map(([path, file]) => [
      path,
      typeof file === 'string'
        ? bytesOf(file)
        : file.base64 === undefined
          ? bytesOf(file.symlink)
          : new Uint8Array(Buffer.from(file.base64, 'base64')),
    ]),
  )
}

/** @param {string} text */
function bytesOf(text) {
  return new TextEncoder().encode(text)
}
