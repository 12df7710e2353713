import type { Answer, Command } from '../../commands/command.js'
import { renderRefusal } from '../../commands/render-refusal.js'
import { Refusal } from '../../core/errors.js'
import { exitCodes } from './exit-codes.js'
import { printBytes, printLine, type Terminal } from './terminal.js'

/** Prints an answer: JSON where it is asked for, else compact text; a stream is a line of JSON for each event. */
export async function printAnswer(
  terminal: Terminal,
  command: Command,
  answer: Answer,
  json: boolean,
): Promise<void> {
  const { stdout } = terminal
  switch (answer.kind) {
    case 'value':
      printLine(stdout, json ? JSON.stringify(answer.value) : command.render(answer.value))
      return
    case 'bytes':
      printBytes(stdout, answer.bytes)
      return
    case 'unchanged':
      printLine(stdout, json ? '{"unchanged":true}' : 'unchanged')
      return
    case 'stream':
      for await (const event of answer.events) printLine(stdout, JSON.stringify(event.data))
  }
}

/** Prints what went wrong to standard error and says how the program ends. */
export function printFailure(terminal: Terminal, error: unknown, json: boolean): number {
  const { stderr } = terminal
  if (!(error instanceof Refusal)) {
    printLine(stderr, `editlatch failed: ${describe(error)}`)
    return exitCodes.failed
  }
  printLine(stderr, json ? JSON.stringify(error) : `refused: ${renderRefusal(error)}`)
  return exitCodes.refused
}

/** The system's own words where it refused something; a stack only where the fault is ours. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return `${error.message}: ${describe(error.cause)}`
  return 'code' in error ? error.message : (error.stack ?? error.message)
}
