import { Refusal } from '../../core/errors.js'
import { fixedLimits, type Limits } from '../../core/limits.js'
import type { Oid } from '../../core/oid.js'
import { fileRole } from '../../formats/code/file-role.js'
import { keySymbols } from '../../formats/code/key-symbols.js'
import { GitFailed } from '../../io/git/run-git.js'
import { fitMap } from '../../report/fit-map.js'
import type { MapAnswer, MapOrder } from '../../report/map-view.js'
import type { Checkout } from '../checkout/checkout.js'
import { currentTree } from '../landing/apply-change.js'
import type { BranchChurn, Churn } from './churn.js'
import { countImporters } from './count-importers.js'
import { readOutlines } from './read-outlines.js'

/** What a map shows, and how large it may be. */
export interface MapQuery {
  /** A directory; '' for all. */
  readonly path: string
  readonly depth: number
  readonly maxBytes: number
  /** Names told of the files that come first. */
  readonly symbols: number
  readonly sort: MapOrder
}

/** Bytes that a file with its names mostly costs; fewer files than fit so are read whole, of more the first ones. */
const namedFileBytes = 60
const readShare = 0.6

/** The files of a worktree by what is worked on, or by what others import, as much as fits. `NOT_FOUND` for a directory without files. */
export async function mapWorktree(
  checkout: Checkout,
  query: MapQuery,
  { limits, churn }: { readonly limits: Limits; readonly churn: BranchChurn },
): Promise<MapAnswer> {
  const { path, depth, maxBytes, sort } = query
  const head = await checkout.head()
  const [{ files, unnamed }, churned] = await Promise.all([
    checkout.listing.run(),
    churnAt(churn, head),
  ])
  const within = path === '' ? files : files.filter(file => file.startsWith(`${path}/`))
  if (within.length === 0 && path !== '') throw new Refusal('NOT_FOUND', { path })
  const scores = sort === 'churn' ? churned : await countImporters(checkout, files)
  const ranked = rank(within, scores, churned)
  const symbols = await namesOf(checkout, ranked, query, limits)
  const goOn = `name a directory by path, or set max_bytes up to ${fixedLimits.maxMapBytes}; a search finds the rest`
  return fitMap({ path, head, sort, ranked, symbols, unnamed, depth, goOn }, maxBytes)
}

/** A history that cannot be told in time, or is not all there, ranks nothing. */
async function churnAt(churn: BranchChurn, head: Oid): Promise<Churn> {
  try {
    return await churn.at(head)
  } catch (error) {
    if (error instanceof GitFailed || error instanceof Refusal) return new Map()
    throw error
  }
}

const order = { source: 0, example: 0, document: 1, test: 2, other: 3 } as const
/** Examples change with what they show, and are seldom what is looked for. */
const exampleShare = 0.3

/** Sources before documents, tests and the rest; then by score, then by what is worked on, then by path. */
function rank(files: readonly string[], scores: Churn, churn: Churn): readonly string[] {
  const keyed = files.map(path => {
    const role = fileRole(path)
    const share = role === 'example' ? exampleShare : 1
    const score = share * (scores.get(path) ?? 0)
    return { path, role: order[role], score, churn: share * (churn.get(path) ?? 0) }
  })
  keyed.sort(
    (a, b) =>
      a.role - b.role || b.score - a.score || b.churn - a.churn || (a.path < b.path ? -1 : 1),
  )
  return keyed.map(({ path }) => path)
}

async function namesOf(
  checkout: Checkout,
  ranked: readonly string[],
  { maxBytes, symbols }: MapQuery,
  limits: Limits,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, readonly string[]>()
  if (symbols === 0) return names
  const room = Math.ceil(maxBytes / namedFileBytes)
  const read = ranked.length > room ? ranked.slice(0, Math.ceil(room * readShare)) : ranked
  const sources = read.filter(path => ['source', 'example', 'test'].includes(fileRole(path)))
  const tree = await currentTree(checkout, limits)
  for (const { path, outline } of await readOutlines(checkout, tree, sources)) {
    names.set(path, keySymbols(outline.symbols, symbols))
  }
  return names
}
