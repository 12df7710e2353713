import { fieldsIn, sourcesOf, toHeader } from '../../commands/bind.js'
import type { Answer, Command, Route } from '../../commands/command.js'
import { catalogue } from '../../core/error-catalogue.js'
import { Refusal, type RefusalCode } from '../../core/errors.js'
import { readEvents } from './read-events.js'

type Fields = Readonly<Record<string, unknown>>

/** A server to ask instead of working in this process. */
export interface Remote {
  readonly url: string
  readonly token: string
}

/** Sends a command to a server, each field to the place that the command binds it to. */
export async function askServer(
  remote: Remote,
  command: Command,
  input: Fields,
  signal: AbortSignal,
): Promise<Answer> {
  const route = routeFor(command, input)
  const fields = without(input, Object.keys(route.preset ?? {}))
  const body = bodyOf(command, fields)
  const response = await fetch(new URL(targetOf(command, route, fields), remote.url), {
    method: route.method,
    headers: { ...headersOf(command, fields, body), authorization: `Bearer ${remote.token}` },
    ...(body !== undefined && { body }),
    redirect: 'error',
    signal,
  })
  return toAnswer(response)
}

/** The route whose presets say what the input says, else the first. */
function routeFor(command: Command, input: Fields): Route {
  const fits = (route: Route): boolean =>
    Object.entries(route.preset ?? {}).every(([field, value]) => (input[field] ?? false) === value)
  return command.routes.find(fits) ?? command.routes[0]
}

function targetOf(command: Command, route: Route, fields: Fields): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(fields[name] ?? '')),
  )
  const query = new URLSearchParams()
  for (const field of fieldsIn(command, 'query').filter(
    name => sourcesOf(command, name)[0] === 'query',
  )) {
    if (fields[field] !== undefined) query.set(field, String(fields[field]))
  }
  return query.size === 0 ? path : `${path}?${query}`
}

function headersOf(
  command: Command,
  fields: Fields,
  body: string | Uint8Array<ArrayBuffer> | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {}
  if (typeof body === 'string') headers['content-type'] = 'application/json'
  for (const [field, value] of Object.entries(fields)) {
    const [place = '', name = ''] = sourcesOf(command, field)[0]?.split(/:(.*)/) ?? []
    const said = place === 'header' ? toHeader(name, value) : undefined
    if (said !== undefined) headers[name] = said
    if (place === 'accept' && value === true) headers.accept = name
  }
  return headers
}

function bodyOf(command: Command, fields: Fields): string | Uint8Array<ArrayBuffer> | undefined {
  const [raw] = fieldsIn(command, 'raw-body')
  const bytes = raw === undefined ? undefined : fields[raw]
  if (bytes instanceof Uint8Array) return new Uint8Array(bytes)
  const json = fieldsIn(command, 'json').filter(field => sourcesOf(command, field)[0] === 'json')
  if (json.length === 0) return undefined
  return JSON.stringify(Object.fromEntries(json.map(field => [field, fields[field]])))
}

async function toAnswer(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type') ?? ''
  if (response.status === 304) return { kind: 'unchanged', headers: {} }
  if (!response.ok) throw await toRefusal(response)
  if (type === 'application/octet-stream') {
    return { kind: 'bytes', bytes: new Uint8Array(await response.arrayBuffer()), headers: {} }
  }
  if (type === 'text/event-stream' && response.body !== null) {
    return { kind: 'stream', events: readEvents(response.body) }
  }
  return { kind: 'value', value: await response.json(), status: response.status, headers: {} }
}

async function toRefusal(response: Response): Promise<Error> {
  const problem: unknown = await response.json().catch(() => undefined)
  if (typeof problem !== 'object' || problem === null || !('code' in problem)) {
    return new Error(`the server answered ${response.status}`)
  }
  const { code } = problem
  if (!isCode(code)) return new Error(`the server answered ${response.status} ${String(code)}`)
  const described = ['type', 'title', 'status', 'detail', 'instance', 'code', 'next_action']
  return new Refusal(code, without({ ...problem }, described), response.status)
}

function isCode(code: unknown): code is RefusalCode {
  return typeof code === 'string' && Object.hasOwn(catalogue, code)
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}
