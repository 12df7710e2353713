import { describe, expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { defaultLimits } from '#src/core/limits.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import { bytesOf, patchedBytes } from '../dialects/patched.js'
import { decisions } from './decisions-patches.js'
import { corpora, failureCases, type PatchCase, peerCases } from './patch-cases.js'

/** What became of a case, measured by what its source expects. */
type Score = 'pass' | 'refused' | 'otherwise'

interface Scored {
  readonly id: string
  readonly score: Score
  readonly told: string
  readonly policy: string | undefined
}

describe.skipIf(corpora === undefined)('the corpora (EDITLATCH_CORPORA)', () => {
  test('every binding patch of the peers does what it should, but for the decisions', async () => {
    const scores = await scoreAll(peerCases(corpora ?? ''))
    print('peers', scores)
    const decided = new Map(decisions.map(({ id, decision }) => [id, decision]))
    expect(scores.filter(({ id, score }) => (decided.get(id) ?? 'pass') !== score)).toEqual([])
    const known = new Set(scores.map(({ id }) => id))
    expect([...decided.keys()].filter(id => !known.has(id))).toEqual([])
  })

  test('every reported failure of patches ends as it should, and none does damage', async () => {
    const scores = await scoreAll(failureCases(corpora ?? ''))
    print('failures', scores)
    expect(scores.filter(({ score }) => score !== 'pass')).toEqual([])
  })
})

async function scoreAll(cases: readonly PatchCase[]): Promise<readonly Scored[]> {
  const scores: Scored[] = []
  for (const one of cases) {
    scores.push({ id: one.id, policy: one.policy, ...(await scoreOf(one)) })
  }
  return scores
}

async function scoreOf(one: PatchCase): Promise<Pick<Scored, 'score' | 'told'>> {
  try {
    if (one.after === undefined && !one.isRefused) return readAs(one)
    const after = await patchedBytes(one.files, one.patch, { dialect: one.dialect })
    if (isSame(after, one.after)) return { score: 'pass', told: 'as expected' }
    const texts = [...after.values()].map(bytes => bytes.toString('utf8'))
    const isAcceptable = texts.length === 1 && one.acceptable?.includes(texts[0] ?? '')
    return { score: isAcceptable ? 'pass' : 'otherwise', told: JSON.stringify(texts) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const isMeant = one.isRefused || one.acceptable?.includes(null)
    const { code, data } = error
    return { score: isMeant ? 'pass' : 'refused', told: JSON.stringify({ code, ...data }) }
  }
}

function isSame(after: ReadonlyMap<string, Buffer>, wanted: PatchCase['after']): boolean {
  if (wanted === undefined) return false
  const paths = Object.keys(wanted)
  return (
    paths.length === after.size &&
    paths.every(path => after.get(path)?.equals(bytesOf(wanted[path] ?? '')))
  )
}

/** Cases without files tell how a patch is read. */
function readAs({ patch, dialect, sections }: PatchCase): Pick<Scored, 'score' | 'told'> {
  const { ops } = parseBatch(batchSchema.parse({ dialect, patch }), defaultLimits)
  const read = ops.flatMap((op): readonly unknown[] => {
    if (op.op === 'write_file') return [{ type: 'add', path: op.path, contents: op.text }]
    if (op.op === 'delete_file') return [{ type: 'delete', path: op.path }]
    if (op.op !== 'apply_hunks') return []
    const move = ops.find(other => other.op === 'move_file' && other.path === op.path)
    const chunks = op.hunks.map(({ headers, lines, isAtEnd, looseLines }) => {
      const sides = lines.slice(0, isAtEnd ? lines.length - looseLines : lines.length)
      const side = (kind: string): string[] =>
        sides.filter(line => line.kind === kind || line.kind === 'context').map(line => line.text)
      return {
        context: headers.at(-1) ?? null,
        old: side('removed'),
        new: side('added'),
        eof: isAtEnd,
      }
    })
    return [
      { type: 'update', path: op.path, ...(move && 'to' in move && { move: move.to }), chunks },
    ]
  })
  const isSameReading = sections === undefined || JSON.stringify(read) === JSON.stringify(sections)
  return { score: isSameReading ? 'pass' : 'otherwise', told: JSON.stringify(read) }
}

function print(name: string, scores: readonly Scored[]): void {
  const why = new Map(decisions.map(decision => [decision.id, decision.why]))
  for (const kind of ['binding', 'policy'] as const) {
    const list = scores.filter(({ policy }) => (policy === undefined) === (kind === 'binding'))
    const count = (score: Score): number => list.filter(one => one.score === score).length
    console.info(
      `${name}, ${kind}: ${list.length} cases, ${count('pass')} pass, ${count('refused')} refused, ${count('otherwise')} otherwise`,
    )
  }
  for (const { id, score, told } of scores) {
    if (score !== 'pass') console.info(`  ${score} ${id}: ${why.get(id) ?? `OPEN ${told}`}`)
  }
}
