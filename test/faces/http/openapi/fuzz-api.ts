import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { undocumented } from '../../../support/api-document.js'
import { startServer, type TestServer } from '../server.js'
import { asked, type DrawnRequest, drawRequests } from './requests.js'
import { standIns } from './schema-values.js'
import { differences, readState } from './worktree-state.js'

export interface FuzzOutcome {
  readonly cases: number
  /** What was wrong, with the request that showed it. */
  readonly problems: readonly string[]
  /** How often each status came, by operation. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<number, number>>
}

const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'src/cart.ts':
    'export class Cart {\n  add() {\n    return 1\n  }\n}\n\nexport function total() {\n  return 2\n}\n',
  'docs/guide.md': '# Guide\n\nText.\n',
}

/** Sends drawn requests one after the other and looks at every answer, and at what it left behind. */
export async function fuzzApi(seed: number, cases: number): Promise<FuzzOutcome> {
  const server = await startServer(files)
  const { path: directory } = await server.gateway.openWorktree({ agent: 'fuzz' })
  for (const agent of ['ann', 'ben', 'cid']) await server.gateway.openWorktree({ agent })
  const look = (): ReadonlyMap<string, string> =>
    readState(server.repository.path, dirname(directory))
  const counts = new Map(asked.map(({ operationId }) => [operationId, new Map<number, number>()]))
  const problems: string[] = []
  let state = look()
  let fill = await filler(server)
  const requests = drawRequests(seed, cases)
  for (const drawn of requests) {
    if (drawn.operation.operationId === 'draft-commit') {
      await beginDraft(server)
      state = look()
    }
    const { request, found } = await tryOne(server, drawn, fill)
    const status = found.status
    const count = counts.get(drawn.operation.operationId)
    count?.set(status, (count.get(status) ?? 0) + 1)
    const after = look()
    const changed = differences(state, after)
    state = after
    if (changed.length > 0) {
      fill = await filler(server)
      state = look()
    }
    const mayChange = status < 300 && drawn.operation.method !== 'GET'
    const wrong = [
      ...found.problems,
      ...(status >= 500 ? [`answered ${status}`] : []),
      ...(mayChange ? [] : changed.map(path => `changed ${path}`)),
    ]
    problems.push(...wrong.map(problem => `${problem} after ${request}`))
  }
  return { cases: requests.length, problems, counts }
}

/** There is nothing to land without a draft, and landing one ends it. */
async function beginDraft({ gateway }: TestServer): Promise<void> {
  const { drafts } = await gateway.worktree('fuzz')
  await drafts.write({ draft: 'long', afterLines: 0, text: 'one\ntwo\n' }).catch(() => undefined)
}

interface Found {
  readonly status: number
  readonly problems: readonly string[]
}

async function tryOne(
  server: TestServer,
  drawn: DrawnRequest,
  fill: Fill,
): Promise<{ readonly request: string; readonly found: Found }> {
  const { target, headers, body } = fillIn(drawn, fill)
  const { operation, token } = drawn
  const request = `${operation.method} ${target} as ${token} ${JSON.stringify(headers)} ${String(body).slice(0, 2_000)}`
  const stop = new AbortController()
  const response = await fetch(server.url + target, {
    method: operation.method,
    headers: { ...headers, authorization: `Bearer ${await tokenOf(server, token)}` },
    ...(body !== undefined && { body }),
    signal: stop.signal,
  })
  const { status } = response
  if (response.headers.get('content-type') === 'text/event-stream') {
    const documented = operation.responses[status]?.content?.['text/event-stream'] !== undefined
    stop.abort()
    return { request, found: { status, problems: documented ? [] : ['answered events'] } }
  }
  const answered = { status, headers: response.headers, body: await response.text() }
  return { request, found: { status, problems: undocumented(operation, answered) } }
}

async function tokenOf(
  { gateway, tokens }: TestServer,
  token: DrawnRequest['token'],
): Promise<string> {
  const own = (await gateway.worktree('fuzz')).id
  const known = {
    server: tokens.server,
    fuzz: gateway.tokenFor(own, 'edit'),
    reader: gateway.tokenFor(own, 'read'),
    other: tokens.bob,
  }
  return known[token]
}

interface Filled {
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

function fillIn({ operation, parameters, body }: DrawnRequest, fill: Fill): Filled {
  const at = (place: string): [string, string][] =>
    parameters.filter(one => one.in === place).map(({ name, value }) => [name, fill(said(value))])
  const named = new Map(at('path'))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(/^\.{0,2}$/.test(named.get(name) ?? '') ? 'x' : (named.get(name) ?? '')),
  )
  const query = new URLSearchParams(at('query'))
  const headers = at('header').filter(([, value]) => /^[!-~]+$/.test(value))
  const type = body === undefined ? [] : [['content-type', body.type]]
  return {
    target: query.size === 0 ? path : `${path}?${query}`,
    headers: Object.fromEntries([...headers, ...type]),
    ...(body !== undefined && { body: bodyText(body.value, fill) }),
  }
}

/** A text as it is, anything else as JSON says it. */
function said(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
}

function bodyText(value: unknown, fill: Fill): string | Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array ? new Uint8Array(value) : fill(said(value))
}

/** Puts what stands there just now in the places of stand-ins. */
type Fill = (text: string) => string

async function filler({ gateway }: TestServer): Promise<Fill> {
  const worktree = await gateway.worktree('fuzz')
  const { files: paths } = await worktree.files({})
  const { path: directory } = await worktree.state()
  // Where everything was deleted, a person writes a file.
  if (paths.length === 0) await writeFile(join(directory, 'a.txt'), 'one\ntwo\n')
  const { head } = await worktree.state()
  const { batches } = await worktree.log({ limit: 5 })
  const path = paths.find(one => one === 'a.txt') ?? paths[0] ?? 'a.txt'
  const { oid, bytes } = await worktree.read(path as Parameters<typeof worktree.read>[0])
  const [line = ''] = new TextDecoder().decode(bytes).split('\n')
  const values: Readonly<Record<string, string>> = {
    [standIns.path]: path,
    [standIns.newPath]: `new/${paths.length}-${batches.length}.txt`,
    [standIns.rev]: oid,
    [standIns.head]: head,
    [standIns.commit]: batches[0]?.commit ?? head,
    [standIns.line]: /^[\w ]+$/.test(line) ? line : 'one',
  }
  return text =>
    Object.entries(values).reduce((filled, [from, to]) => filled.replaceAll(from, to), text)
}

/** The operations that never succeeded. */
export function neverDone({ counts }: FuzzOutcome): readonly string[] {
  return [...counts].flatMap(([name, statuses]) =>
    [...statuses.keys()].some(status => status < 300) ? [] : [name],
  )
}

/** What came of it, a line for each operation. */
export function renderCounts({ cases, counts }: FuzzOutcome, seed: number): string {
  const lines = [...counts].map(([name, statuses]) => {
    const told = [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status} x ${count}`)
    return `  ${name}: ${told.join(', ')}`
  })
  return [`${cases} requests, seed ${seed}`, ...lines].join('\n')
}
