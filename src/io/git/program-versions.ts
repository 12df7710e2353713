import { version } from 'node:process'
import { type GitPlace, gitText } from './run-git.js'

/** The version of Node that runs us, such as `20.19.1`. */
export const nodeVersion = version.replace(/^v/, '')

/** The version of the git that a place starts, as git says it. */
export async function gitVersionText(place: GitPlace): Promise<string> {
  return (await gitText(place, ['version'])).replace(/^git version /, '')
}

/** True where a version such as `2.39.5` is the wanted one or newer. */
export function isVersionAtLeast(text: string, ...wanted: readonly number[]): boolean {
  const numbers = (/\d+(?:\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number)
  for (const [index, least] of wanted.entries()) {
    const actual = numbers[index] ?? 0
    if (actual !== least) return actual > least
  }
  return true
}
