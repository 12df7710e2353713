import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../core/errors.js'

/** The hosts that a request may name: host and port, or a host alone for any port. */
export type AllowedHosts = ReadonlySet<string>

/** The loopback names with our port, the address listened on, and the names that the operator added. */
export function allowedHosts(
  address: string,
  port: number,
  added: readonly string[],
): AllowedHosts {
  const bound = isWildcard(address) ? [] : [address.includes(':') ? `[${address}]` : address]
  const ours = ['127.0.0.1', 'localhost', '[::1]', ...bound].map(name => `${name}:${port}`)
  // Clients leave the port out where it is HTTP's own.
  const short = port === 80 ? ['127.0.0.1', 'localhost', '[::1]', ...bound] : []
  return new Set([...ours, ...short, ...added.map(name => name.toLowerCase())])
}

/** Refuses what did not name us (DNS rebinding) and what another site's page sent, with `BAD_HOST`. */
export function checkOrigin(incoming: IncomingMessage, allowed: AllowedHosts): void {
  const hosts = headerValues(incoming, 'host')
  const host = hosts[0]?.toLowerCase() ?? ''
  if (hosts.length !== 1 || !isAllowed(host, allowed)) throw new Refusal('BAD_HOST')
  if (incoming.url?.startsWith('/') !== true) throw new Refusal('BAD_HOST')
  if (!headerValues(incoming, 'origin').every(origin => isSameOrigin(origin, host))) {
    throw new Refusal('BAD_HOST')
  }
  const site = headerValues(incoming, 'sec-fetch-site')
  if (!site.every(value => value === 'same-origin' || value === 'none')) {
    throw new Refusal('BAD_HOST')
  }
}

/** Every value of a header as it was sent; Node's own view keeps one of several. */
function headerValues(incoming: IncomingMessage, name: string): readonly string[] {
  const { rawHeaders } = incoming
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}

function isAllowed(host: string, allowed: AllowedHosts): boolean {
  return allowed.has(host) || allowed.has(host.replace(/:\d{1,5}$/, ''))
}

function isSameOrigin(origin: string, host: string): boolean {
  const named = origin.toLowerCase()
  return named === `http://${host}` || named === `https://${host}`
}

function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}
