import { lstatSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../core/errors.js'
import { ourUser } from '../../io/git/effective-user.js'
import type { Repository } from '../../io/git/open-repository.js'
import { readSettingsFile } from '../../io/state/settings-file.js'
import { type Layer, resolveSettings } from '../../settings/layers.js'
import { repositoryOptions } from '../../settings/options-of.js'
import { readDocument } from '../../settings/read-document.js'
import type { SettingsOfRepository } from '../repository/served-repository.js'

/** What an operator has said, by flags, variables and a file: the first layer that says a setting decides. */
export interface OperatorSettings {
  readonly layers: readonly Layer[]
  /** Tells of a file that is not read. */
  readonly onIgnored?: (file: string) => void
}

/** Repository files of this name say settings. */
const settingsFileName = '.editlatch.json'

/**
 * What the repository says of itself, where the operator trusts it. Read is the file at the top of the main checkout, as
 * it stands there: a person has checked it out and sees it, no branch that was pushed says anything, and agents work in
 * other directories, in which it is a protected path. Anything but a regular file of the repository's owner is refused;
 * the file of a repository that is not trusted is not even opened.
 */
export function readRepositorySettings(
  { workTree }: Repository,
  operator: OperatorSettings | undefined,
): SettingsOfRepository {
  if (operator === undefined) return { own: {} }
  if (workTree === undefined) return withLayer(operator)
  const file = join(workTree, settingsFileName)
  if (!isThere(file)) return withLayer(operator)
  if (!isTrusted(workTree, operator)) {
    operator.onIgnored?.(file)
    return { ...withLayer(operator), ignoredFile: file }
  }
  const owners = [ourUser(), statSync(workTree).uid]
  const bytes = readSettingsFile(file, { owners, followLinks: false })
  if (bytes === undefined) return withLayer(operator)
  return withLayer(operator, readDocument({ file, from: 'repository', bytes }))
}

function withLayer({ layers }: OperatorSettings, layer?: Layer): SettingsOfRepository {
  const all = layer === undefined ? layers : between(layers, layer)
  const resolved = resolveSettings(all)
  return {
    own: repositoryOptions(resolved.settings),
    resolved,
    ...(layer !== undefined && { layer }),
  }
}

/** Flags and variables stand above what a repository says, the user's own file below it. */
function between(layers: readonly Layer[], layer: Layer): readonly Layer[] {
  const isBelow = ({ from }: Layer): boolean => from === 'user' || from === 'defaults'
  return [...layers.filter(one => !isBelow(one)), layer, ...layers.filter(isBelow)]
}

function isTrusted(workTree: string, { layers }: OperatorSettings): boolean {
  const { settings } = resolveSettings(layers)
  if (settings.trust_config) return true
  const here = realpathSync(workTree)
  return settings.trusted.some(directory => realPath(directory) === here)
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

function realPath(directory: string): string | undefined {
  try {
    return realpathSync(directory)
  } catch {
    return undefined
  }
}

/** Refuses with `INVALID_SETTINGS` a repository that asks for other tools than the others: all are served by one list. */
export function checkSameTools(
  { own, layer }: SettingsOfRepository,
  others: readonly SettingsOfRepository[],
): void {
  const odd = others.find(one => JSON.stringify(one.own.dialects) !== JSON.stringify(own.dialects))
  if (odd === undefined) return
  throw new Refusal('INVALID_SETTINGS', {
    file: layer?.file ?? odd.layer?.file ?? '',
    key: 'dialects',
    problem:
      'repositories that are served together have one list of tools, and these say different dialects',
    expected: 'the same in all of them, or a flag or variable that says it for all',
  })
}
