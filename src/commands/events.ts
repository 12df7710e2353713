import { z } from 'zod'
import { fixedLimits } from '../core/limits.js'
import type { EventLog, GatewayEvent } from '../gateway/telling/event-log.js'
import { ownWorktree } from './access.js'
import { gatewayEvent } from './answers/upkeep.js'
import { defineCommand, type StreamEvent } from './command.js'
import { worktreeField } from './fields.js'
import { stream } from './output.js'

/** What happens from now on, or since an event that was seen. */
export const events = defineCommand({
  name: 'events',
  summary:
    'Follow what happens: batches committed, files changed outside (drift), new worktrees set up, worktrees opened and closed.',
  input: z.strictObject({
    worktree: worktreeField
      .exactOptional()
      .describe('Only events of this worktree, by its full id.'),
    since: z
      .number()
      .int()
      .min(0)
      .exactOptional()
      .describe('Id of the last event seen; those after it come first.'),
  }),
  bind: { worktree: 'query', since: ['header:last-event-id', 'query'] },
  routes: [{ method: 'GET', path: '/v1/events' }],
  access: 'read',
  output: stream(gatewayEvent),
  run: async (gateway, input, { caller, signal }) => {
    const asked = input.worktree ?? (caller.kind === 'worktree' ? caller.id : undefined)
    const worktree = asked === undefined ? undefined : ownWorktree(caller, asked)
    return {
      kind: 'stream',
      events: follow(gateway.events, { worktree, since: input.since, signal }),
    }
  },
  render: () => '',
})

interface Following {
  readonly worktree: string | undefined
  readonly since: number | undefined
  readonly signal: AbortSignal
}

/** Ends when the signal says so, or when the reader is so slow that too many events wait for it. */
async function* follow(log: EventLog, following: Following): AsyncGenerator<StreamEvent> {
  const { worktree, since, signal } = following
  const waiting: GatewayEvent[] = since === undefined ? [] : [...log.since(since)]
  let wake = (): void => undefined
  const unsubscribe = log.subscribe(event => {
    waiting.push(event)
    wake()
  })
  const stop = (): void => wake()
  signal.addEventListener('abort', stop)
  try {
    while (!signal.aborted && waiting.length <= fixedLimits.waitingEvents) {
      const event = waiting.shift()
      if (event === undefined) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      } else if (worktree === undefined || (event.worktree ?? worktree) === worktree) {
        yield { id: String(event.id), type: event.type, data: event }
      }
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', stop)
  }
}
