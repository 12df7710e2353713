import { Option, type Command as Program } from 'commander'
import { parseDialects } from '../../commands/parse-dialects.js'
import { type Provider, providerSchemas, providers } from '../../commands/provider-schemas.js'
import { exitCodes } from './exit-codes.js'
import { printFailure } from './print-answer.js'
import { printLine, type Terminal } from './terminal.js'

interface SchemasFlags {
  readonly provider: Provider
  readonly degraded: boolean
  readonly dialects?: string
}

/** Adds `editlatch schemas`: the tools as function definitions, for builders who do not speak MCP. */
export function addSchemas(
  program: Program,
  terminal: Terminal,
  finish: (code: number) => void,
): void {
  program
    .command('schemas')
    .description('Print the tools as function definitions of a provider, as JSON.')
    .addOption(
      new Option('--provider <name>', 'whose definitions')
        .choices(providers)
        .makeOptionMandatory(true),
    )
    .option('--degraded', 'only short texts and drafts: after an argument was cut off', false)
    .option('--dialects <names>', 'dialects that edits may be said in, with commas (default: all)')
    .action(({ provider, degraded, dialects }: SchemasFlags) => {
      try {
        const offered = dialects === undefined ? undefined : parseDialects(dialects)
        const schemas = providerSchemas(provider, { degraded, dialects: offered })
        printLine(terminal.stdout, JSON.stringify(schemas, null, 2))
        finish(exitCodes.done)
      } catch (error) {
        finish(printFailure(terminal, error, false))
      }
    })
}
