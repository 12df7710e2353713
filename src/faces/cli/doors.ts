import type {
  ClientFileEntry,
  ClientFileFormat,
  ClientFileOutcome,
  ClientFilePlace,
} from '../../core/client-file.js'
import type { Gateway, GatewayOptions } from '../../gateway/gateway.js'
import type { Meter } from '../../gateway/telling/meter.js'
import type { RefusalRecorder } from '../../gateway/telling/record-refusals.js'
import type { Log } from './log.js'

/** What the program opens but does not know from inside; main puts it into its hands. */
export interface Doors {
  openGateway(options: GatewayOptions): Promise<Gateway>
  /** The server's token, made where there is none yet. */
  readToken(path: string): Promise<string>
  /** The user's own file of settings; undefined where there is none. */
  readSettings(path: string): Uint8Array | undefined
  /** The configuration files of other programs. */
  clientFiles(): Promise<ClientFiles>
  openRefusalRecorder(path: string): RefusalRecorder
  createHttpFace(log: Log): Promise<HttpFace>
  /** Serves one MCP client over the standard streams until it goes. */
  serveMcpStdio(
    gateway: Gateway,
    session: {
      readonly log: Log
      /** Where the client works. */
      readonly directory: string
      readonly stopped: AbortSignal
    },
  ): Promise<void>
}

/** The gateway over HTTP: its meter counts from before the gateway opens. */
export interface HttpFace {
  readonly meter: Meter
  serve(
    gateway: Gateway,
    place: {
      readonly host: string
      readonly port: number
      readonly allowHosts: readonly string[]
    },
  ): Promise<{ readonly url: string; close(): Promise<void> }>
}

/** Reads and changes the configuration files of other programs, with `INVALID_SETTINGS` where that is not safe. */
export interface ClientFiles {
  /** The text of a file that holds these entries alone. */
  render(format: ClientFileFormat, entries: readonly ClientFileEntry[]): string
  /** What a file says; undefined where there is none. */
  read(place: ClientFilePlace, format: ClientFileFormat): Promise<unknown>
  write(change: {
    readonly place: ClientFilePlace
    readonly format: ClientFileFormat
    readonly entries: readonly ClientFileEntry[]
    readonly force: boolean
  }): Promise<ClientFileOutcome>
}
