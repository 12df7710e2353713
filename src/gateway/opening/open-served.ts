import type { Parsers } from '../../core/parsers.js'
import { openRepository } from '../../io/git/open-repository.js'
import { ServedRepository } from '../repository/served-repository.js'
import type { GatewayOptions } from './gateway-options.js'
import { checkSameTools, readRepositorySettings } from './repository-settings.js'
import { openOutlineStore } from './store-outlines.js'

/** A repository that is not served, and why. */
export interface RefusedRepository {
  readonly path: string
  readonly error: unknown
}

/** What became of the repositories that were named. */
export interface OpenedRepositories {
  readonly served: readonly ServedRepository[]
  readonly refused: readonly RefusedRepository[]
}

/** Opens all repositories, each once. Refuses as `openRepository` does, unless the options say to go on without. */
export async function openServed(
  options: GatewayOptions,
  parsers: Parsers,
): Promise<OpenedRepositories> {
  const served: ServedRepository[] = []
  const refused: RefusedRepository[] = []
  for (const path of options.repositories) {
    const open = (): ReturnType<typeof openRepository> => openRepository(path, options)
    try {
      const repository = await open()
      if (served.some(other => other.repository.commonDir === repository.commonDir)) continue
      const name = uniqueName(repository.name, served)
      const outlines = openOutlineStore(repository.commonDir, options)
      const settings = readRepositorySettings(repository, options.settings)
      checkSameTools(
        settings,
        served.map(one => one.settings),
      )
      const ways = { ...options, ...settings.own, settings, parsers, outlines, reopen: open }
      served.push(new ServedRepository(repository, name, ways))
    } catch (error) {
      if (options.skipRefused !== true) throw error
      refused.push({ path, error })
    }
  }
  return { served, refused }
}

function uniqueName(name: string, served: readonly ServedRepository[]): string {
  const plain = name.replaceAll('~', '-')
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? plain : `${plain}-${number}`
    if (!served.some(other => other.name === candidate)) return candidate
  }
}
