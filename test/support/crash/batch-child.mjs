// A process with a gateway of its own that applies one batch and tells the receipt, or the refusal, on
// standard output. Its one argument is JSON: { options, agent, batch, key }.
import { Gateway } from '#src/gateway/gateway.js'
import { defaultLimits } from '#src/core/limits.js'
import { parseBatch } from '#src/edit/batch.js'

const { options, agent, batch, key } = JSON.parse(process.argv[2] ?? '')
const killSwitch = Reflect.get(globalThis, 'killSwitch')

const gateway = await Gateway.open({ ...options, limits: defaultLimits, host: process.env })
const worktree = await gateway.worktree(agent)
killSwitch?.arm()
const answer = await worktree
  .apply(parseBatch(batch, defaultLimits), { key, fingerprint: JSON.stringify(batch) })
  .catch(error => ({ refused: error.code ?? String(error), ...error.data }))
const steps = killSwitch?.disarm()
await gateway.close()
process.stdout.write(`${JSON.stringify({ answer, steps })}\n`)
