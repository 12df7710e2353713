import { checkValue, nearestName } from './check-value.js'
import type { Layer } from './layers.js'
import { type SettingValues, settingNames, settingOf, variableOf } from './table.js'

type Environment = Readonly<Record<string, string | undefined>>

/** What the environment says; an empty variable says nothing. Refuses with `INVALID_SETTINGS` for a value that does not fit. */
export function readEnvironment(environment: Environment): Layer {
  const entries = settingNames.flatMap(name => {
    const variable = variableOf(name)
    const said = environment[variable] ?? ''
    if (said === '') return []
    return [[name, checkValue(name, settingOf(name).kind.fromText(said), { variable })] as const]
  })
  return { from: 'environment', values: Object.fromEntries(entries) as SettingValues }
}

/** A variable that looks like a setting and is none, and the one that may be meant. */
export interface Stranger {
  readonly variable: string
  readonly nearest?: string
}

/** The variables that begin as ours do, say something, and are read by nobody. */
export function strangersIn(environment: Environment): readonly Stranger[] {
  const known = settingNames.map(variableOf)
  return Object.keys(environment)
    .filter(name => name.startsWith(prefix) && !known.includes(name))
    .filter(name => (environment[name] ?? '') !== '')
    .toSorted()
    .map(variable => {
      const nearest = nearestName(variable.slice(prefix.length), settingNames)
      return { variable, ...(nearest !== undefined && { nearest: variableOf(nearest) }) }
    })
}

const prefix = 'EDITLATCH_'
