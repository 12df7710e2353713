import { pino } from 'pino'
import type { Output } from './terminal.js'

/** What a server writes down about itself. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** One line of JSON for each thing worth knowing. */
export function createLog(output: Output): Log {
  return pino({ base: null }, { write: line => output.write(line) })
}

/** Says that a repository brings settings along that do not count. */
export function logIgnored(log: Log, file: string): void {
  log.info(
    { file },
    'ignored: the repository is not trusted; --trusted <dir> or trusted in your own file reads it',
  )
}
