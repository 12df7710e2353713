import type { Places, Route } from './ask.js'

type Fields = Readonly<Record<string, unknown>>

/** A request that can be sent again and again. */
export interface Request {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** The request that says an input, each field in its place. Throws a `TypeError` for a field that there is not, or that is missing. */
export function buildRequest(places: Places, input: Fields): Request {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const stranger = given.find(([name]) => !Object.hasOwn(places.fields, name))
  if (stranger !== undefined) throw new TypeError(`${places.command} has no field ${stranger[0]}`)
  const route = routeFor(places, input)
  const said = given.filter(([name]) => !Object.hasOwn(route.preset ?? {}, name))
  const at = (place: string): Fields =>
    Object.fromEntries(said.filter(([name]) => places.fields[name] === place))
  const body = bodyOf(places, at)
  return {
    method: route.method,
    target: targetOf(places, route, at),
    headers: {
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...(typeof body === 'object' && { 'content-type': 'application/octet-stream' }),
      ...headersOf(places, said),
    },
    ...(body !== undefined && { body }),
  }
}

/** The route whose presets say what the input says, else the first. */
function routeFor({ routes }: Places, input: Fields): Route {
  const fits = ({ preset = {} }: Route): boolean =>
    Object.entries(preset).every(([field, value]) => (input[field] ?? false) === value)
  return routes.find(fits) ?? routes[0]
}

function targetOf(places: Places, { path }: Route, at: (place: string) => Fields): string {
  const named = at('path')
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = named[name]
    if (value === undefined || value === '') throw new TypeError(`${places.command} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const query = Object.entries(at('query')).map(
    ([name, value]) => `${name}=${encodeURIComponent(queryText(value))}`,
  )
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

/** Several texts stand on a line each. */
function queryText(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value)
}

function bodyOf(
  { fields }: Places,
  at: (place: string) => Fields,
): string | Uint8Array<ArrayBuffer> | undefined {
  const [raw] = Object.values(at('raw-body'))
  if (raw instanceof Uint8Array) return new Uint8Array(raw)
  return Object.values(fields).includes('json') ? JSON.stringify(at('json')) : undefined
}

function headersOf(
  { fields }: Places,
  said: readonly (readonly [string, unknown])[],
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [field, value] of said) {
    const [place = '', name = ''] = fields[field]?.split(/:(.*)/) ?? []
    if (place === 'header' && value !== false) headers[name] = headerText(name, value)
    if (place === 'accept' && value === true) headers.accept = name
  }
  return headers
}

/** A revision stands in double quotes in the headers that are made for it. */
function headerText(name: string, value: unknown): string {
  const isTag = name === 'if-match' || name === 'if-none-match'
  if (!isTag) return String(value)
  return value === true || value === '*' ? '*' : `"${value}"`
}
