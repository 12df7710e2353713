// A process with a gateway of its own that applies one batch and tells the receipt, or the refusal, on
// standard output. Its one argument is JSON: { options, agent, edits, key }.
import { defaultLimits } from '#src/core/limits.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import { Gateway } from '#src/gateway/gateway.js'

const { options, agent, edits, key } = JSON.parse(process.argv[2] ?? '')
const killSwitch = Reflect.get(globalThis, 'killSwitch')
const input = batchSchema.parse({ edits })

const gateway = await Gateway.open({ ...options, limits: defaultLimits, host: process.env })
const worktree = await gateway.worktree(agent)
killSwitch?.arm()
const answer = await worktree
  .apply(parseBatch(input, defaultLimits), { key, fingerprint: JSON.stringify(input) })
  .catch(error => ({ refused: error.code ?? String(error), ...error.data }))
killSwitch?.disarm()
await gateway.close()
process.stdout.write(`${JSON.stringify({ answer })}\n`)
