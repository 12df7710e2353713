import { defaultLimits } from '../../core/limits.js'
import { type Layer, type Resolved, resolveSettings } from '../../settings/layers.js'
import { inWords } from '../../settings/setting.js'
import { type SettingName, settingNames, settingOf } from '../../settings/table.js'
import type { GatewayOptions } from '../opening/gateway-options.js'
import type { ServedRepository } from '../repository/served-repository.js'

type Told = Readonly<Record<string, unknown>>

const hidden: readonly string[] = [
  'secret',
  'host',
  'meter',
  'onFault',
  'skipRefused',
  'recordRefusal',
  'settings',
]
const gitVariables = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
]

/**
 * Every setting that holds, without secrets; of the environment what git gets to see. Where an operator has said
 * settings, `sources` names for each who said it; of a single repository its own file counts, too.
 */
export function effectiveSettings(
  options: GatewayOptions,
  served: readonly ServedRepository[],
): Told {
  const seen = gitVariables.flatMap(name =>
    options.host[name] === undefined ? [] : [[name, options.host[name]] as const],
  )
  const { repositories } = options
  const chosen = options.settings === undefined ? optionsOf(options) : saidSettings(options, served)
  return { repositories, ...chosen, environment: Object.fromEntries(seen) }
}

/** What one who calls us as a library has chosen. */
function optionsOf(options: GatewayOptions): Told {
  const plain = Object.entries(options).filter(
    ([name, value]) => !hidden.includes(name) && typeof value !== 'function',
  )
  return Object.fromEntries(plain.map(([name, value]) => [snakeCase(name), value] as const))
}

function saidSettings(options: GatewayOptions, served: readonly ServedRepository[]): Told {
  const { layers = [] } = options.settings ?? {}
  const common = resolveSettings(layers)
  const [only] = served
  const resolved = served.length === 1 ? (only?.settings.resolved ?? common) : common
  const names = settingNames.filter(name => settingOf(name).isSecret !== true)
  const { sources } = resolved
  return {
    ...Object.fromEntries(names.map(name => [name, told(name, resolved)] as const)),
    sources: Object.fromEntries(names.map(name => [name, sources[name]] as const)),
  }
}

/** All limits, and of what depends on something the rule in words. */
function told(name: SettingName, { settings }: Resolved): unknown {
  if (name === 'limits') return { ...defaultLimits, ...settings.limits }
  return settings[name] ?? settingOf(name).initially
}

/** What a layer says, in one line. */
export function layerInWords({ values }: Layer): string {
  const said = Object.entries(values).map(([name, value]) => `${name} = ${inWords(value)}`)
  return said.length === 0 ? 'nothing' : said.join('; ')
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
