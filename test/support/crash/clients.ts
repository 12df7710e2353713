import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { defaultLimits } from '#src/core/limits.js'
import type { Receipt } from '#src/core/receipt.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import { batchSchema, parseBatch } from '#src/edit/batch.js'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { Gateway, type GatewayOptions } from '#src/gateway/gateway.js'
import type { Worktree } from '#src/gateway/worktree.js'
import type { Served } from '../../faces/cli/run.js'

/** What became of a batch. */
export type Outcome =
  | { readonly receipt: Receipt }
  | { readonly refused: Readonly<Record<string, unknown>> }

/** One way to work for an agent: a gateway in this process, one in another process, or a server. */
export interface Client {
  read(path: string): Promise<{ readonly rev: string; readonly text: string }>
  /** Anything but a receipt or a refusal is thrown. */
  apply(edits: readonly EditInput[], key?: string): Promise<Outcome>
  /** Opens the worktree once more, as an agent does that is told it is gone. */
  reopen(): Promise<{ readonly refused?: Readonly<Record<string, unknown>> }>
  close(): Promise<void>
}

/** A client in a process of its own. */
export interface ClientProcess extends Client {
  /** Ends the process at once; what it had not answered fails. */
  kill(): Promise<void>
}

export type Places = Pick<GatewayOptions, 'repositories' | 'worktreesDir' | 'stateDir'>

const others = {
  durability: 'process',
  branchPrefix: 'agent',
  allowProtected: [],
  trustConfig: false,
  secret: 'a secret of the test',
} as const

const opened: Client[] = []
afterAll(async () => {
  for (const client of opened.splice(0)) await client.close()
})

/** A gateway in this process. */
export async function openHere(places: Places, agent: string): Promise<Client> {
  const limits = defaultLimits
  const gateway = await Gateway.open({ ...places, ...others, limits, host: process.env })
  const open = async (): Promise<Worktree> =>
    gateway.worktree((await gateway.openWorktree({ agent })).id)
  let worktree = await open()
  const client: Client = {
    read: async path => {
      const { oid, bytes } = await worktree.read(parseRepoPath(path))
      return { rev: oid, text: new TextDecoder().decode(bytes) }
    },
    apply: async (edits, key) => {
      const input = batchSchema.parse({ edits })
      const keyed = key === undefined ? {} : { key, fingerprint: JSON.stringify(input) }
      return worktree.apply(parseBatch(input, limits), keyed).then(toReceipt, toRefusal)
    },
    reopen: () =>
      open().then(opened => {
        worktree = opened
        return {}
      }, toRefusal),
    close: () => gateway.close(),
  }
  opened.push(client)
  return client
}

function toReceipt(receipt: Receipt): Outcome {
  return { receipt }
}

function toRefusal(error: unknown): Extract<Outcome, { refused: unknown }> {
  if (error instanceof Refusal) return { refused: error.toJSON() }
  throw error
}

const script = fileURLToPath(new URL('gateway-child.mjs', import.meta.url))

/** A gateway in a process of its own. The agent's worktree must have been opened before. */
export async function openElsewhere(places: Places, agent: string): Promise<ClientProcess> {
  const options = JSON.stringify({ ...places, ...others })
  const child = spawn(process.execPath, [script, options], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const waiting = new Map<number, (fact: Answer) => void>()
  const ready = new Promise<Answer>(resolve => waiting.set(0, resolve))
  let lastId = 0
  const lines = createInterface({ input: child.stdout })
  child.once('close', () => {
    for (const [id, answer] of waiting) answer({ id, failed: 'the process has ended' })
  })
  lines.on('line', line => {
    const fact: Answer = JSON.parse(line)
    waiting.get(fact.id)?.(fact)
    waiting.delete(fact.id)
  })
  const ask = async (request: object): Promise<Answer> => {
    lastId += 1
    const id = lastId
    const answered = new Promise<Answer>(resolve => waiting.set(id, resolve))
    child.stdin.write(`${JSON.stringify({ id, agent, ...request })}\n`)
    const answer = await answered
    if (answer.failed !== undefined) throw new Error(answer.failed)
    return answer
  }
  await ready
  const client: ClientProcess = {
    read: async path => {
      const { rev = '', text = '', refused } = await ask({ read: path })
      if (refused !== undefined) throw new Error(JSON.stringify(refused))
      return { rev, text }
    },
    apply: async (edits, key) => {
      const { receipt, refused = {} } = await ask({ edits, ...(key !== undefined && { key }) })
      return receipt === undefined ? { refused } : { receipt }
    },
    reopen: async () => {
      const { refused } = await ask({ open: true })
      return refused === undefined ? {} : { refused }
    },
    close: async () => {
      child.stdin.end()
      await ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
  opened.push(client)
  return client
}

interface Answer {
  readonly id: number
  readonly rev?: string
  readonly text?: string
  readonly receipt?: Receipt
  readonly refused?: Readonly<Record<string, unknown>>
  readonly failed?: string
}

/** Opens an agent's worktree on a server. */
export async function openOn({ url, token }: Served, agent: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ agent })
  return fetch(`${url}/v1/worktrees`, { method: 'POST', headers, body })
}

/** An agent's worktree on a server, which is stopped when the client is closed. */
export function clientOf(server: Served, token: string, agent: string): Client {
  const { url, stop } = server
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const base = `${url}/v1/worktrees/${agent}`
  const client: Client = {
    read: async path => {
      const response = await fetch(`${base}/file?path=${encodeURIComponent(path)}`, { headers })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return JSON.parse(text)
    },
    apply: async (edits, key) => {
      const body = JSON.stringify({ edits, ...(key !== undefined && { idempotency_key: key }) })
      const response = await fetch(`${base}/batches`, { method: 'POST', headers, body })
      const answer = JSON.parse(await response.text())
      if (response.ok) return { receipt: answer }
      if (response.status >= 500) throw new Error(`${JSON.stringify(answer)}\n${server.printed()}`)
      return { refused: answer }
    },
    reopen: async () => {
      const response = await openOn(server, agent)
      const answer = JSON.parse(await response.text())
      if (response.status >= 500) throw new Error(`${JSON.stringify(answer)}\n${server.printed()}`)
      return response.ok ? {} : { refused: answer }
    },
    close: async () => {
      const code = await stop()
      if (code !== 0) throw new Error(`the server ended with ${code}`)
    },
  }
  opened.push(client)
  return client
}
