import fc from 'fast-check'
import { type Operation, operations, type Parameter } from '../../../support/api-document.js'
import { optional, valuesOf } from './schema-values.js'

/** A request before it is known what stands where. */
export interface DrawnRequest {
  readonly operation: Operation
  readonly token: 'server' | 'fuzz' | 'reader' | 'other'
  /** By place and name. */
  readonly parameters: readonly {
    readonly in: string
    readonly name: string
    readonly value: unknown
  }[]
  readonly body?: { readonly type: string; readonly value: unknown }
}

/** What has more ways to go wrong is asked more often. */
const weights: Readonly<Record<string, number>> = {
  edit: 20,
  'draft-commit': 12,
  write: 10,
  read: 8,
  symbols: 6,
}

/** What the schema lets be absent, but most requests need. */
const useful = ['if-match', 'path', 'query']

/** What speaks a protocol of its own has a suite of its own. */
export const asked = operations.filter(({ operationId }) => operationId !== 'mcp')

/** So many requests, to every operation at least four, in an order that the seed decides. */
export function drawRequests(seed: number, cases: number): readonly DrawnRequest[] {
  const weightOf = ({ operationId, parameters = [] }: Operation): number =>
    weights[operationId] ?? (parameters.length > 0 ? 4 : 1)
  const total = asked.reduce((sum, operation) => sum + weightOf(operation), 0)
  const drawn = asked.flatMap((operation, at) => {
    const numRuns = Math.max(4, Math.ceil((cases * weightOf(operation)) / total))
    return fc.sample(requestsTo(operation), { seed: seed + at, numRuns })
  })
  const shuffled = fc.shuffledSubarray(drawn, { minLength: drawn.length, maxLength: drawn.length })
  return fc.sample(shuffled, { seed, numRuns: 1 })[0] ?? []
}

function requestsTo(operation: Operation): fc.Arbitrary<DrawnRequest> {
  const tokens = fc.oneof(
    { weight: 12, arbitrary: fc.constant('server' as const) },
    { weight: 2, arbitrary: fc.constantFrom('fuzz' as const, 'reader' as const, 'other' as const) },
  )
  const parameters = (operation.parameters ?? []).map(parameter => {
    const { in: place, name, schema } = parameter
    return optional(valuesOf(schema, hintName(operation, name)), shareOf(operation, parameter)).map(
      value => ({ in: place, name, value }),
    )
  })
  return fc
    .tuple(tokens, fc.tuple(...parameters), bodies(operation))
    .map(([token, drawn, body]) => ({
      operation,
      token,
      parameters: drawn.filter(({ value }) => value !== undefined),
      ...(body?.value !== undefined && { body }),
    }))
}

/** What may stand in the body too is refused at both places. */
function shareOf({ requestBody }: Operation, { name, in: place, required }: Parameter): number {
  if (required) return 1
  const { properties } = requestBody?.content['application/json']?.schema ?? {}
  const isTwice = place === 'query' && Object.hasOwn({ ...(properties ?? {}) }, name)
  return isTwice ? 0.02 : useful.includes(name) ? 0.9 : 0.15
}

/** Only worktrees that were opened for that are closed, a map is of a directory, and the ids of events are numbers. */
function hintName({ operationId }: Operation, name: string): string {
  if (operationId === 'close' && name === 'worktree') return 'agent'
  if (operationId === 'map' && name === 'path') return 'directory'
  return operationId === 'events' ? `event ${name}` : name
}

function bodies({ requestBody }: Operation): fc.Arbitrary<DrawnRequest['body']> {
  if (requestBody === undefined) return fc.constant(undefined)
  const kinds = Object.entries(requestBody.content).map(([type, { schema }]) => {
    const values = schema === undefined ? fc.uint8Array({ maxLength: 40 }) : valuesOf(schema)
    const weight = type === 'application/json' ? 24 : 1
    return { weight, arbitrary: values.map(value => ({ type, value })) }
  })
  const broken = fc.constantFrom(
    { type: 'application/json', value: '{"edits": [' },
    { type: 'text/html', value: '{}' },
    undefined,
  )
  return fc.oneof(...kinds, { weight: 1, arbitrary: broken })
}
