// The command line of the container made into that of the program.
import { namesRepository } from '../names-repository.mjs'

const worktrees = ['--worktrees', '/data/worktrees']

/** What is said here holds unless it is said otherwise: of a flag that is given twice the last one counts. */
const ways = {
  serve: [
    ...['--host', '0.0.0.0', '--port', '8080', ...worktrees],
    // Whatever port of the host ours is published at.
    ...['--allow-host', '127.0.0.1', '--allow-host', 'localhost'],
  ],
  mcp: worktrees,
}

/**
 * `serve` where no subcommand is named, with what `serve` and `mcp` need in a container; of repositories those that are
 * mounted, where none is named. Undefined where there is none at all. Any other command line stays as it is.
 * @param {readonly string[]} args
 * @param {readonly string[]} mounted
 * @returns {readonly string[] | undefined}
 */
export function programArguments(args, mounted) {
  const [first = '/', ...rest] = args
  const isOfServe = /^(?:\/|--(?!help|version))/.test(first)
  if (isOfServe) return programArguments(['serve', ...args], mounted)
  if (rest.includes('--help') || (first !== 'serve' && first !== 'mcp')) return args
  if (namesRepository(rest)) return [first, ...ways[first], ...rest]
  return mounted.length === 0 ? undefined : [first, ...ways[first], ...rest, ...mounted]
}
