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
