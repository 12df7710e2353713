#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import type { Doors } from './faces/cli/doors.js'
import { runProgram } from './faces/cli/program.js'
import type { Terminal } from './faces/cli/terminal.js'
import { Gateway } from './gateway/gateway.js'
import { openRefusalRecorder } from './gateway/telling/record-refusals.js'
import { readSettingsFile } from './io/state/settings-file.js'
import { readOrCreateToken } from './io/state/token-file.js'

/** The only reader of the process: makes the terminal, runs the program, sets the exit code. */
async function main(): Promise<void> {
  const stop = new AbortController()
  // One Ctrl-C can arrive several times, from the terminal and from npm; stopping is bounded anyway.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  // Whoever reads us may have seen enough.
  process.stdout.on('error', () => stop.abort())
  const terminal: Terminal = {
    args: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    stopped: stop.signal,
  }
  const uid = process.geteuid?.() ?? 0
  const version = readVersion()
  const doors: Doors = {
    openGateway: options => Gateway.open(options),
    openRefusalRecorder,
    readToken: path => readOrCreateToken(path, uid),
    readSettings: path => readSettingsFile(path, { owners: [uid], followLinks: true }),
    clientFiles: async () => {
      const files = await import('./io/state/client-file.js')
      const { renderClientFile: render, readClientFile: read, writeClientFile: write } = files
      return { render, read, write }
    },
    createHttpFace: async log => {
      const { createHttpFace } = await import('./faces/http/server.js')
      const { createMcpHttp } = await import('./faces/mcp/http.js')
      return createHttpFace(log, gateway => createMcpHttp(gateway, log, version))
    },
    serveMcpStdio: async (gateway, session) => {
      const { serveMcpStdio } = await import('./faces/mcp/stdio.js')
      const pipes = { input: process.stdin, output: process.stdout }
      return serveMcpStdio(gateway, pipes, { ...session, version })
    },
  }
  process.exitCode = await runProgram(terminal, doors, version)
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return hasVersion ? String(manifest.version) : 'unknown'
}

await main()
