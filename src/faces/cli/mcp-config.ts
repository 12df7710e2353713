import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Argument, InvalidArgumentError, Option, type Command as Program } from 'commander'
import { parseDialects } from '../../commands/parse-dialects.js'
import { Refusal } from '../../core/errors.js'
import { type Client, type ClientName, clients, type Homes, type Wish } from './clients.js'
import type { ClientFiles, Doors } from './doors.js'
import { exitCodes } from './exit-codes.js'
import { printFailure } from './print-answer.js'
import { printLine, type Terminal } from './terminal.js'

interface Flags {
  readonly http?: string
  readonly name: string
  readonly repo?: string
  readonly dialect?: string
  readonly scope: Wish['scope']
  readonly write?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

/** Adds `editlatch mcp-config`: what an MCP client needs to be told to find us. */
export function addMcpConfig(
  program: Program,
  terminal: Terminal,
  doors: Doors,
  finish: (code: number) => void,
): void {
  program
    .command('mcp-config')
    .description('Print what an MCP client has to be told, or write it into its file.')
    .addArgument(new Argument('<client>', 'which client').choices(Object.keys(clients)))
    .option('--http <url>', 'a server that runs already, instead of a program to start')
    .option('--name <name>', 'what the client calls the server', parseName, 'editlatch')
    .option(
      '--repo <dir>',
      'the repository to serve; its project file is meant, too (default: where the client works)',
    )
    .option('--dialect <names>', 'dialects that edits are said in, with commas')
    .addOption(
      new Option('--scope <scope>', 'for this project, or for all of yours')
        .choices(['project', 'user'])
        .default('project'),
    )
    .option('--write', 'put it into the file, the rest of which stays as it is')
    .option('--force', 'replace another entry of this name')
    .option('--json', 'print the file, its path and the command as JSON')
    .action(async (name: ClientName, flags: Flags) => {
      try {
        await tell(terminal, await doors.clientFiles(), clients[name], flags)
        finish(exitCodes.done)
      } catch (error) {
        finish(printFailure(terminal, error, flags.json === true))
      }
    })
}

async function tell(
  terminal: Terminal,
  files: ClientFiles,
  client: Client,
  flags: Flags,
): Promise<void> {
  const wish = wishOf(terminal, flags)
  const { format } = client
  const place = client.place(wish.scope, homesOf(terminal, flags))
  const path = join(place.base, ...place.names)
  const note = client.note?.(wish)
  if (flags.write !== true) {
    const text = files.render(format, client.entries(wish, undefined))
    const command = client.command?.(wish)?.map(quoted).join(' ')
    printSnippet(terminal, { path, text, command, note }, flags.json === true)
    return
  }
  const isHttp = wish.connection.kind === 'http'
  if (isHttp && client.takesTokenByHand === true) throw needsHand(path, note)
  const entries = client.entries(wish, await files.read(place, format))
  const outcome = await files.write({ place, format, entries, force: flags.force === true })
  const told = { outcome, path, ...(note !== undefined && { note }) }
  if (flags.json === true) printLine(terminal.stdout, JSON.stringify(told))
  else printLine(terminal.stdout, `${outcome}: ${wish.name} in ${path}`)
}

interface Snippet {
  readonly path: string
  readonly text: string
  readonly command: string | undefined
  readonly note: string | undefined
}

/** The snippet alone goes to standard output, so that it can be put into a file. */
function printSnippet(terminal: Terminal, snippet: Snippet, json: boolean): void {
  if (json) {
    printLine(terminal.stdout, JSON.stringify(snippet))
    return
  }
  const { path, text, command, note } = snippet
  printLine(terminal.stdout, text)
  printLine(terminal.stderr, `This belongs into ${path}; --write puts it there.`)
  if (command !== undefined) printLine(terminal.stderr, `Or: ${command}`)
  if (note !== undefined) printLine(terminal.stderr, note)
}

function wishOf(terminal: Terminal, flags: Flags): Wish {
  const { name, scope, http, repo, dialect } = flags
  if (http === undefined) {
    const dialects = dialect === undefined ? undefined : parseDialects(dialect).join(',')
    const place = repo === undefined ? undefined : existing(resolve(terminal.cwd, repo))
    const said = { ...(dialects && { dialects }), ...(place && { repo: place }) }
    return { name, scope, connection: { kind: 'stdio', ...said } }
  }
  if (dialect !== undefined) {
    throw wrong('a server that runs already has its dialects: start it with --dialects')
  }
  return { name, scope, connection: { kind: 'http', url: endpoint(http) } }
}

/** The URL of the tools on a server; nobody's name and password travel in it. */
function endpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '') {
    throw wrong('--http takes the URL that the server has printed')
  }
  if (url.pathname === '/') url.pathname = '/mcp'
  return url.href
}

function existing(directory: string): string {
  if (existsSync(directory)) return directory
  throw wrong(`there is no directory ${directory}`)
}

function homesOf({ env, platform, cwd }: Terminal, { repo }: Flags): Homes {
  const home = env.HOME ?? homedir()
  return { env, platform, home, project: resolve(cwd, repo ?? '.'), exists: existsSync }
}

function parseName(name: string): string {
  if (/^[A-Za-z0-9_-]{1,12}$/.test(name)) return name
  throw new InvalidArgumentError('It must be 1 to 12 letters, digits, _ or -.')
}

function needsHand(file: string, note: string | undefined): Refusal {
  return new Refusal('INVALID_SETTINGS', {
    file,
    problem: note ?? '',
    expected: 'this without --write',
  })
}

function wrong(problem: string): Refusal {
  return new Refusal('INVALID_ARGUMENTS', { problem })
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
