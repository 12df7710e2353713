import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { checkAccess, ownWorktree } from '../../commands/access.js'
import { read } from '../../commands/read.js'
import { state } from '../../commands/state.js'
import { Refusal } from '../../core/errors.js'
import type { Asker, FaceParts } from './parts.js'

/** What can be read by its address. */
export const resourceTemplates = [
  {
    name: 'worktree_state',
    title: 'State of a worktree',
    uriTemplate: 'editlatch://worktree/{id}/state',
    description: 'Branch, head, directory and what is not reported or landed yet, as JSON.',
    mimeType: 'application/json',
  },
  {
    name: 'worktree_file',
    title: 'File of a worktree',
    uriTemplate: 'editlatch://worktree/{id}/file/{+path}',
    description: 'A file as the worktree has it.',
  },
] as const

interface Listed {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

/** The states of the worktrees that the caller may see. */
export async function listResources(
  { gateway }: FaceParts,
  { caller }: Asker,
): Promise<{ resources: Listed[] }> {
  const ids =
    caller.kind === 'worktree' ? [caller.id] : (await gateway.worktrees()).map(({ id }) => id)
  return {
    resources: ids.map(id => ({
      uri: `editlatch://worktree/${encodeURIComponent(id)}/state`,
      name: `State of ${id}`,
      mimeType: 'application/json',
    })),
  }
}

interface Content {
  readonly uri: string
  readonly mimeType?: string
  readonly text: string
}

/** What stands at an address; an unknown one is a fault of the protocol, as its rules want it. */
export async function readResource(
  { gateway, words }: FaceParts,
  { caller }: Asker,
  uri: string,
  signal: AbortSignal,
): Promise<{ contents: (Content | { uri: string; blob: string })[] }> {
  const asked = parseUri(uri)
  if (asked === undefined) throw notFound(uri, 'there is no such resource')
  const command = asked.path === undefined ? state : read
  try {
    checkAccess(caller, command.access)
    const worktree = ownWorktree(caller, asked.id)
    const input =
      asked.path === undefined ? { worktree } : { worktree, path: asked.path, raw: true }
    const answer = await command.run(gateway, input, { caller, signal })
    if (answer.kind === 'bytes') return { contents: [contentOf(uri, answer.bytes)] }
    const text = answer.kind === 'value' ? JSON.stringify(answer.value) : ''
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message } = error.inWords(words)
    throw notFound(uri, `${code}: ${message}`)
  }
}

function parseUri(uri: string): { readonly id: string; readonly path?: string } | undefined {
  const [, id, rest] = /^editlatch:\/\/worktree\/([^/?#]+)\/(state|file\/.+)$/.exec(uri) ?? []
  try {
    if (id === undefined || rest === undefined) return undefined
    const path = rest === 'state' ? {} : { path: decodeURIComponent(rest.slice('file/'.length)) }
    return { id: decodeURIComponent(id), ...path }
  } catch {
    return undefined
  }
}

/** Text where the bytes are UTF-8, else base64. */
function contentOf(uri: string, bytes: Uint8Array): Content | { uri: string; blob: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { uri, mimeType: 'text/plain', text }
  } catch {
    return { uri, blob: Buffer.from(bytes).toString('base64') }
  }
}

function notFound(uri: string, message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { uri })
}
