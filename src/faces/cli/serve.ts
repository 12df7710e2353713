import type { Command as Program } from 'commander'
import type { Doors } from './doors.js'
import { exitCodes } from './exit-codes.js'
import { addSettingFlags } from './flags.js'
import { createLog, logIgnored } from './log.js'
import { printFailure } from './print-answer.js'
import { gatewayOptions, readSettings } from './settings.js'
import { printLine, type Terminal, untilAborted } from './terminal.js'
import { findExample, renderWelcome } from './welcome.js'

interface ServeFlags extends Readonly<Record<string, unknown>> {
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
    .option('--json', 'print the address and token as one line of JSON')
  addSettingFlags(serve, 'serve')
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
  const said = readSettings(terminal, doors, flags, 'serve')
  const options = await gatewayOptions(terminal, doors, said, repositories)
  const onFault = (error: unknown): void => log.error({ err: error }, 'went on after a fault')
  const gateway = await doors.openGateway({
    ...options,
    settings: { ...said, onIgnored: file => logIgnored(log, file) },
    meter: face.meter,
    onFault,
  })
  try {
    await gateway.finishLeftWork()
    const { host, port, allow_hosts: allowHosts } = said.settings
    const server = await face.serve(gateway, { host, port, allowHosts })
    const ready = { url: server.url, token: options.secret }
    const text = flags.json
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
