// A process with a gateway of its own that applies one batch, or reads one file where there are no edits, and
// tells the receipt, or the refusal, on standard output. Its one argument is JSON: { options, agent, edits, key }.
import { defaultLimits } from '#src/core/limits.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import { Gateway } from '#src/gateway/gateway.js'

const { options, agent, edits, key } = JSON.parse(process.argv[2] ?? '')
const killSwitch = Reflect.get(globalThis, 'killSwitch')

const gateway = await Gateway.open({ ...options, limits: defaultLimits, host: process.env })
const worktree = await gateway.worktree(agent)
killSwitch?.arm()
const answer = await work().catch(error => ({
  refused: error.code ?? String(error),
  ...error.data,
}))
killSwitch?.disarm()
await gateway.close()
process.stdout.write(`${JSON.stringify({ answer })}\n`)

async function work() {
  if (edits.length === 0) return { read: (await worktree.read(parseRepoPath('a.txt'))).oid }
  const input = batchSchema.parse({ edits })
  const fingerprint = JSON.stringify(input)
  return worktree.apply(parseBatch(input, defaultLimits), { key, fingerprint })
}
