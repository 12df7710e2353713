import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command as Program } from 'commander'
import { fixedLimits } from '../../core/limits.js'
import type { Gateway } from '../../gateway/gateway.js'
import type { Doors } from './doors.js'
import { exitCodes } from './exit-codes.js'
import { addSettingFlags } from './flags.js'
import { createLog, logIgnored } from './log.js'
import { printFailure } from './print-answer.js'
import { gatewayOptions, readSettings } from './settings.js'
import type { Terminal } from './terminal.js'

type Flags = Readonly<Record<string, unknown>>

/** Adds `editlatch mcp`: tools for one client over standard input and output, until it goes. */
export function addMcp(
  program: Program,
  terminal: Terminal,
  doors: Doors,
  finish: (code: number) => void,
): void {
  const mcp = program
    .command('mcp')
    .description('Serve tools to an MCP client over standard input and output.')
    .argument('[repo...]', 'paths of the repositories (default: where the client works)')
  addSettingFlags(mcp, 'mcp')
  mcp.action(async (repositories: readonly string[], flags: Flags) => {
    finish(await serveClient(terminal, doors, repositories, flags))
  })
}

async function serveClient(
  terminal: Terminal,
  doors: Doors,
  repositories: readonly string[],
  flags: Flags,
): Promise<number> {
  const log = createLog(terminal.stderr)
  const directory = clientDirectory(terminal)
  const served = repositories.length === 0 ? [directory] : repositories
  try {
    const said = readSettings(terminal, doors, flags, 'mcp')
    const options = await gatewayOptions(terminal, doors, said, served)
    const onFault = (error: unknown): void => log.error({ err: error }, 'went on after a fault')
    const gateway = await doors.openGateway({
      ...options,
      settings: { ...said, onIgnored: file => logIgnored(log, file) },
      onFault,
    })
    const ending = new AbortController()
    const finished = finishSoon(gateway, ending.signal).catch(onFault)
    try {
      await doors.serveMcpStdio(gateway, { log, directory, stopped: terminal.stopped })
    } finally {
      ending.abort()
      await finished
      await gateway.close()
    }
    return exitCodes.done
  } catch (error) {
    return printFailure(terminal, error, false)
  }
}

/** Finishes what others left half done, but not before the client has had its first answers. */
async function finishSoon(gateway: Gateway, ending: AbortSignal): Promise<void> {
  const { leftWorkDelayMs } = fixedLimits
  await sleep(leftWorkDelayMs, undefined, { signal: ending }).catch(() => undefined)
  if (!ending.aborted) await gateway.finishLeftWork(ending)
}

/** The project that the client says it works in, else where it has started us. */
function clientDirectory({ env, cwd }: Terminal): string {
  const { CLAUDE_PROJECT_DIR: project = '' } = env
  const directory = resolve(cwd, project)
  return existsSync(directory) ? realpathSync(directory) : cwd
}
