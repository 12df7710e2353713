import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { defaultLimits } from '../../core/limits.js'
import type { GatewayOptions } from '../../gateway/gateway.js'
import { type Layer, resolveSettings, type Settings } from '../../settings/layers.js'
import { repositoryOptions } from '../../settings/options-of.js'
import { readDocument } from '../../settings/read-document.js'
import { readEnvironment } from '../../settings/read-environment.js'
import type { Face } from '../../settings/setting.js'
import { type SettingValues, settingNames, settingOf } from '../../settings/table.js'
import type { Doors } from './doors.js'
import { flagLayer } from './flags.js'
import type { Terminal } from './terminal.js'

/** What an operator has said, and what holds without the files of repositories. */
export interface Said {
  readonly layers: readonly Layer[]
  readonly settings: Settings & Required<Pick<SettingValues, 'state_dir' | 'token_file'>>
}

/** Reads flags, variables and the user's own file. Refuses with `INVALID_SETTINGS` where one does not fit. */
export function readSettings(
  terminal: Terminal,
  doors: Doors,
  flags: Readonly<Record<string, unknown>>,
  face: Face,
): Said {
  const said = [
    ...(face === 'command' ? [singleCommand] : []),
    flagLayer(flags, face),
    readEnvironment(terminal.env),
    ...userLayer(terminal, doors),
  ].map(layer => ({ ...layer, values: withPlaces(terminal, layer.values) }))
  const places = usualPlaces(terminal, resolveSettings(said).settings)
  const layers: readonly Layer[] = [...said, { from: 'defaults', values: places }]
  return { layers, settings: { ...places, ...resolveSettings(layers).settings } }
}

/** The gateway's options as the settings have them. */
export async function gatewayOptions(
  terminal: Terminal,
  doors: Doors,
  { layers, settings }: Said,
  repositories: readonly string[],
): Promise<GatewayOptions> {
  const { worktrees, record_refusals: refusals } = settings
  return {
    ...repositoryOptions(settings),
    repositories: repositories.map(path => resolve(terminal.cwd, path)),
    ...(worktrees !== undefined && { worktreesDir: worktrees }),
    host: terminal.env,
    stateDir: settings.state_dir,
    durability: settings.durability,
    allowProtected: settings.allow_protected,
    trustConfig: settings.trust_config,
    include: settings.include,
    ...(settings.setup !== undefined && { setup: settings.setup }),
    limits: { ...defaultLimits, ...settings.limits },
    secret: await doors.readToken(settings.token_file),
    ...(refusals !== undefined && { recordRefusal: doors.openRefusalRecorder(refusals) }),
    settings: { layers },
  }
}

/** What only pays off for who stays. */
const singleCommand: Layer = {
  from: 'face',
  values: { index: false, watch: false, maintenance: false },
}

function userLayer({ env }: Terminal, doors: Doors): readonly Layer[] {
  const file = join(configHome(env), 'editlatch', 'config.json')
  const bytes = doors.readSettings(file)
  return bytes === undefined ? [] : [readDocument({ file, from: 'user', bytes })]
}

function usualPlaces(
  { env }: Terminal,
  { state_dir: said }: SettingValues,
): Required<Pick<SettingValues, 'state_dir' | 'token_file'>> {
  const stateDir = said ?? join(stateHome(env), 'editlatch')
  return { state_dir: stateDir, token_file: join(stateDir, 'token') }
}

/** The values with every place in full. */
function withPlaces({ cwd, env }: Terminal, values: SettingValues): SettingValues {
  const full = (place: string): string =>
    place.startsWith('~/') ? join(home(env), place.slice(2)) : resolve(cwd, place)
  const entries = settingNames.flatMap(name => {
    const value = values[name]
    if (value === undefined || settingOf(name).kind.isPath !== true) return []
    return [[name, Array.isArray(value) ? value.map(full) : full(String(value))] as const]
  })
  return { ...values, ...Object.fromEntries(entries) }
}

type Environment = Terminal['env']

function home({ HOME }: Environment): string {
  return HOME ?? homedir()
}

function configHome(env: Environment): string {
  return absolute(env.XDG_CONFIG_HOME) ?? join(home(env), '.config')
}

function stateHome(env: Environment): string {
  return absolute(env.XDG_STATE_HOME) ?? join(home(env), '.local', 'state')
}

/** The XDG rules say that a relative path there is to be ignored. */
function absolute(directory: string | undefined): string | undefined {
  return directory?.startsWith('/') ? directory : undefined
}
