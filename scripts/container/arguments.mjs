// The command line of the container made into that of the program.
import { namesRepository } from '../names-repository.mjs'

/**
 * `serve` where no subcommand is named; of repositories those that are mounted, where none is named. Undefined where there
 * is none at all. Any other command line stays as it is.
 * @param {readonly string[]} args
 * @param {readonly string[]} mounted
 * @returns {readonly string[] | undefined}
 */
export function programArguments(args, mounted) {
  const [first = '/', ...rest] = args
  const isOfServe = /^(?:\/|--(?!help|version))/.test(first)
  if (isOfServe) return programArguments(['serve', ...args], mounted)
  if (rest.includes('--help') || (first !== 'serve' && first !== 'mcp')) return args
  if (namesRepository(rest)) return args
  return mounted.length === 0 ? undefined : [...args, ...mounted]
}
