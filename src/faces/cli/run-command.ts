import type { Answer, Command } from '../../commands/command.js'
import { Refusal } from '../../core/errors.js'
import { askServer } from './ask-server.js'
import type { Doors } from './doors.js'
import { exitCodes } from './exit-codes.js'
import { printAnswer, printFailure } from './print-answer.js'
import { gatewayOptions, readSettings, type Said } from './settings.js'
import { takeArguments } from './take-arguments.js'
import { type Terminal, untilAborted } from './terminal.js'

/** The options that every command of the list takes on a command line. */
export interface CommandFlags extends Readonly<Record<string, unknown>> {
  readonly json?: boolean
  /** In process the repository's place; with a server the name it serves it by. */
  readonly repo?: string
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
  const { json = false } = flags
  const print = (answer: Answer): Promise<void> => printAnswer(terminal, command, answer, json)
  try {
    const said = readSettings(terminal, doors, flags, 'command')
    const input = await takeArguments(terminal, command, args, flags)
    const asked = { command, input, repo: flags.repo, said }
    if (said.settings.server === undefined) await runHere(terminal, doors, asked, print)
    else await print(await runThere(terminal, doors, asked))
    return exitCodes.done
  } catch (error) {
    return printFailure(terminal, error, json)
  }
}

interface Asked {
  readonly command: Command
  readonly input: Fields
  readonly repo: string | undefined
  readonly said: Said
}

/** The gateway stays open until the answer is printed, since a stream goes on. */
async function runHere(
  terminal: Terminal,
  doors: Doors,
  { command, input, repo = '.', said }: Asked,
  print: (answer: Answer) => Promise<void>,
): Promise<void> {
  const options = await gatewayOptions(terminal, doors, said, [repo])
  const { opensRefused: skipRefused = false } = command
  const gateway = await doors.openGateway({ ...options, skipRefused })
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
  { command, input, repo, said }: Asked,
): Promise<Answer> {
  const { server: url = '', token, token_file: tokenFile } = said.settings
  if (!URL.canParse(url)) {
    throw new Refusal('INVALID_ARGUMENTS', { problem: 'the server is named by its URL' })
  }
  const takesRepo = repo !== undefined && 'repo' in command.bind
  // A server of the same user keeps its token where we would.
  const known = token ?? (await doors.readToken(tokenFile))
  const asked = takesRepo ? { ...input, repo } : input
  return askServer({ url, token: known }, command, asked, terminal.stopped)
}
