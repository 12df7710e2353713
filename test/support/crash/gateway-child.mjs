// A process with a gateway of its own that does what it is told, one JSON line each: { id, agent, edits, key? }
// applies a batch, { id, agent, read } reads a file, { id, agent, open } opens the worktree. Each is answered by a line when it is done, in any order.
// It ends when its input does. Its one argument is JSON: the options of the gateway.
import { createInterface } from 'node:readline'
import { Refusal } from '#src/core/errors.js'
import { defaultLimits } from '#src/core/limits.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import { Gateway } from '#src/gateway/gateway.js'

const options = JSON.parse(process.argv[2] ?? '')
const gateway = await Gateway.open({ ...options, limits: defaultLimits, host: process.env })
tell({ id: 0 })

/** @type {Set<Promise<void>>} */
const underWay = new Set()
for await (const line of createInterface({ input: process.stdin })) {
  const work = answer(JSON.parse(line))
  underWay.add(work)
  work.finally(() => underWay.delete(work))
}
await Promise.all(underWay)
await gateway.close()

/** @param {{ id: number, agent: string, edits?: unknown, key?: string, read?: string, open?: true }} request */
async function answer({ id, agent, edits, key, read, open }) {
  try {
    if (open) await gateway.openWorktree({ agent })
    const worktree = await gateway.worktree(agent)
    if (read !== undefined) {
      const { oid, bytes } = await worktree.read(parseRepoPath(read))
      tell({ id, rev: oid, text: Buffer.from(bytes).toString('utf8') })
    } else if (open) tell({ id })
    else {
      const input = batchSchema.parse({ edits })
      const fingerprint = JSON.stringify(input)
      const keyed = key === undefined ? {} : { key, fingerprint }
      tell({ id, receipt: await worktree.apply(parseBatch(input, defaultLimits), keyed) })
    }
  } catch (error) {
    tell({ id, ...(error instanceof Refusal ? { refused: error } : { failed: String(error) }) })
  }
}

/** @param {object} fact */
function tell(fact) {
  process.stdout.write(`${JSON.stringify(fact)}\n`)
}
