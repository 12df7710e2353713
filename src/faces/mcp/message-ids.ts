type Id = string | number

/** Who waits for something because of a message that is refused. */
export interface RefusedIds {
  /** Requests of the client, which are to be answered; null for one whose id is not to be found. */
  readonly asked: readonly (Id | null)[]
  /** Our own requests, whose answer it would have been. */
  readonly answered: readonly Id[]
}

/** The ids of a message, or of the messages of a list, as one reader of JSON reads them. A notification has none. */
export function refusedIds(value: object): RefusedIds {
  const identified = [value].flat().flatMap((message: unknown) => {
    if (typeof message !== 'object' || message === null || !('id' in message)) return []
    const { id } = message
    const isAnswer = 'result' in message || 'error' in message
    if (typeof id !== 'string' && typeof id !== 'number') return []
    return [{ id, isAnswer: isAnswer && !('method' in message) }]
  })
  return {
    asked: identified.filter(one => !one.isAnswer).map(({ id }) => id),
    answered: identified.filter(one => one.isAnswer).map(({ id }) => id),
  }
}

const id = /"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")\s*/.source
const scalar = /"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*/.source
const first = new RegExp(`^\\s*\\{\\s*(?:${scalar},\\s*)*${id}[,}]`)
// The bracket at the very end is that of the message itself.
const last = new RegExp(`[{,]\\s*${id}(?:,\\s*${scalar})*\\}\\s*$`)

/** The same of a message of which only the ends are known: its id stands near one of them, whoever writes it. */
export function idInEnds(head: string, tail: string): RefusedIds {
  const found = (first.exec(head) ?? last.exec(tail))?.[1]
  const known = found === undefined ? null : parseId(found)
  const isAnswer = !/"method"\s*:/.test(head.slice(0, 200) + tail.slice(-200))
  if (isAnswer) return { asked: [], answered: known === null ? [] : [known] }
  return { asked: [known], answered: [] }
}

function parseId(text: string): Id | null {
  try {
    return JSON.parse(text) as Id
  } catch {
    return null
  }
}
