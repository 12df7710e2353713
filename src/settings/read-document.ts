import { Refusal } from '../core/errors.js'
import { parseStrictJson } from '../core/strict-json.js'
import { checkValue, findSetting, nearestName } from './check-value.js'
import type { Layer } from './layers.js'
import { type SettingName, type SettingValues, settingNames, settingOf } from './table.js'

/** A file of settings: the user's own, or one that a repository brings along. */
export interface SettingsDocument {
  readonly file: string
  readonly from: 'user' | 'repository'
  readonly bytes: Uint8Array
}

/**
 * What a file of settings says. One JSON object, strictly read, with `$schema` at will. Refuses with
 * `INVALID_SETTINGS` for a key that nobody knows or that such a file may not say, and for a value that does not fit.
 */
export function readDocument({ file, from, bytes }: SettingsDocument): Layer {
  const document = parse(file, bytes)
  const entries = Object.entries(document).flatMap(([key, value]) => {
    if (key === '$schema') return []
    const name = findSetting(key)
    if (name === undefined) throw unknownKey(file, key, from)
    if (!mayHold(name, from)) throw misplaced(file, name)
    const checked = checkValue(name, value, { file, key })
    checkPlaces(name, checked, file)
    return [[name, checked] as const]
  })
  return { from, file, values: Object.fromEntries(entries) as SettingValues }
}

/** What the strict reader refuses, said of the file. */
function parse(file: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const problem = String(error.data.problem ?? 'the body ends early')
    const said = problem.replace('the body', 'the file')
    throw new Refusal('INVALID_SETTINGS', { file, problem: said, expected: 'a JSON object' })
  }
}

/** A file may be read from anywhere, so a place in it is said in full. */
function checkPlaces(name: SettingName, value: unknown, file: string): void {
  if (settingOf(name).kind.isPath !== true) return
  if ([value].flat().every(place => /^(?:\/|~\/|[a-z]:[\\/])/i.test(String(place)))) return
  const expected = 'an absolute path, or one that begins with ~/'
  throw new Refusal('INVALID_SETTINGS', { file, key: name, expected })
}

function mayHold(name: SettingName, from: SettingsDocument['from']): boolean {
  const { files } = settingOf(name)
  return files === 'user and repository' || (files === 'user' && from === 'user')
}

function unknownKey(file: string, key: string, from: SettingsDocument['from']): Refusal {
  const known = settingNames.filter(name => mayHold(name, from))
  const nearest = nearestName(key, known)
  return new Refusal('INVALID_SETTINGS', {
    file,
    key: key.slice(0, 100),
    problem: 'there is no such setting',
    ...(nearest === undefined ? { known } : { did_you_mean: nearest }),
  })
}

function misplaced(file: string, name: SettingName): Refusal {
  const { files } = settingOf(name)
  const elsewhere =
    files === 'user' ? "the user's own file, a variable or a flag" : 'a variable or a flag'
  return new Refusal('INVALID_SETTINGS', {
    file,
    key: name,
    problem: 'this file may not say it',
    expected: elsewhere,
  })
}
