import { createHash } from 'node:crypto'
import { Refusal } from '../../dist/core/errors.js'
import { defaultLimits } from '../../dist/core/limits.js'
import { parseOid } from '../../dist/core/oid.js'
import { parseRepoPath } from '../../dist/core/repo-path.js'
import { memoryTree } from '../../dist/core/tree.js'
import { parseBatch } from '../../dist/edit/batch.js'
import { resolve } from '../../dist/edit/resolve.js'
import { filesOf } from './read-cases.mjs'

/** @typedef {import('./types.mjs').Case} Case */
/** @typedef {import('./types.mjs').Decision} Decision */
/** @typedef {import('./types.mjs').Files} Files */
/** @typedef {import('./types.mjs').Outcome} Outcome */
/** @typedef {import('./types.mjs').Request} Request */

/** Peers had no revisions; a commit that vouches for all files stands for "as they are now". */
const head = '1'.repeat(40)

/**
 * Runs every case of some families, in their order.
 * @param {readonly Case[]} cases
 * @param {readonly import('./types.mjs').Family[]} families
 * @param {ReadonlyMap<string, Decision>} decisions
 * @returns {Promise<readonly import('./types.mjs').Scored[]>}
 */
export async function scoreCases(cases, families, decisions) {
  const scored = []
  for (const family of families) {
    for (const one of cases.filter(family.takes)) {
      scored.push(await runCase(one, family, decisions.get(one.id)))
    }
  }
  return scored
}

/**
 * Runs one case and judges what came of it.
 * @param {Case} one
 * @param {import('./types.mjs').Family} family
 * @param {Decision | undefined} decision
 * @returns {Promise<import('./types.mjs').Scored>}
 */
async function runCase(one, family, decision) {
  const request = family.request(one)
  const scored = { one, family: family.name, decision }
  if (typeof request === 'string') return { ...scored, verdict: 'not an edit', note: request }
  if (decision?.decision === 'not_an_edit') {
    return { ...scored, verdict: 'not an edit', note: decision.why }
  }
  const before = request.before ?? one.before
  const choice = decision?.decision ?? (one.policy === undefined ? 'as_peer' : 'either')
  const accepted = acceptedOutcomes(request.outcomes ?? one.outcomes, choice, decision)
  if (accepted.length === 0) throw new Error(`${one.id} says no outcome`)
  const came = await run(request, before, one)
  const verdict = verdictOf(came, accepted, choice)
  return { ...scored, verdict, note: came.note }
}

/**
 * @param {Came} came
 * @param {readonly Outcome[]} accepted
 * @param {Decision['decision']} choice
 * @returns {import('./types.mjs').Scored['verdict']}
 */
function verdictOf(came, accepted, choice) {
  if (accepted.some(outcome => isRight(came, outcome))) return 'pass'
  if (!came.isRefused) return 'DAMAGE'
  return choice === 'either' ? 'declined' : 'refused'
}

/**
 * @param {Came} came
 * @param {Outcome} outcome
 */
function isRight({ isRefused, note, files, reading }, outcome) {
  if (isRefused) return outcome.refused === true && note.startsWith(outcome.code ?? '')
  if (files !== undefined) return outcome.after !== undefined && sameFiles(files, outcome.after)
  if (!('reading' in outcome)) return false
  return (
    outcome.reading === undefined || JSON.stringify(reading) === JSON.stringify(outcome.reading)
  )
}

/**
 * @param {readonly Outcome[]} outcomes
 * @param {Decision['decision']} choice
 * @param {Decision | undefined} decision
 * @returns {readonly Outcome[]}
 */
function acceptedOutcomes(outcomes, choice, decision) {
  if (decision?.after !== undefined) return [{ after: filesOf(decision.after) }]
  if (choice !== 'refuse') return outcomes
  const refusals = outcomes.filter(({ refused }) => refused)
  return refusals.length > 0 ? refusals : [{ refused: true }]
}

/**
 * @typedef {object} Came what came of a request: a refusal, files, or a reading
 * @property {boolean} isRefused
 * @property {string} note
 * @property {Files} [files]
 * @property {unknown} [reading]
 */

/**
 * @param {Request} request
 * @param {Files} before
 * @param {Case} one
 * @returns {Promise<Came>}
 */
async function run(request, before, one) {
  const { readOps } = request
  const isRefused = false
  try {
    const batches = request.batches.map(batch => parse(batch, request))
    if (readOps !== undefined) {
      const reading = readOps(batches.flatMap(({ ops }) => ops))
      return { isRefused, note: 'read', reading }
    }
    let files = before
    for (const batch of batches) {
      const tree = treeOf(files, one)
      const { changes } = await resolve(batch, tree, {
        limits: defaultLimits,
        allowProtected: ['**'],
        expectedTree: request.isStale ? treeOf(before, one) : tree,
      })
      files = changedFiles(files, changes, one)
    }
    return { isRefused, note: 'done', files }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { problem, problems } = error.data
    return { isRefused: true, note: `${error.code} ${problem ?? JSON.stringify(problems ?? '')}` }
  }
}

/**
 * @param {object} batch
 * @param {Request} request
 */
function parse(batch, { anchors }) {
  return parseBatch({ ...batch, expected_head: head }, defaultLimits, { anchors })
}

/**
 * @param {Files} files
 * @param {Case} one
 */
function treeOf(files, { mode, links }) {
  const blobs = [...files].map(([path, bytes]) => {
    const digest = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
    const blob = { oid: parseOid(digest), mode: links.has(path) ? '120000' : mode, bytes }
    return /** @type {const} */ ([parseRepoPath(path), blob])
  })
  return memoryTree(new Map(/** @type {any} */ (blobs)))
}

/**
 * @param {Files} files
 * @param {readonly import('../../dist/core/change.js').Change[]} changes
 * @param {Case} one
 * @returns {Files}
 */
function changedFiles(files, changes, { mode }) {
  const after = new Map(files)
  for (const change of changes) {
    after.delete(change.from ?? change.path)
    if (change.after === undefined) continue
    if (change.before !== undefined && change.after.mode !== mode) throw new Error('lost the mode')
    after.set(change.path, change.after.bytes)
  }
  return after
}

/**
 * @param {Files} files
 * @param {Files} others
 */
function sameFiles(files, others) {
  return (
    files.size === others.size &&
    [...files].every(([path, bytes]) => {
      const other = others.get(path)
      return other !== undefined && Buffer.compare(bytes, other) === 0
    })
  )
}
