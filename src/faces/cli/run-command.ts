import type { Answer, Command } from '../../commands/command.js'
import { Refusal } from '../../core/errors.js'
import { defaultLimits } from '../../core/limits.js'
import { askServer } from './ask-server.js'
import type { Doors } from './doors.js'
import { exitCodes } from './exit-codes.js'
import { type GatewayFlags, gatewayOptions, tokenPath } from './flags.js'
import { printAnswer, printFailure } from './print-answer.js'
import { takeArguments } from './take-arguments.js'
import { type Terminal, untilAborted } from './terminal.js'

/** The options that every command of the list takes on a command line. */
export interface CommandFlags extends GatewayFlags {
  readonly json?: boolean
  /** In process the repository's place; with a server the name it serves it by. */
  readonly repo?: string
  readonly server?: string
  readonly token?: string
}

type Fields = Readonly<Record<string, unknown>>

/** Runs one command, in this process or by asking a server, and prints what came of it. */
export async function runCommand(
  terminal: Terminal,
  doors: Doors,
  command: Command,
  args: readonly unknown[],
  flags: CommandFlags,
): Promise<number> {
  const { json = false, server = terminal.env.EDITLATCH_SERVER } = flags
  const print = (answer: Answer): Promise<void> => printAnswer(terminal, command, answer, json)
  try {
    const input = await takeArguments(terminal, command, args, { ...flags })
    if (server === undefined) await runHere(terminal, doors, command, input, flags, print)
    else await print(await runThere(terminal, doors, command, input, { ...flags, server }))
    return exitCodes.done
  } catch (error) {
    return printFailure(terminal, error, json)
  }
}

/** The gateway stays open until the answer is printed, since a stream goes on. */
async function runHere(
  terminal: Terminal,
  doors: Doors,
  command: Command,
  input: Fields,
  flags: CommandFlags,
  print: (answer: Answer) => Promise<void>,
): Promise<void> {
  const { repo = '.' } = flags
  const options = await gatewayOptions(terminal, doors, flags, [repo], defaultLimits)
  const { opensRefused: skipRefused = false } = command
  const gateway = await doors.openGateway({ ...options, skipRefused, maintenance: false })
  try {
    const context = { caller: { kind: 'server' as const }, signal: terminal.stopped }
    await print(await command.run(gateway, input, context))
    // What was begun here ends here, unless somebody ends it.
    await Promise.race([gateway.setUp(), untilAborted(terminal.stopped)])
  } finally {
    await gateway.close()
  }
}

async function runThere(
  terminal: Terminal,
  doors: Doors,
  command: Command,
  input: Fields,
  flags: CommandFlags & { readonly server: string },
): Promise<Answer> {
  const { server: url, repo, token = terminal.env.EDITLATCH_TOKEN } = flags
  if (!URL.canParse(url)) {
    throw new Refusal('INVALID_ARGUMENTS', { problem: 'the server is named by its URL' })
  }
  const takesRepo = repo !== undefined && 'repo' in command.bind
  // A server of the same user keeps its token where we would.
  const known = token ?? (await doors.readToken(tokenPath(terminal, flags.tokenFile)))
  const asked = takesRepo ? { ...input, repo } : input
  return askServer({ url, token: known }, command, asked, terminal.stopped)
}
