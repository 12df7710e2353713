// Clients that hold a connection for as long as they can: they send a byte a second or read one.
import { connect } from 'node:net'

const byteMs = 1_000

/**
 * What they send at once; then they go on byte by byte.
 * @type {Readonly<Record<string, (path: string, head: string) => string>>}
 */
const beginnings = {
  'headers a byte a second': () => 'GET /healthz HTTP/1.1\r\nx-slow: ',
  'a body a byte a second': (path, head) =>
    `POST ${path}/batches HTTP/1.1\r\n${head}` +
    'content-type: application/json\r\ncontent-length: 100000\r\n\r\n{',
  'an answer read a byte a second': (path, head) => `GET ${path}/files HTTP/1.1\r\n${head}\r\n`,
}

/**
 * Opens as many as wanted, and a new one for each that the server hangs up on.
 * @param {string} url
 * @param {{ readonly agents: readonly { readonly base: string, readonly token: string }[], readonly count: number }} options
 * @returns {{ readonly counts: Record<string, number>, close: () => void }}
 */
export function openSlowClients(url, { agents, count }) {
  /** @type {Record<string, number>} */
  const counts = {}
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  let isClosed = false
  const kinds = Object.entries(beginnings)
  const open = (/** @type {number} */ number) => {
    const [kind, beginning] = kinds[number % kinds.length] ?? ['', () => '']
    // Each token may have but so many requests in flight.
    const { base, token } = agents[number % agents.length] ?? { base: '', token: '' }
    const { host } = new URL(url)
    const head = `host: ${host}\r\nauthorization: Bearer ${token}\r\n`
    const socket = connectSlowly(new URL(url), beginning(base, head), !kind.includes('read'))
    counts[kind] = (counts[kind] ?? 0) + 1
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      if (!isClosed) setTimeout(() => isClosed || open(number), 100)
    })
  }
  for (let number = 0; number < count; number += 1) open(number)
  const close = () => {
    isClosed = true
    for (const socket of sockets) socket.destroy()
  }
  return { counts, close }
}

/**
 * @param {URL} url
 * @param {string} beginning
 * @param {boolean} sends
 */
function connectSlowly({ hostname, port }, beginning, sends) {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(beginning)
  const drip = setInterval(() => {
    if (sends) socket.write('x')
    socket.read(1)
  }, byteMs)
  socket.on('close', () => clearInterval(drip))
  return socket
}
