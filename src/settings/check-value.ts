import { Refusal } from '../core/errors.js'
import { nearestPaths } from '../core/nearest-paths.js'
import { type SettingName, settingNames, settingOf } from './table.js'

/** A value as its setting has it. Refuses with `INVALID_SETTINGS` and the place where it was said. */
export function checkValue(
  name: SettingName,
  value: unknown,
  place: Readonly<Record<string, string>>,
): unknown {
  const { schema, expected } = settingOf(name).kind
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const at = parsed.error.issues[0]?.path.join('.')
  throw new Refusal('INVALID_SETTINGS', { ...place, ...(at && { at }), expected })
}

/** The setting of a name; undefined for a name that none has. */
export function findSetting(key: string): SettingName | undefined {
  return settingNames.find(name => name === key)
}

/** The known name that is most like one that is unknown; undefined where none is. */
export function nearestName<Name extends string>(
  unknown: string,
  known: readonly Name[],
): Name | undefined {
  const wanted = plain(unknown)
  const [nearest] = nearestPaths(wanted, known.map(plain), 1)
  const alike = known.find(name => plain(name) === nearest)
  return alike ?? known.find(name => lettersOf(plain(name)) === lettersOf(wanted))
}

/** The same for `prot` and `port`. */
function lettersOf(word: string): string {
  return [...word].toSorted().join('')
}

/** `maxLevel`, `max-level` and `max_level` are one word. */
function plain(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase()
}
