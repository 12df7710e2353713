// Opens an agent's worktree and materialises it, in a process that a test can kill.

import { defaultLimits } from '#src/core/limits.js'
import { Gateway } from '#src/gateway/gateway.js'
import { materialise } from '#src/gateway/materialise.js'

const { agent, ...options } = JSON.parse(process.argv[2] ?? '')
const gateway = await Gateway.open({ ...options, limits: defaultLimits, host: process.env })
await materialise(await gateway.worktree(agent), {})
await gateway.close()
