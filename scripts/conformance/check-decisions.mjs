/** @typedef {import('./types.mjs').Decision} Decision */
/** @typedef {import('./types.mjs').Scored} Scored */

/**
 * The cases of policy that nobody has decided.
 * @param {readonly Scored[]} scored
 */
export function undecided(scored) {
  return scored.filter(
    ({ one, decision, verdict }) =>
      one.policy !== undefined && decision === undefined && verdict !== 'not an edit',
  )
}

/**
 * Decisions that are about no case, say nothing that the case does not say itself, or are not what comes of it.
 * @param {readonly Scored[]} scored
 * @param {ReadonlyMap<string, Decision>} decisions
 * @returns {readonly string[]}
 */
export function staleDecisions(scored, decisions) {
  return [...decisions.values()].flatMap(decision => {
    const own = scored.filter(one => one.decision === decision)
    const problem = own.length === 0 ? 'is about no case' : own.map(problemOf).find(Boolean)
    return problem === undefined ? [] : [`decision ${decision.id}: ${problem}`]
  })
}

/**
 * @param {Scored} scored
 * @returns {string | undefined}
 */
function problemOf({ one, decision, verdict, note }) {
  const choice = decision?.decision
  if (choice !== 'not_an_edit' && verdict === 'not an edit') return 'the case is no edit'
  if (one.policy === undefined && choice === 'as_peer') return 'the case is binding'
  if (one.policy === undefined && choice === 'refuse' && isRefusal(one)) return 'the case says so'
  if (verdict === 'refused' || verdict === 'DAMAGE') return `${verdict}: ${note}`
  return undefined
}

/** @param {Scored['one']} one */
function isRefusal({ outcomes }) {
  return outcomes.length > 0 && outcomes.every(({ refused }) => refused === true)
}
