import { CommanderError, Command as Program } from 'commander'
import type { Command } from '../../commands/command.js'
import { commands } from '../../commands/registry.js'
import type { Doors } from './doors.js'
import { exitCodes } from './exit-codes.js'
import { addSettingFlags } from './flags.js'
import { addMcp } from './mcp.js'
import { addMcpConfig } from './mcp-config.js'
import { type CommandFlags, runCommand } from './run-command.js'
import { addSchemas } from './schemas.js'
import { addServe } from './serve.js'
import { addFields } from './take-arguments.js'
import type { Terminal } from './terminal.js'

/** Runs the program for one command line and answers its exit code. The one door to commander, with its flags. */
export async function runProgram(
  terminal: Terminal,
  doors: Doors,
  version: string,
): Promise<number> {
  let code: number = exitCodes.done
  const finish = (ended: number): void => {
    code = ended
  }
  const program = createProgram(terminal, version)
  addServe(program, terminal, doors, finish)
  addMcp(program, terminal, doors, finish)
  addMcpConfig(program, terminal, doors, finish)
  addSchemas(program, terminal, finish)
  for (const command of commands) addCommand(program, terminal, doors, command, finish)
  try {
    await program.parseAsync([...terminal.args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
  return code
}

/** What somebody who has just installed it does first. */
const firstSteps = `
First steps:
  editlatch serve    in a git repository: serve it over HTTP
  editlatch mcp      as the command of an MCP client: serve the repository it works in
  editlatch doctor   look whether this machine has what it needs`

function createProgram(terminal: Terminal, version: string): Program {
  return new Program('editlatch')
    .description('An edit gateway for coding agents: each batch of edits is one git commit.')
    .version(version)
    .addHelpText('after', firstSteps)
    .exitOverride()
    .configureOutput({
      writeOut: text => terminal.stdout.write(text),
      writeErr: text => terminal.stderr.write(text),
    })
}

function addCommand(
  program: Program,
  terminal: Terminal,
  doors: Doors,
  command: Command,
  finish: (code: number) => void,
): void {
  const subcommand = program.command(command.name).description(command.summary)
  addFields(subcommand, command)
  subcommand
    .option(
      '--repo <repo>',
      'the repository: its path here, or its name on the server (default: .)',
    )
    .option('--json', 'print the answer, or the refusal, as JSON')
  addSettingFlags(subcommand, 'command')
  subcommand.action(async () => {
    const flags = subcommand.opts<CommandFlags>()
    finish(await runCommand(terminal, doors, command, subcommand.processedArgs, flags))
  })
}
