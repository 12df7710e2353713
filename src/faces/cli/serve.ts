import { InvalidArgumentError, Option, type Command as Program } from 'commander'
import { defaultLimits, type Limits } from '../../core/limits.js'
import { defaultMatching } from '../../core/matching.js'
import { type MatchLevel, matchLevels } from '../../core/receipt.js'
import type { Doors } from './doors.js'
import { exitCodes } from './exit-codes.js'
import {
  addGatewayFlags,
  collect,
  collectLimit,
  type GatewayFlags,
  gatewayOptions,
} from './flags.js'
import { createLog } from './log.js'
import { printFailure } from './print-answer.js'
import { printLine, type Terminal, untilAborted } from './terminal.js'
import { findExample, renderWelcome } from './welcome.js'

interface ServeFlags extends GatewayFlags {
  readonly host: string
  readonly port: number
  readonly allowHost: readonly string[]
  readonly limit: Limits
  readonly maxLevel: MatchLevel
  readonly minSimilarity: number
  readonly foldUnicode: boolean
  readonly maintenance: boolean
  readonly syntaxCheck: boolean
  readonly index: boolean
  readonly watch: boolean
  readonly json?: boolean
}

/** Adds `editlatch serve`: the gateway over HTTP until a signal ends it. */
export function addServe(
  program: Program,
  terminal: Terminal,
  doors: Doors,
  finish: (code: number) => void,
): void {
  const serve = program
    .command('serve')
    .description('Serve repositories over HTTP until stopped.')
    .argument('[repo...]', 'paths of the repositories (default: the current directory)')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <number>', 'the port to listen on; 0 takes a free one', parsePort, 0)
    .option('--allow-host <name>', 'a name that requests may call this server', collect, [])
    .option('--limit <name=value>', 'change one of the limits', collectLimit, defaultLimits)
    .addOption(
      new Option('--max-level <level>', 'the most lenient way in which text may be found')
        .choices(matchLevels)
        .default(defaultMatching.maxLevel),
    )
    .option(
      '--min-similarity <number>',
      'how much alike the middle of a block must be',
      parseSimilarity,
      defaultMatching.minSimilarity,
    )
    .option('--fold-unicode', 'take typographic characters for what a keyboard has', false)
    .option('--no-maintenance', 'never pack loose objects in the background')
    .option('--no-syntax-check', 'never look at the syntax of what a batch changes')
    .option('--no-index', 'read symbols only when they are asked for')
    .option('--no-watch', 'do not watch worktrees for changes by others')
    .option('--json', 'print the address and token as one line of JSON')
  addGatewayFlags(serve)
  serve.action(async (repositories: readonly string[], flags: ServeFlags) => {
    const served = repositories.length === 0 ? ['.'] : repositories
    finish(await runServer(terminal, doors, served, flags))
  })
}

async function runServer(
  terminal: Terminal,
  doors: Doors,
  repositories: readonly string[],
  flags: ServeFlags,
): Promise<number> {
  try {
    await serveUntilStopped(terminal, doors, repositories, flags)
    return exitCodes.done
  } catch (error) {
    return printFailure(terminal, error, flags.json === true)
  }
}

async function serveUntilStopped(
  terminal: Terminal,
  doors: Doors,
  repositories: readonly string[],
  flags: ServeFlags,
): Promise<void> {
  const log = createLog(terminal.stderr)
  if (terminal.platform !== 'linux') log.info({}, 'only Linux is supported; expect rough edges')
  const face = await doors.createHttpFace(log)
  const options = await gatewayOptions(terminal, doors, flags, repositories, flags.limit)
  const { maxLevel, minSimilarity, foldUnicode: unicode } = flags
  const matching = { maxLevel, minSimilarity, unicode }
  const { maintenance, syntaxCheck } = flags
  const onFault = (error: unknown): void => log.error({ err: error }, 'went on after a fault')
  const gateway = await doors.openGateway({
    ...options,
    matching,
    meter: face.meter,
    maintenance,
    indexing: flags.index,
    watching: flags.watch,
    ...(!syntaxCheck && { syntaxMs: 0 }),
    onFault,
  })
  try {
    await gateway.finishLeftWork()
    const { host, port, allowHost: allowHosts, json = false } = flags
    const server = await face.serve(gateway, { host, port, allowHosts })
    const ready = { url: server.url, token: options.secret }
    const text = json
      ? JSON.stringify({ event: 'ready', ...ready })
      : renderWelcome(ready, await findExample(await gateway.repositories()))
    printLine(terminal.stdout, text)
    await untilAborted(terminal.stopped)
    log.info({}, 'stopping')
    await server.close()
  } finally {
    await gateway.close()
  }
}

function parseSimilarity(text: string): number {
  const similarity = Number(text)
  if (/^[01](?:\.\d+)?$/.test(text) && similarity <= 1) return similarity
  throw new InvalidArgumentError('A similarity is a number from 0 to 1.')
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('A port is a number from 0 to 65535.')
}
