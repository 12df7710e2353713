import type { ServerContext } from '@modelcontextprotocol/server'
import { fixedLimits } from '../../core/limits.js'

/** Does work and says now and then that it goes on, to a client that wants to hear it: else it would give up. */
export async function withProgress<T>(
  { mcpReq }: ServerContext,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return work()
  const startedMs = performance.now()
  const tell = (): void => {
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    const params = { progressToken, progress: seconds, message: `${what}: ${seconds} s` }
    // Who has gone away is told by its signal.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  const timer = setInterval(tell, fixedLimits.progressMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
