import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseDialects } from '../../commands/parse-dialects.js'
import { type AnchorScheme, anchorSchemes } from '../../core/anchor-scheme.js'
import { defaultLimits, type Limits } from '../../core/limits.js'
import type { GatewayOptions } from '../../gateway/gateway.js'
import type { Doors } from './doors.js'
import type { Terminal } from './terminal.js'

/** The flags that say how repositories are served, for a server and for a command that runs in process. */
export interface GatewayFlags {
  readonly worktrees?: string
  readonly durability: 'power' | 'process'
  readonly branchPrefix: string
  readonly allowProtected: readonly string[]
  readonly trustConfig: boolean
  readonly anchors: AnchorScheme
  readonly tokenFile?: string
  readonly dialects?: string
  readonly recordRefusals?: string
  readonly include: readonly string[]
  readonly setup?: readonly string[]
}

/** Adds those flags to a subcommand. */
export function addGatewayFlags(command: Command): Command {
  return command
    .option('--worktrees <dir>', 'where worktrees are made (default: <repository>.worktrees)')
    .addOption(
      new Option('--durability <kind>', 'power: answers survive a power cut; process: a crash')
        .choices(['power', 'process'])
        .default('power'),
    )
    .option('--branch-prefix <name>', 'agents work on branches <name>/<agent>', 'agent')
    .option('--allow-protected <glob>', 'let agents edit protected paths that fit', collect, [])
    .option('--trust-config', "use the repository's own git configuration and filters", false)
    .addOption(
      new Option('--anchors <scheme>', 'how the anchors of hashline views are made')
        .choices(anchorSchemes)
        .default('chunk'),
    )
    .option('--token-file <file>', "where the server's token is kept")
    .option('--dialects <names>', 'dialects that edits may be said in, with commas (default: all)')
    .option('--record-refusals <file>', 'append each refused edit to this file as a line of JSON')
    .option('--include <glob>', 'ignored files that a new worktree gets', collect, [])
    .option('--setup <command>', 'runs once in a new worktree; a JSON array, or words', parseSetup)
}

/** Words are only taken apart where every reader would do it alike. */
function parseSetup(text: string): readonly string[] {
  const command = /^[\w./:=@,+ -]+$/.test(text) ? text.trim().split(/ +/) : parseWords(text)
  if (command.length > 0 && command[0] !== '') return command
  throw new InvalidArgumentError('Write plain words or a JSON array of texts, such as ["npm","ci"]')
}

function parseWords(text: string): readonly string[] {
  try {
    const words: unknown = JSON.parse(text)
    const isList = Array.isArray(words) && words.every(word => typeof word === 'string')
    return isList ? words : []
  } catch {
    return []
  }
}

/** A flag that may be given again and again. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

/** `name=value` as a change to the limits. */
export function collectLimit(text: string, before: Limits): Limits {
  const [, name = '', value = ''] = /^(\w+)=(\d{1,12})$/.exec(text) ?? []
  if (!Object.hasOwn(defaultLimits, name)) {
    throw new InvalidArgumentError(
      `Write name=value; names: ${Object.keys(defaultLimits).join(', ')}`,
    )
  }
  return { ...before, [name]: Number(value) }
}

/** The gateway's options: flags, else what the environment and the home directory say. */
export async function gatewayOptions(
  terminal: Terminal,
  doors: Doors,
  flags: GatewayFlags,
  repositories: readonly string[],
  limits: Limits,
): Promise<GatewayOptions> {
  const { worktrees } = flags
  return {
    repositories: repositories.map(path => resolve(terminal.cwd, path)),
    ...(worktrees !== undefined && { worktreesDir: resolve(terminal.cwd, worktrees) }),
    host: terminal.env,
    stateDir: stateDir(terminal),
    durability: flags.durability,
    branchPrefix: flags.branchPrefix,
    allowProtected: flags.allowProtected,
    trustConfig: flags.trustConfig,
    anchors: flags.anchors,
    limits,
    ...(flags.include.length > 0 && { include: flags.include }),
    ...(flags.setup !== undefined && { setup: flags.setup }),
    secret: await doors.readToken(tokenPath(terminal, flags.tokenFile)),
    ...(flags.dialects !== undefined && { dialects: parseDialects(flags.dialects) }),
    ...(flags.recordRefusals !== undefined && {
      recordRefusal: doors.openRefusalRecorder(resolve(terminal.cwd, flags.recordRefusals)),
    }),
  }
}

/** Where the server's token is kept. */
export function tokenPath(terminal: Terminal, tokenFile: string | undefined): string {
  return tokenFile === undefined
    ? join(stateDir(terminal), 'token')
    : resolve(terminal.cwd, tokenFile)
}

function stateDir({ env }: Terminal): string {
  const state = env.XDG_STATE_HOME
  // The XDG rules say that a relative path there is to be ignored.
  const root = state?.startsWith('/') ? state : join(env.HOME ?? homedir(), '.local', 'state')
  return join(root, 'editlatch')
}
