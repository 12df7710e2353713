import { type Command, InvalidArgumentError, Option } from 'commander'
import { checkValue } from '../../settings/check-value.js'
import type { Layer } from '../../settings/layers.js'
import type { Face } from '../../settings/setting.js'
import {
  flagOf,
  type SettingName,
  type SettingValues,
  settingNames,
  settingOf,
} from '../../settings/table.js'

/** Adds the flags of all settings that a face takes. */
export function addSettingFlags(command: Command, face: Face): Command {
  for (const name of settingNames) {
    if (!settingOf(name).faces.includes(face)) continue
    for (const option of optionsOf(name)) command.addOption(option)
  }
  return command.addHelpText('after', moreWays)
}

/** What the flags of a command line say, and nothing of what holds without them. Refuses a secret with `INVALID_SETTINGS`. */
export function flagLayer(flags: Readonly<Record<string, unknown>>, face: Face): Layer {
  const entries = settingNames.flatMap(name => {
    const { flag, faces } = settingOf(name)
    const value = flags[new Option(flag).attributeName()]
    if (value === undefined || !faces.includes(face)) return []
    return [[name, checkValue(name, value, { flag: flagOf(name, value) })] as const]
  })
  return { from: 'flags', values: Object.fromEntries(entries) as SettingValues }
}

const moreWays = `
Variables (EDITLATCH_MAX_LEVEL for --max-level) and files say settings, too; editlatch doctor tells
which one holds and who said it.`

/** A toggle has a flag for each way; the one that changes nothing by itself is not worth a line of help. */
function optionsOf(name: SettingName): readonly Option[] {
  const { kind, flag, about } = settingOf(name)
  if (kind.isToggle !== true) return [valueOption(name)]
  const isNegative = flag.startsWith('--no-')
  const plain = flag.replace('--no-', '--')
  const negative = `--no-${plain.slice(2)}`
  // The positive one first, else commander takes it for given.
  return [
    new Option(plain, about).hideHelp(isNegative),
    new Option(negative, `do not ${about}`).hideHelp(!isNegative),
  ]
}

function valueOption(name: SettingName): Option {
  const { kind, flag, about, initially, isSecret } = settingOf(name)
  const option = new Option(flag, `${about} (default: ${initially})`)
  if (kind.choices !== undefined) option.choices(kind.choices)
  // Commander would print what does not fit.
  if (isSecret) return option
  return option.argParser((said: string, before: unknown) => {
    const value = kind.again?.(before, said) ?? kind.fromText(said)
    const parsed = kind.schema.safeParse(value)
    if (parsed.success) return parsed.data
    throw new InvalidArgumentError(`It must be ${kind.expected}.`)
  })
}
