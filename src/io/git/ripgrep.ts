import { existsSync, realpathSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { badPattern, type LineCounts, type LinePattern, readCounts } from './count-matches.js'
import { type GitPlace, runBounded } from './run-git.js'
import type { SpawnAnswer } from './spawn-bounded.js'

/** Where a line fits: its number from 1, and the byte of the line, from 0, at which it does. */
export interface LineMatch {
  readonly line: number
  readonly byte: number
}

/** Neither the user's settings nor files that the repository brings say what is read and how; `crlf` lets `$` stand before a CR. */
const always = [
  ...['--no-config', '--no-messages', '--color=never', '--encoding=none', '--crlf'],
  ...['--regex-size-limit=16M', '--dfa-size-limit=64M'],
]

/** The program; undefined where the optional package, or its part for this system, is not installed. */
export function findRipgrep(): string | undefined {
  const name = platform() === 'win32' ? 'rg.exe' : 'rg'
  const part = `ripgrep-${platform()}-${arch()}`
  try {
    // What the package itself exports throws where its part is missing, and we must go on without it.
    const root = realpathSync(fileURLToPath(new URL('..', import.meta.resolve('@vscode/ripgrep'))))
    const places = [join(root, '..', part), join(root, 'node_modules', '@vscode', part)]
    return places.map(place => join(place, 'bin', name)).find(path => existsSync(path))
  } catch {
    return undefined
  }
}

/**
 * How many lines fit in each regular file that stands directly in one of the directories, ignored files too: which of
 * them count is for the caller to say. Directories are relative, '' is the root. Linear in what is read. Refuses with
 * `PATTERN_TIMEOUT` or `INVALID_ARGUMENTS`.
 */
export async function countByRipgrep(
  program: string,
  place: GitPlace,
  pattern: LinePattern,
  directories: readonly string[],
): Promise<LineCounts> {
  const counts = new Map<string, number>()
  const deadline = performance.now() + fixedLimits.searchMs
  for (const chunk of chunks(directories)) {
    const args = [
      ...['--no-ignore', '--hidden', '--max-depth=1', '--count', '--null', '--text'],
      ...[`--max-filesize=${fixedLimits.searchedFileBytes}`, ...patternArgs(pattern), '--'],
      // A slash before each name, so that none is an option, and none is read as anything but a directory.
      ...chunk.map(directory => `./${directory}`),
    ]
    const stdout = await ripgrep(program, place, { args, timeoutMs: deadline - performance.now() })
    for (const [name, count] of readCounts(stdout))
      counts.set(name.replace(/^(?:\.\/)+/, ''), count)
  }
  return counts
}

/** The lines of a text, whose breaks are LF, that fit. Refuses as `countByRipgrep`. */
export async function matchLines(
  program: string,
  place: GitPlace,
  pattern: LinePattern,
  text: Uint8Array,
): Promise<readonly LineMatch[]> {
  // Lines that are longer than one byte are not printed: only where they are.
  const shape = ['--text', '--line-number', '--column', '--no-heading', '--max-columns=1']
  const args = [...shape, ...patternArgs(pattern), '--', '-']
  const stdout = await ripgrep(program, place, {
    args,
    input: text,
    timeoutMs: fixedLimits.searchMs,
  })
  const lines = stdout.toString('latin1').split('\n')
  return lines.flatMap(line => {
    const [, number, column] = /^(\d+):(\d+):/.exec(line) ?? []
    return number === undefined ? [] : [{ line: Number(number), byte: Number(column) - 1 }]
  })
}

interface Run {
  readonly args: readonly string[]
  readonly input?: Uint8Array
  readonly timeoutMs: number
}

async function ripgrep(
  program: string,
  place: GitPlace,
  { args, input, timeoutMs }: Run,
): Promise<Buffer> {
  const answer = await runBounded({
    command: program,
    args: [...always, ...args],
    env: { PATH: place.env.PATH ?? '', LC_ALL: 'C' },
    cwd: place.cwd,
    ...(input && { input }),
    timeoutMs: Math.max(timeoutMs, 1),
    outputBytes: fixedLimits.gitOutputBytes,
  })
  refuseFailure(answer)
  return Buffer.from(answer.stdout.buffer, answer.stdout.byteOffset, answer.stdout.length)
}

/** 1 is for nothing found; 2 without a word for files that could not be read, which are nobody's answer. */
function refuseFailure({ problem, exitCode, stderr }: SpawnAnswer): void {
  if (problem === 'timeout') throw new Refusal('PATTERN_TIMEOUT')
  if (problem === 'output') throw new Refusal('TOO_LARGE', { command: 'rg' })
  if (exitCode === 0 || exitCode === 1 || (exitCode === 2 && stderr === '')) return
  if (exitCode === 2) throw badPattern(wording(stderr))
  throw new Error(`rg ended with ${exitCode}: ${stderr.slice(0, 500)}`)
}

/** What the engine says, without its advice on options that nobody here can set. */
function wording(stderr: string): string {
  const told = (stderr.split('\n\n')[0] ?? '').replace(/^rg: /, '').trim()
  const error = /^error: (.*)$/m.exec(told)?.[1] ?? told
  return /look-around|backreferences/.test(error)
    ? `${error}, because the engine never takes long; search for a simpler pattern and read the hits`
    : error
}

function patternArgs({ text, syntax, ignoreCase }: LinePattern): readonly string[] {
  return [
    ...(syntax === 'fixed' ? ['--fixed-strings'] : []),
    ignoreCase ? '--ignore-case' : '--case-sensitive',
    `--regexp=${text}`,
  ]
}

function* chunks(directories: readonly string[]): Iterable<readonly string[]> {
  let chunk: string[] = []
  let bytes = 0
  for (const directory of directories) {
    // Each argument also costs a pointer.
    const size = Buffer.byteLength(directory) + 16
    if (bytes + size > fixedLimits.searchArgumentBytes && chunk.length > 0) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(directory)
    bytes += size
  }
  if (chunk.length > 0) yield chunk
}
