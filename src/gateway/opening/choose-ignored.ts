import { readdirSync } from 'node:fs'
import { Refusal } from '../../core/errors.js'
import { globMatcher } from '../../core/glob.js'
import { fixedLimits } from '../../core/limits.js'
import { openDirectory } from '../../io/files/safe-walk.js'

/** What git ignores, chosen by patterns. */
export interface ChosenPaths {
  /** Files and, with a slash at the end, directories: sorted, none within another. */
  readonly paths: readonly string[]
  /** Patterns that fit nothing. */
  readonly unused: readonly string[]
}

/**
 * Chooses among what git ignores in a checkout: `.env` or `node_modules` fits the name at any depth, `a/.env` a path from the
 * top, with a slash at the end only directories. What lies in an ignored directory is reached only by a pattern that
 * begins with the path of the directory.
 */
export function chooseIgnored(
  workTree: string,
  ignored: readonly string[],
  patterns: readonly string[],
): ChosenPaths {
  const chosen = patterns.map(pattern => choose(workTree, ignored, pattern))
  const paths = withoutNested([...new Set(chosen.flat())].sort())
  return { paths, unused: patterns.filter((_, at) => chosen[at]?.length === 0) }
}

/** Refuses with `INVALID_ARGUMENTS` a pattern that nothing could fit. */
export function checkIncludes(patterns: readonly string[]): void {
  for (const pattern of patterns) {
    const isPath = pattern !== '' && !pattern.startsWith('!')
    if (!isPath || pattern.split('/').some(name => name === '.' || name === '..')) {
      throw new Refusal('INVALID_ARGUMENTS', {
        problem: `an include is a glob of paths in the checkout, not ${JSON.stringify(pattern)}`,
      })
    }
    globMatcher(pattern)
  }
}

function choose(workTree: string, ignored: readonly string[], pattern: string): readonly string[] {
  const plain = pattern.replace(/\/+$/, '')
  const onlyDirectories = plain !== pattern
  const fits = globMatcher(plain, { maxSteps: fixedLimits.globSteps })
  const isWanted = (path: string): boolean =>
    withParents(path).some(
      one => fits(one) && (!onlyDirectories || one !== path || path.endsWith('/')),
    )
  const listed = ignored.filter(isWanted)
  const place = fixedPart(plain)
  const above = ignored.find(path => path.endsWith('/') && isWithin(`${place}/`, path))
  if (above === undefined || listed.includes(above)) return listed
  return [...listed, ...walk(workTree, place).filter(isWanted)]
}

/** The path without its slash, and every directory above it. */
function withParents(path: string): readonly string[] {
  const names = path.replace(/\/$/, '').split('/')
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** The names before the first one that holds a wildcard. */
function fixedPart(pattern: string): string {
  const names = pattern.replace(/^\//, '').split('/')
  const first = names.findIndex(name => /[*?[\]{}\\]/.test(name))
  return (first < 0 ? names : names.slice(0, first)).join('/')
}

/** Everything at and below a place that is not at the top, directories with a slash; no more is looked at than is allowed. */
function walk(workTree: string, place: string): readonly string[] {
  const beside = listWithKinds(workTree, place.slice(0, place.lastIndexOf('/')))
  const found = beside.filter(path => path === place || path === `${place}/`)
  for (let at = 0; at < found.length && found.length < fixedLimits.includeLooks; at += 1) {
    const path = found[at] ?? ''
    if (path.endsWith('/')) found.push(...listWithKinds(workTree, path.slice(0, -1)))
  }
  return found
}

/** The paths of what is in a directory, directories with a slash; none where it is no directory. Links are not followed. */
export function listWithKinds(workTree: string, path: string): readonly string[] {
  try {
    const directory = openDirectory(workTree, path, 'leave')
    if (directory === undefined) return []
    try {
      return readdirSync(directory.self, { withFileTypes: true }).map(
        entry => `${path}/${entry.name}${entry.isDirectory() ? '/' : ''}`,
      )
    } finally {
      directory.close()
    }
  } catch {
    return []
  }
}

/** In this order all that lies in a directory follows it. */
function withoutNested(sorted: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (const path of sorted) if (!isWithin(path, kept.at(-1) ?? '')) kept.push(path)
  return kept
}

/** True for what lies below a directory that ends in a slash. */
function isWithin(path: string, directory: string): boolean {
  return path !== directory && directory.endsWith('/') && path.startsWith(directory)
}
