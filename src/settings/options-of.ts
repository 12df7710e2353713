import type { AnchorScheme } from '../core/anchor-scheme.js'
import { fixedLimits } from '../core/limits.js'
import type { Matching } from '../core/matching.js'
import type { DialectName } from '../edit/dialects/registry.js'
import type { Settings } from './layers.js'

/** How one repository is served, as far as its own file may say. */
export interface RepositoryOptions {
  readonly branchPrefix: string
  readonly matching: Matching
  readonly anchors: AnchorScheme
  readonly dialects?: readonly DialectName[]
  readonly syntaxMs: number
  readonly maintenance: boolean
  readonly indexing: boolean
  readonly watching: boolean
}

/** The settings of a repository as the gateway takes them. */
export function repositoryOptions(settings: Settings): RepositoryOptions {
  const { max_level: maxLevel, min_similarity: minSimilarity, dialects } = settings
  return {
    branchPrefix: settings.branch_prefix,
    matching: { maxLevel, minSimilarity, unicode: settings.fold_unicode },
    anchors: settings.anchors,
    ...(dialects !== undefined && { dialects }),
    syntaxMs: settings.syntax_check ? fixedLimits.syntaxMs : 0,
    maintenance: settings.maintenance,
    indexing: settings.index,
    watching: settings.watch,
  }
}
