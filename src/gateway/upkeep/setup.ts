import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { fixedLimits } from '../../core/limits.js'
import { type HostEnvironment, programPath } from '../../io/git/git-environment.js'
import { isAlive, type Owner, ownDirectory, readOwner } from '../../io/git/owner-record.js'
import { readRegular } from '../../io/git/read-regular.js'
import { type SpawnAnswer, spawnBounded } from '../../io/git/spawn-bounded.js'
import { randomHex } from '../../io/random-name.js'
import type { Checkout } from '../checkout/checkout.js'
import { type SetupAnswer, setupStates } from '../telling/answers.js'

export interface SetupOptions {
  /** A program and its arguments; no shell reads them. */
  readonly command: readonly string[]
  readonly limitMs: number
  readonly host: HostEnvironment
  /** Learns how it ended, unless the gateway ended it. */
  readonly onEnd: (ended: SetupAnswer) => void
}

/**
 * Runs an operator's command once in a new worktree, beside the work in it; those of one repository run one after another.
 * It ends with the worktree or past its time, together with all that it has started in its process group. However it
 * ends, the worktree can be worked in.
 */
export function startSetup(checkout: Checkout, options: SetupOptions): void {
  const { command } = options
  const { setups, settingUp } = checkout.served
  const stopping = new AbortController()
  const tell = (state: SetupAnswer): void => {
    setups.set(checkout.gitDir, state)
    keep(checkout, state)
  }
  tell({ state: 'waiting', command })
  const run = settingUp.run(async () => {
    if (stopping.signal.aborted) return
    tell({ state: 'running', command })
    const ended = await runCommand(checkout, options, stopping.signal)
    tell(ended)
    if (!stopping.signal.aborted) options.onEnd(ended)
  })
  const settled = run.catch(checkout.onFault)
  checkout.onStop(async () => {
    stopping.abort()
    await settled
    setups.delete(checkout.gitDir)
  })
}

/** How far the command in a worktree is, or how it ended in whatever process; undefined where there was none. */
export function setupOf(checkout: Checkout): SetupAnswer | undefined {
  return checkout.served.setups.get(checkout.gitDir) ?? kept(checkout.gitDir)
}

async function runCommand(
  checkout: Checkout,
  { command, limitMs, host }: SetupOptions,
  signal: AbortSignal,
): Promise<SetupAnswer> {
  const started = performance.now()
  const [program = '', ...args] = command
  const env = setupEnvironment(host)
  const bounds = { timeoutMs: limitMs, outputBytes: fixedLimits.setupOutputBytes }
  const request = { command: program, args, env, cwd: checkout.path, ...bounds }
  const background = { signal, onStart: () => {}, onEnd: () => {} }
  const answer = await spawnBounded(request, { background })
  const seconds = Math.round((performance.now() - started) / 100) / 10
  return { ...outcomeOf(answer), command, seconds }
}

function outcomeOf({
  exitCode,
  problem,
  stdout,
  stderr,
}: SpawnAnswer): Omit<SetupAnswer, 'command'> {
  if (exitCode === 0 && problem === undefined) return { state: 'done', exit_code: 0 }
  const output = `${Buffer.from(stdout).toString('utf8')}${stderr}`.slice(
    -fixedLimits.setupOutputChars,
  )
  return {
    state: problem === 'aborted' ? 'interrupted' : 'failed',
    ...(exitCode !== null && { exit_code: exitCode }),
    ...(problem !== undefined && problem !== 'aborted' && { reason: reasons[problem] }),
    ...(output !== '' && { output }),
  }
}

const reasons = {
  timeout: 'it took longer than --limit setupMs allows',
  output: 'it printed too much',
  not_started: 'it could not be started',
} as const

/** What a build needs, and nothing else of what the server was given. */
const passedOn = [
  ...['HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'XDG_CACHE_HOME'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
]

function setupEnvironment(host: HostEnvironment): Readonly<Record<string, string>> {
  const passed = passedOn.flatMap(name => {
    const value = host[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { PATH: programPath(host), ...Object.fromEntries(passed) }
}

const recordBytes = 64 * 1024
const record = z.object({
  /** The record of the process that runs it. */
  owner: z.string(),
  setup: z.object({
    state: z.enum(setupStates),
    command: z.array(z.string()),
    exit_code: z.int().exactOptional(),
    reason: z.string().exactOptional(),
    seconds: z.number().exactOptional(),
    output: z.string().exactOptional(),
  }),
})

/** Whole or not at all; what cannot be written is only known until the process ends. */
function keep(checkout: Checkout, setup: SetupAnswer): void {
  const path = recordPath(checkout.gitDir)
  const fresh = `${path}-${randomHex(12)}`
  try {
    writeFileSync(fresh, JSON.stringify({ owner: checkout.owner.path, setup }), { flag: 'wx' })
    renameSync(fresh, path)
  } catch (error) {
    // The worktree is gone, perhaps.
    rmSync(fresh, { force: true })
    if (checkout.isThere()) checkout.onFault(error)
  }
}

function kept(gitDir: string): SetupAnswer | undefined {
  const text = readRegular(recordPath(gitDir), recordBytes)?.toString('utf8')
  if (text === undefined) return undefined
  try {
    const { owner, setup } = record.parse(JSON.parse(text))
    const isUnderWay = setup.state === 'waiting' || setup.state === 'running'
    return isUnderWay && !lives(readOwner(owner)) ? { ...setup, state: 'interrupted' } : setup
  } catch {
    return undefined
  }
}

function lives(owner: Owner | undefined): boolean {
  return owner !== undefined && isAlive(owner)
}

function recordPath(gitDir: string): string {
  return join(ownDirectory(gitDir), 'setup')
}
