import { join } from 'node:path'
import type { ClientFileEntry, ClientFileFormat, ClientFilePlace } from '../../core/client-file.js'
import type { Terminal } from './terminal.js'

/** How a client reaches us: by starting a program, or a server that runs already. */
export type Connection =
  | { readonly kind: 'stdio'; readonly dialects?: string; readonly repo?: string }
  | { readonly kind: 'http'; readonly url: string }

export type Scope = 'project' | 'user'

/** What is asked for, of whatever client. */
export interface Wish {
  /** The key that the client knows us by. */
  readonly name: string
  readonly connection: Connection
  readonly scope: Scope
}

/** Where directories of the user are. */
export interface Homes extends Pick<Terminal, 'env' | 'platform'> {
  readonly home: string
  readonly project: string
  /** Whether there is a file at a path. */
  exists(path: string): boolean
}

/** A program that speaks MCP, and how it is told of a server. */
export interface Client {
  readonly title: string
  readonly format: ClientFileFormat
  place(scope: Scope, homes: Homes): ClientFilePlace
  /** What is to stand in its file, which says `present` now. */
  entries(wish: Wish, present: unknown): readonly ClientFileEntry[]
  /** A command of its own that does the same; undefined where it has none for this. */
  command?(wish: Wish): readonly string[] | undefined
  note?(wish: Wish): string | undefined
  /** True where it knows no variables in headers, so that the token has to be put there by hand. */
  readonly takesTokenByHand?: true
}

/** The variable that holds the token of a server. */
const tokenVariable = 'EDITLATCH_TOKEN'

/** What editors write for the folder that is open. */
const openFolder = variable('workspaceFolder')

/** Every client that we know, by its name on the command line. */
export const clients = {
  'claude-code': {
    title: 'Claude Code',
    format: 'jsonc',
    place: (scope, homes) =>
      scope === 'project' ? inProject(homes, '.mcp.json') : inHome(homes, '.claude.json'),
    entries: ({ name, connection }) => {
      const value =
        connection.kind === 'stdio'
          ? started(connection)
          : { type: 'http', ...reached(connection.url, variable(tokenVariable)) }
      return [{ at: ['mcpServers', name], value }]
    },
    command: ({ name, connection, scope }) =>
      connection.kind === 'stdio'
        ? ['claude', 'mcp', 'add', '--scope', scope, name, '--', ...commandLine(connection)]
        : [
            ...['claude', 'mcp', 'add', '--transport', 'http', '--scope', scope, name],
            ...[connection.url, '--header', `Authorization: Bearer ${variable(tokenVariable)}`],
          ],
    note: ({ scope }) =>
      scope === 'user'
        ? 'Claude Code writes this file itself: close it before, or use the command.'
        : undefined,
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    place: (scope, homes) =>
      scope === 'project'
        ? inProject(homes, '.cursor', 'mcp.json')
        : inHome(homes, '.cursor', 'mcp.json'),
    entries: ({ name, connection }) => {
      // Cursor starts servers elsewhere than in the project.
      const value =
        connection.kind === 'stdio'
          ? started(connection, openFolder)
          : reached(connection.url, variable(`env:${tokenVariable}`))
      return [{ at: ['mcpServers', name], value }]
    },
  },
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    place: (scope, homes) =>
      scope === 'project' ? inProject(homes, '.vscode', 'mcp.json') : codeProfile(homes),
    entries: ({ name, connection }) => {
      if (connection.kind === 'stdio') {
        const value = { type: 'stdio', ...started(connection, openFolder) }
        return [{ at: ['servers', name], value }]
      }
      const id = `${name}-token`
      const value = { type: 'http', ...reached(connection.url, variable(`input:${id}`)) }
      const description = 'The token of the Editlatch server'
      const input = { type: 'promptString', id, description, password: true }
      return [
        { at: ['inputs'], elementBy: 'id', value: input },
        { at: ['servers', name], value },
      ]
    },
    command: ({ name, connection, scope }) => {
      if (scope === 'project' || connection.kind === 'http') return undefined
      return ['code', '--add-mcp', JSON.stringify({ name, ...started(connection, openFolder) })]
    },
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    place: (scope, homes) => {
      if (scope === 'project') return inProject(homes, '.codex', 'config.toml')
      const { CODEX_HOME: own } = homes.env
      return own === undefined
        ? inHome(homes, '.codex', 'config.toml')
        : { base: own, names: ['config.toml'] }
    },
    entries: ({ name, connection }) => {
      const value =
        connection.kind === 'stdio'
          ? started(connection)
          : { url: connection.url, bearer_token_env_var: tokenVariable }
      return [{ at: ['mcp_servers', name], value }]
    },
    command: ({ name, connection, scope }) => {
      if (scope === 'project') return undefined
      const add = ['codex', 'mcp', 'add', name]
      return connection.kind === 'stdio'
        ? [...add, '--', ...commandLine(connection)]
        : [...add, '--url', connection.url, '--bearer-token-env-var', tokenVariable]
    },
    note: ({ scope }) =>
      scope === 'project' ? 'Codex reads this file only in projects that you trust.' : undefined,
  },
  opencode: {
    title: 'opencode',
    format: 'jsonc',
    place: (scope, homes) => {
      const { base, names } =
        scope === 'project' ? inProject(homes) : inConfigHome(homes, 'opencode')
      const file = ['opencode.jsonc', 'opencode.json'].find(one =>
        homes.exists(join(base, ...names, one)),
      )
      return { base, names: [...names, file ?? 'opencode.json'] }
    },
    entries: ({ name, connection }, present) => {
      const value =
        connection.kind === 'stdio'
          ? { type: 'local', command: commandLine(connection) }
          : { type: 'remote', ...reached(connection.url, `{env:${tokenVariable}}`), oauth: false }
      return [{ at: [...(isFirstVersion(present) ? ['mcp'] : ['mcp', 'servers']), name], value }]
    },
    command: ({ name, connection, scope }) => {
      if (connection.kind === 'http') return undefined
      const global = scope === 'user' ? ['--global'] : []
      return ['opencode', 'mcp', 'add', name, ...global, '--', ...commandLine(connection)]
    },
    note: () => 'opencode 1 has servers directly under "mcp": a file that does is written so.',
  },
  zed: {
    title: 'Zed',
    format: 'jsonc',
    takesTokenByHand: true,
    place: (scope, homes) =>
      scope === 'project'
        ? inProject(homes, '.zed', 'settings.json')
        : inConfigHome(homes, 'zed', 'settings.json'),
    entries: ({ name, connection }) => {
      const value =
        connection.kind === 'stdio'
          ? { ...started(connection), env: {} }
          : reached(connection.url, unknownToken)
      return [{ at: ['context_servers', name], value }]
    },
    note: ({ connection }) =>
      connection.kind === 'http'
        ? `Zed knows no variables in headers: put the token there in the place of ${unknownToken}.`
        : undefined,
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'jsonc',
    place: (scope, homes) =>
      scope === 'project'
        ? inProject(homes, '.gemini', 'settings.json')
        : inHome(homes, '.gemini', 'settings.json'),
    entries: ({ name, connection }) => {
      if (connection.kind === 'stdio')
        return [{ at: ['mcpServers', name], value: started(connection) }]
      const { url: httpUrl, headers } = reached(connection.url, variable(tokenVariable))
      return [{ at: ['mcpServers', name], value: { httpUrl, headers } }]
    },
  },
} as const satisfies Readonly<Record<string, Client>>

/** A reference as most clients write it. */
function variable(name: string): string {
  return `\${${name}}`
}

export type ClientName = keyof typeof clients

/** What stands where a client cannot be told a variable. */
const unknownToken = 'YOUR_EDITLATCH_TOKEN'

type Started = Extract<Connection, { kind: 'stdio' }>

function started(
  connection: Started,
  project?: string,
): { readonly command: string; readonly args: readonly string[] } {
  const [command = '', ...args] = commandLine(connection, project)
  return { command, args }
}

function commandLine({ dialects, repo }: Started, project?: string): readonly string[] {
  const place = repo ?? project
  return [
    ...['npx', '-y', 'editlatch', 'mcp'],
    ...(dialects === undefined ? [] : ['--dialects', dialects]),
    ...(place === undefined ? [] : [place]),
  ]
}

function reached(
  url: string,
  token: string,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  return { url, headers: { Authorization: `Bearer ${token}` } }
}

function isFirstVersion(present: unknown): boolean {
  const servers = fieldOf(present, 'mcp')
  return (
    typeof servers === 'object' &&
    servers !== null &&
    Object.values(servers).some(one => typeof fieldOf(one, 'type') === 'string')
  )
}

function fieldOf(value: unknown, name: string): unknown {
  return Object.entries(value ?? {}).find(([key]) => key === name)?.[1]
}

function inProject({ project }: Homes, ...names: readonly string[]): ClientFilePlace {
  return { base: project, names }
}

function inHome({ home }: Homes, ...names: readonly string[]): ClientFilePlace {
  return { base: home, names }
}

function inConfigHome(homes: Homes, ...names: readonly string[]): ClientFilePlace {
  const { XDG_CONFIG_HOME: own } = homes.env
  return own?.startsWith('/') ? { base: own, names } : inHome(homes, '.config', ...names)
}

/** The user's profile of VS Code, where each system has it. */
function codeProfile(homes: Homes): ClientFilePlace {
  const { APPDATA: roaming } = homes.env
  if (homes.platform === 'win32' && roaming !== undefined) {
    return { base: roaming, names: ['Code', 'User', 'mcp.json'] }
  }
  return homes.platform === 'darwin'
    ? inHome(homes, 'Library', 'Application Support', 'Code', 'User', 'mcp.json')
    : inConfigHome(homes, 'Code', 'User', 'mcp.json')
}
