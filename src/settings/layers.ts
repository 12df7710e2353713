import {
  flagOf,
  type SettingName,
  type SettingValues,
  settingNames,
  settingOf,
  type settings,
  variableOf,
} from './table.js'

/** What one place says, and which place that is. */
export interface Layer {
  readonly from: 'face' | 'flags' | 'environment' | 'repository' | 'user' | 'defaults'
  /** The file that says it. */
  readonly file?: string
  readonly values: SettingValues
}

/** The settings that hold: what nobody says is as the table has it. */
export type Settings = SettingValues &
  Required<Pick<SettingValues, { [Name in SettingName]: Decided<Name> }[SettingName]>>

type Decided<Name extends SettingName> = undefined extends (typeof settings)[Name]['initial']
  ? never
  : Name

/** What became of several layers. */
export interface Resolved {
  readonly settings: Settings
  /** Who said what holds, for every setting. */
  readonly sources: Readonly<Record<SettingName, string>>
  readonly overrides: readonly Override[]
}

/** One place says something else than one above it. */
export interface Override {
  readonly name: SettingName
  readonly by: string
  readonly value: unknown
  readonly over: string
  readonly lost: unknown
}

/** What holds where the first layer that says a setting decides; limits are settled one by one. */
export function resolveSettings(layers: readonly Layer[]): Resolved {
  const all = [...layers, defaults]
  const values = settingNames.map(name => [name, valueIn(name, all)] as const)
  const sources = settingNames.map(name => [name, sourcesIn(name, all)] as const)
  return {
    settings: Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Settings,
    sources: Object.fromEntries(sources) as Resolved['sources'],
    overrides: settingNames.flatMap(name => overridesOf(name, layers)),
  }
}

/** The place of a layer where a setting is said, in words. */
function sourceOf(layer: Layer, name: SettingName): string {
  switch (layer.from) {
    case 'flags':
      return `flag ${flagOf(name, layer.values[name])}`
    case 'environment':
      return `environment ${variableOf(name)}`
    case 'face':
      return 'this command'
    default:
      return layer.file === undefined ? 'default' : `file ${layer.file}`
  }
}

const defaults: Layer = {
  from: 'defaults',
  values: Object.fromEntries(
    settingNames.map(name => [name, settingOf(name).initial] as const),
  ) as SettingValues,
}

function valueIn(name: SettingName, layers: readonly Layer[]): unknown {
  const said = layers.map(({ values }) => values[name]).filter(value => value !== undefined)
  return name === 'limits' ? Object.assign({}, ...said.toReversed()) : said[0]
}

function sourcesIn(name: SettingName, layers: readonly Layer[]): string {
  const saying = layers.filter(({ values }) => values[name] !== undefined)
  const [first] = name === 'limits' ? saying.filter(says) : saying
  if (first === undefined) return 'default'
  if (name !== 'limits') return sourceOf(first, name)
  return [...new Set(saying.filter(says).map(layer => sourceOf(layer, name)))].join(', ')
}

function says({ values: { limits = {} } }: Layer): boolean {
  return Object.keys(limits).length > 0
}

function overridesOf(name: SettingName, layers: readonly Layer[]): readonly Override[] {
  if (settingOf(name).isSecret) return []
  // What a single command never does, such as watching, is no choice of anybody's, nor is a default.
  const chosen = layers.filter(({ from }) => from !== 'face' && from !== 'defaults')
  const saying = chosen.filter(({ values }) => values[name] !== undefined)
  return saying.slice(1).flatMap((loser, at) => {
    const above = name === 'limits' ? saying.slice(0, at + 1) : saying.slice(0, 1)
    const winner = above.find(({ values }) => contradicts(values[name], loser.values[name]))
    if (winner === undefined) return []
    const [by, over] = [sourceOf(winner, name), sourceOf(loser, name)]
    return [{ name, by, value: winner.values[name], over, lost: loser.values[name] }]
  })
}

/** Limits contradict each other where both change the same one. */
function contradicts(one: unknown, other: unknown): boolean {
  if (!isMap(one) || !isMap(other)) return JSON.stringify(one) !== JSON.stringify(other)
  return Object.keys(one).some(name => name in other && one[name] !== other[name])
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
