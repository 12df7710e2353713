import { existsSync, realpathSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../core/errors.js'
import { fixedLimits } from '../../core/limits.js'
import { badPattern, type LinePattern, readCounts } from './count-matches.js'
import { type LineMatch, type MatchedLines, readMatches, readMatchLines } from './read-matches.js'
import { type GitPlace, runBounded } from './run-git.js'
import type { SpawnAnswer } from './spawn-bounded.js'

/** Neither the user's settings nor files that the repository brings say what is read and how; `crlf` lets `$` stand before a CR. */
const always = [
  ...['--no-config', '--no-messages', '--color=never', '--crlf'],
  ...['--regex-size-limit=16M', '--dfa-size-limit=64M'],
]

/** Lines that are longer than one byte are not printed: only where they are. */
const onlyPlaces = ['--text', '--line-number', '--column', '--max-columns=1']

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
 * The lines that fit in each regular file that stands directly in one of the directories, by the bytes of its name as
 * latin1; ignored files too: which of them count is for the caller to say. What says by its mark that it is UTF-16 is
 * read so. Directories are relative, '' is the root. Linear in what is read. Where they are too many, lines are only
 * counted. Refuses with `PATTERN_TIMEOUT` or `INVALID_ARGUMENTS`.
 */
export async function findByRipgrep(
  program: string,
  place: GitPlace,
  pattern: LinePattern,
  directories: readonly string[],
): Promise<ReadonlyMap<string, MatchedLines>> {
  const found = new Map<string, MatchedLines>()
  const deadline = performance.now() + fixedLimits.searchMs
  const run = (
    shape: readonly string[],
    chunk: readonly string[],
    outputBytes: number,
  ): Promise<SpawnAnswer> => {
    const args = [
      ...['--no-ignore', '--hidden', '--max-depth=1', '--null', '--text', ...shape],
      ...[`--max-filesize=${fixedLimits.searchedFileBytes}`, ...patternArgs(pattern), '--'],
      // A slash before each name, so that none is an option, and none is read as anything but a directory.
      ...chunk.map(directory => `./${directory}`),
    ]
    const timeoutMs = deadline - performance.now()
    return runRipgrep(program, place, { args, timeoutMs, outputBytes })
  }
  for (const chunk of chunks(directories)) {
    const placed = await run(['--heading', ...onlyPlaces], chunk, fixedLimits.searchPlaceBytes)
    const lines =
      placed.problem === 'output'
        ? countedOnly(outputOf(await run(['--count'], chunk, fixedLimits.gitOutputBytes)))
        : readMatches(outputOf(placed))
    for (const [name, matched] of lines) found.set(name.replace(/^(?:\.\/)+/, ''), matched)
  }
  return found
}

function* countedOnly(stdout: Buffer): Iterable<readonly [string, MatchedLines]> {
  for (const [name, count] of readCounts(stdout)) yield [name, { count, lines: undefined }]
}

/** The lines of a text, whose breaks are LF, that fit. Refuses as `findByRipgrep`. */
export async function matchLines(
  program: string,
  place: GitPlace,
  pattern: LinePattern,
  text: Uint8Array,
): Promise<readonly LineMatch[]> {
  const shape = ['--encoding=none', '--no-heading', ...onlyPlaces]
  const args = [...shape, ...patternArgs(pattern), '--', '-']
  const timeoutMs = fixedLimits.searchMs
  const outputBytes = fixedLimits.gitOutputBytes
  return readMatchLines(
    outputOf(await runRipgrep(program, place, { args, input: text, timeoutMs, outputBytes })),
  )
}

interface Run {
  readonly args: readonly string[]
  readonly input?: Uint8Array
  readonly timeoutMs: number
  readonly outputBytes: number
}

function runRipgrep(
  program: string,
  place: GitPlace,
  { args, input, timeoutMs, outputBytes }: Run,
): Promise<SpawnAnswer> {
  return runBounded({
    command: program,
    args: [...always, ...args],
    env: { PATH: place.env.PATH ?? '', LC_ALL: 'C' },
    cwd: place.cwd,
    ...(input && { input }),
    timeoutMs: Math.max(timeoutMs, 1),
    outputBytes,
  })
}

function outputOf(answer: SpawnAnswer): Buffer {
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
