import { fixedLimits } from '../core/limits.js'

/** One event of a stream. */
export interface ServerEvent {
  readonly id: string
  readonly data: unknown
}

/** The events of a server-sent stream until it ends; comments are signs of life and are passed over. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void> {
  // Not every browser can iterate over a stream.
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      if (rest.length > fixedLimits.clientEventChars) throw new Error('an event is too long')
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseEvent(block: string): ServerEvent | undefined {
  const fields = new Map(
    block.split('\n').map(line => {
      const [, name = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? []
      return [name, value]
    }),
  )
  const data = fields.get('data')
  return data === undefined ? undefined : { id: fields.get('id') ?? '', data: JSON.parse(data) }
}
