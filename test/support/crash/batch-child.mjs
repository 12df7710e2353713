// A process with a gateway of its own that applies one batch, or reads one file where there are no edits, and
// tells the receipt, or the refusal, on standard output. What to do is JSON on standard input:
// { options, agent, edits, key, killAt, when }.
import { text } from 'node:stream/consumers'
import { defaultLimits } from '#src/core/limits.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import { Gateway } from '#src/gateway/gateway.js'

const { options, agent, edits, key, killAt, when } = JSON.parse(await text(process.stdin))
const killSwitch = Reflect.get(globalThis, 'killSwitch')

const gateway = await Gateway.open({ ...options, limits: defaultLimits, host: process.env })
const worktree = await gateway.worktree(agent)
killSwitch.arm(killAt, when)
const answer = await work().catch(error => ({
  refused: error.code ?? String(error),
  ...error.data,
}))
killSwitch.disarm()
await gateway.close()
process.stdout.write(`${JSON.stringify({ answer })}\n`)

async function work() {
  if (edits.length === 0) return { read: (await worktree.read(parseRepoPath('a.txt'))).oid }
  const input = batchSchema.parse({ edits })
  const fingerprint = JSON.stringify(input)
  return worktree.apply(parseBatch(input, defaultLimits), { key, fingerprint })
}
