import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { memoryUsage } from 'node:process'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { type SpawnAnswer, type SpawnRequest, spawnBounded } from './spawn-bounded.js'

/** Where and how git is started; made by `gitPlace` and its kin. */
export interface GitPlace {
  readonly git: string
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Put before the subcommand, such as `-c core.hooksPath=/dev/null`. */
  readonly flags: readonly string[]
}

export interface RunOptions {
  readonly input?: Uint8Array | string
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly outputBytes?: number
  /** Exit codes that are answers, not failures; 0 always is. */
  readonly exitCodes?: readonly number[]
  /** Is told the first output while git is still at work. */
  readonly onPreview?: OnPreview | undefined
}

type OnPreview = (chunk: Uint8Array) => void

/** Git ended with a code that the caller did not expect. */
export class GitFailed extends Error {
  readonly exitCode: number | null
  readonly stderr: string

  constructor(args: readonly string[], exitCode: number | null, stderr: string) {
    super(`git ${args[0]} ended with ${exitCode}: ${stderr.slice(0, 500)}`)
    this.name = 'GitFailed'
    this.exitCode = exitCode
    this.stderr = stderr
  }
}

/** Runs one git command to its end and answers its output. Refuses with `TIMEOUT` or `TOO_LARGE`; throws `GitFailed`. */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  options: RunOptions = {},
): Promise<{ readonly stdout: Buffer; readonly exitCode: number }> {
  const input = typeof options.input === 'string' ? Buffer.from(options.input) : options.input
  const { onPreview } = options
  const request: SpawnRequest = {
    command: place.git,
    args: [...place.flags, ...args],
    env: { ...place.env, ...options.env },
    cwd: place.cwd,
    ...(input && { input }),
    timeoutMs: options.timeoutMs ?? fixedLimits.gitMs,
    outputBytes: options.outputBytes ?? fixedLimits.gitOutputBytes,
    ...(onPreview && { previewBytes: fixedLimits.previewBytes }),
  }
  const answer = await runBounded(request, onPreview)
  if (answer.problem === 'timeout') throw new Refusal('TIMEOUT', { command: args[0] })
  if (answer.problem === 'output') throw new Refusal('TOO_LARGE', { command: args[0] })
  const { exitCode } = answer
  if (exitCode === null || (exitCode !== 0 && !options.exitCodes?.includes(exitCode))) {
    throw new GitFailed(args, exitCode, answer.stderr)
  }
  return {
    stdout: Buffer.from(answer.stdout.buffer, answer.stdout.byteOffset, answer.stdout.length),
    exitCode,
  }
}

/** Like `runGit`, for output that is one short text. */
export async function gitText(
  place: GitPlace,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { stdout } = await runGit(place, args, options)
  return stdout.toString('utf8').trimEnd()
}

/** Ends the helper process, if one was started and nobody waits for it any more. */
export async function stopSpawnHelper(): Promise<void> {
  const child = helper
  if (child === undefined || waiting.size > 0) return
  helper = undefined
  const gone = once(child, 'exit')
  child.ref()
  child.disconnect()
  await gone
}

/** Above this, starting a child from here blocks longer than asking the helper costs. */
const leanBytes = 160 * 1024 * 1024
/** A process that starts more than this many is a server, for which the helper pays off at any size. */
const fewChildren = 24

let helper: ChildProcess | undefined
let started = 0
let nextId = 1
const waiting = new Map<number, (answer: SpawnAnswer) => void>()
const previewing = new Map<number, OnPreview>()

/** Runs any command to its end, from here or from the helper, whichever holds up this process less. */
export function runBounded(request: SpawnRequest, onPreview?: OnPreview): Promise<SpawnAnswer> {
  started += 1
  const isSmall = started <= fewChildren && memoryUsage.rss() < leanBytes
  return helper === undefined && isSmall
    ? spawnBounded(request, { ...(onPreview && { onPreview }) })
    : delegate(request, onPreview)
}

interface HelperMessage {
  readonly id: number
  readonly preview?: Uint8Array
  readonly answer?: SpawnAnswer
}

function delegate(request: SpawnRequest, onPreview?: OnPreview): Promise<SpawnAnswer> {
  helper ??= startHelper()
  const id = nextId++
  if (onPreview !== undefined) previewing.set(id, onPreview)
  const answered = new Promise<SpawnAnswer>(resolve => waiting.set(id, resolve))
  helper.channel?.ref()
  // One that could not be started has no channel, and tells its error.
  if (!helper.channel) return answered
  // A helper that has just ended is told by its exit, which fails all that wait.
  helper.send({ id, request }, () => {})
  return answered
}

function startHelper(): ChildProcess {
  const child = fork(new URL('./spawn-helper.js', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.on('message', ({ id, preview, answer }: HelperMessage) => {
    if (preview !== undefined) previewing.get(id)?.(preview)
    if (answer === undefined) return
    waiting.get(id)?.(answer)
    waiting.delete(id)
    previewing.delete(id)
    if (waiting.size === 0) child.channel?.unref()
  })
  const ended = (): void => {
    // One that was stopped owes nothing; who waits now waits for its successor.
    if (helper !== child) return
    helper = undefined
    const lost: SpawnAnswer = {
      exitCode: null,
      stdout: Buffer.alloc(0),
      stderr: 'the spawn helper ended',
      problem: 'not_started',
    }
    for (const resolve of waiting.values()) resolve(lost)
    waiting.clear()
    previewing.clear()
  }
  child.on('exit', ended)
  child.on('error', ended)
  child.channel?.unref()
  child.unref()
  return child
}
