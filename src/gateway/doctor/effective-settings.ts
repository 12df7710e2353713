import type { GatewayOptions } from '../opening/gateway-options.js'

const hidden: readonly string[] = ['secret', 'host', 'meter', 'onFault', 'skipRefused']
const gitVariables = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
]

/** Every setting that holds, without secrets; of the environment what git gets to see. */
export function effectiveSettings(options: GatewayOptions): Readonly<Record<string, unknown>> {
  const plain = Object.entries(options).filter(
    ([name, value]) => !hidden.includes(name) && typeof value !== 'function',
  )
  const seen = gitVariables.flatMap(name =>
    options.host[name] === undefined ? [] : [[name, options.host[name]] as const],
  )
  const entries = plain.map(([name, value]) => [snakeCase(name), value] as const)
  return { ...Object.fromEntries(entries), environment: Object.fromEntries(seen) }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
