import type { StreamEvent } from '../../commands/command.js'
import { fixedLimits } from '../../core/limits.js'

/**
 * Server-sent events, with a comment now and then so that a dead connection is noticed. Events are
 * taken only as fast as the client reads them, until the signal says that it is over.
 */
export function eventStream(
  events: AsyncIterable<StreamEvent>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = events[Symbol.asyncIterator]()
  let heartbeat: NodeJS.Timeout | undefined
  let isOpen = true
  const stop = (): boolean => {
    const wasOpen = isOpen
    isOpen = false
    clearInterval(heartbeat)
    return wasOpen
  }
  return new ReadableStream<Uint8Array>({
    start: controller => {
      controller.enqueue(encoder.encode(': connected\n\n'))
      heartbeat = setInterval(() => {
        const isWaiting = (controller.desiredSize ?? 0) > 0
        if (isWaiting) controller.enqueue(encoder.encode(': still here\n\n'))
      }, fixedLimits.heartbeatMs)
      signal.addEventListener('abort', () => {
        if (stop()) controller.close()
      })
    },
    pull: async controller => {
      const next = await iterator.next()
      if (!isOpen) return
      if (next.done !== true) controller.enqueue(encoder.encode(eventText(next.value)))
      else if (stop()) controller.close()
    },
    cancel: async () => {
      stop()
      await iterator.return?.()
    },
  })
}

function eventText({ id, type, data }: StreamEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
