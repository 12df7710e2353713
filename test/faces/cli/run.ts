import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The built program. */
export const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the built program. */
export function startProgram(args: readonly string[], options: RunOptions = {}): ChildProcess {
  const { cwd = process.cwd(), env = {} } = options
  return spawn(process.execPath, [main, ...args], { cwd, env: { ...process.env, ...env } })
}

/** Runs the built program to its end. */
export function runProgram(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = startProgram(args, options)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.input)
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve({ code, stdout: stdout(), stderr: stderr() }))
  })
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = []
  stream?.on('data', chunk => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

export interface Served {
  readonly url: string
  readonly token: string
  readonly pid: number
  /** Everything printed so far. */
  printed(): string
  /** Sends SIGTERM and answers the exit code. */
  stop(): Promise<number | null>
}

/** Starts `editlatch serve --json` and waits until it is ready. */
export async function serve(args: readonly string[], options: RunOptions = {}): Promise<Served> {
  const child = startProgram(['serve', '--json', '--durability', 'process', ...args], options)
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const ended = new Promise<number | null>(resolve => child.on('close', code => resolve(code)))
  while (!stdout().includes('\n')) {
    const data = new Promise<'data'>(resolve => child.stdout?.once('data', () => resolve('data')))
    if ((await Promise.race([data, ended])) !== 'data') throw new Error(`no start: ${stderr()}`)
  }
  const { url, token } = JSON.parse(stdout().split('\n')[0] ?? '')
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM')
    return ended
  }
  return { url, token, pid: child.pid ?? 0, printed: () => stdout() + stderr(), stop }
}
