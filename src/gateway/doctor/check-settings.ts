import type { Override } from '../../settings/layers.js'
import { resolveSettings } from '../../settings/layers.js'
import { strangersIn } from '../../settings/read-environment.js'
import { inWords } from '../../settings/setting.js'
import type { GatewayOptions } from '../opening/gateway-options.js'
import type { ServedRepository } from '../repository/served-repository.js'
import type { DoctorCheck } from '../telling/answers.js'
import { layerInWords } from './effective-settings.js'
import { type Finding, report } from './findings.js'

/** Whether one place silently says something else than another, and whether a variable is no setting. */
export function checkSettings({ settings, host }: GatewayOptions): readonly DoctorCheck[] {
  if (settings === undefined) return []
  const { overrides } = resolveSettings(settings.layers)
  const strangers = strangersIn(host).map(
    ({ variable, nearest }): Finding => ({
      status: 'warning',
      detail: `the variable ${variable} is no setting`,
      ...(nearest !== undefined && { what_to_do: `Is ${nearest} meant?` }),
    }),
  )
  return report('settings', [...overrides.map(overridden), ...strangers], 'none overrides another')
}

/** What the repository's own file says, or that it does not count. */
export function checkOwnSettings(
  { settings: { layer, ignoredFile, resolved }, repository }: ServedRepository,
  { settings }: GatewayOptions,
): readonly DoctorCheck[] {
  if (settings === undefined || resolved === undefined) return []
  if (ignoredFile !== undefined)
    return report('settings', [ignored(ignoredFile, repository.workTree ?? '')], '')
  if (layer === undefined) return [{ name: 'settings', status: 'ok', detail: 'no file of its own' }]
  const mine = resolved.overrides.filter(({ by, over }) => {
    const own = `file ${layer.file}`
    return by === own || over === own
  })
  return report('settings', mine.map(overridden), `${layer.file} says ${layerInWords(layer)}`)
}

function overridden({ name, by, value, over, lost }: Override): Finding {
  return {
    status: 'warning',
    detail: `${name} is ${inWords(value)} by ${by}, which overrides ${inWords(lost)} in ${over}`,
    what_to_do: 'Say it in one place, where only one is meant.',
  }
}

function ignored(file: string, workTree: string): Finding {
  return {
    status: 'warning',
    detail: `${file} is ignored: the repository is not trusted`,
    what_to_do: `Read it, then trust it: --trusted ${workTree}, or "trusted": ["${workTree}"] in your own config.json.`,
  }
}
