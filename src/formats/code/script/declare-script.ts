import type { FailedScript, Script } from '../babel.js'
import type { Declaration } from '../declaration.js'
import type { Engines } from '../language.js'
import { exportedNames } from './exports.js'
import { openingsOf } from './openings.js'
import { outermostScope } from './scope.js'
import { scriptWalk } from './statements.js'

export interface DeclaredScript {
  readonly declarations: readonly Declaration[]
  /** Where the parser went on after an error. */
  readonly errorsAt: readonly number[]
}

/** What a script declares. `component` is the name of the component that the file is, where it is one. */
export function declareScript(
  script: Script,
  component: string | undefined,
  engines: Engines,
): DeclaredScript | FailedScript {
  const parsed = engines.parseScript(script)
  if ('failedAt' in parsed) return parsed
  const { text } = script
  const scope = outermostScope({
    text,
    openings: openingsOf(script),
    component,
    walk: scriptWalk,
  })
  const exported = exportedNames(parsed.body)
  const declarations = scriptWalk.statements(parsed.body, scope).map(one => {
    const flags = exported.get(one.name) ?? []
    return flags.length === 0 ? one : { ...one, flags: [...new Set([...flags, ...one.flags])] }
  })
  return { declarations, errorsAt: parsed.errorsAt }
}
