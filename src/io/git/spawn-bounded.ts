import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { kill } from 'node:process'

/** One command to its end, with every bound it has. */
export interface SpawnRequest {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly input?: Uint8Array
  readonly timeoutMs: number
  readonly outputBytes: number
  /** Bytes of output, from its beginning, that are told as they come; none where nothing is said. */
  readonly previewBytes?: number
}

export interface SpawnAnswer {
  /** Null when a signal ended it or it could not be started. */
  readonly exitCode: number | null
  readonly stdout: Uint8Array
  readonly stderr: string
  readonly problem?: 'timeout' | 'output' | 'not_started' | 'aborted'
}

/** What is told of a command before it has ended. */
export interface SpawnWatch {
  readonly background?: Background
  readonly onPreview?: (chunk: Uint8Array) => void
}

/** For a command that nobody waits for: it gets the processor when others leave it, and may be ended at any time. */
export interface Background {
  readonly signal: AbortSignal
  readonly onStart: (pid: number) => void
  /** Called before it is ended. */
  readonly onEnd: () => void
}

const stderrBytes = 64 * 1024
const killAfterMs = 2_000
const backgroundPriority = 10

/**
 * Runs the command without a shell. Past its time or its output it gets SIGTERM (git removes its locks on it), then
 * SIGKILL, and so does all that it has started: a filter that hangs would keep our ends of the pipes open.
 */
export function spawnBounded(
  request: SpawnRequest,
  { background, onPreview }: SpawnWatch = {},
): Promise<SpawnAnswer> {
  return new Promise(resolve => {
    // Without streams where this process has too many files open.
    const child: ChildProcess = spawn(request.command, request.args, {
      env: request.env,
      cwd: request.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own.
      detached: true,
    })
    const chunks: Buffer[] = []
    let size = 0
    let stderr = ''
    let problem: SpawnAnswer['problem']
    let killer: NodeJS.Timeout | undefined

    const end = (why: 'timeout' | 'output' | 'aborted'): void => {
      if (problem !== undefined) return
      problem = why
      background?.onEnd()
      endGroup(child.pid, 'SIGTERM')
      killer = setTimeout(() => {
        endGroup(child.pid, 'SIGKILL')
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, killAfterMs)
    }
    const deadline = setTimeout(() => end('timeout'), request.timeoutMs)
    const abort = (): void => end('aborted')
    if (background !== undefined) yieldToOthers(child.pid, background, abort)

    child.stdout?.on('data', (chunk: Buffer) => {
      if (size < (request.previewBytes ?? 0)) onPreview?.(chunk)
      size += chunk.length
      if (size > request.outputBytes) end('output')
      else chunks.push(chunk)
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-stderrBytes)
    })
    const finish = (exitCode: number | null): void => {
      clearTimeout(deadline)
      clearTimeout(killer)
      // What has closed our pipes would outlive the command: it does not heed SIGTERM, or nobody waits for it any more.
      if (problem !== undefined || background !== undefined) endGroup(child.pid, 'SIGKILL')
      background?.signal.removeEventListener('abort', abort)
      const stdout = Buffer.concat(chunks)
      resolve(
        problem === undefined
          ? { exitCode, stdout, stderr }
          : { exitCode, stdout, stderr, problem },
      )
    }
    child.on('error', error => {
      problem = 'not_started'
      stderr = error.message
      finish(null)
    })
    child.on('close', finish)
    child.stdin?.on('error', () => {})
    child.stdin?.end(request.input ?? Buffer.alloc(0))
  })
}

function yieldToOthers(pid: number | undefined, background: Background, abort: () => void): void {
  if (pid === undefined) return
  try {
    // What it starts inherits this.
    setPriority(pid, backgroundPriority)
  } catch {
    // It has ended by itself.
  }
  background.onStart(pid)
  if (background.signal.aborted) abort()
  else background.signal.addEventListener('abort', abort, { once: true })
}

function endGroup(leader: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (leader !== undefined) kill(-leader, signal)
  } catch {
    // They have ended by themselves.
  }
}
