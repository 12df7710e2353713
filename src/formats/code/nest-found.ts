import type { SymbolFlag, SymbolKind } from '../../core/outline.js'
import type { Declaration } from './declaration.js'

/** A declaration that does not know its owner yet. */
export interface Found {
  readonly name: string
  readonly kind: SymbolKind
  readonly flags: readonly SymbolFlag[]
  readonly from: number
  readonly to: number
  readonly nameAt: number
  /** Of two that are equally wide the one with the lower number counts. */
  readonly pattern: number
}

/** What a language decides of a declaration once its owner is known; undefined drops it. */
export type Refine = (found: Found, context: FoundContext) => Refined | undefined

export interface FoundContext {
  readonly owner: { readonly name: string; readonly kind: SymbolKind } | undefined
  /** What stands before the name, at most 300 characters of it. */
  readonly header: string
}

export interface Refined {
  readonly name?: string
  readonly kind: SymbolKind
  readonly flags: readonly SymbolFlag[]
}

const headerChars = 300

/** Levels of declarations inside of each other; deeper ones are left out. */
const maxDepth = 5

const functionKinds: ReadonlySet<SymbolKind> = new Set([
  ...(['function', 'arrow', 'method', 'getter', 'setter', 'constructor'] as const),
  ...(['component', 'hook'] as const),
])

const valueKinds: ReadonlySet<SymbolKind> = new Set(['const', 'var', 'field', 'property'])

const classKinds: ReadonlySet<SymbolKind> = new Set([
  ...(['class', 'interface', 'struct', 'trait', 'impl', 'record', 'protocol'] as const),
  ...(['extension', 'mixin', 'enum', 'object'] as const),
])

/** True for what has methods. */
export function isClassKind(kind: SymbolKind): boolean {
  return classKinds.has(kind)
}

interface Growing extends Declaration {
  flags: readonly SymbolFlag[]
  readonly children: Growing[]
}

/** Puts each declaration into the one around it. Values inside functions are dropped. */
export function nestFound(
  text: string,
  found: readonly Found[],
  refine: Refine,
): readonly Declaration[] {
  const top: Growing[] = []
  const open: Growing[] = []
  for (const one of inOrder(found)) {
    while (open.length > 0 && (open.at(-1)?.to ?? 0) <= one.from) open.pop()
    const twin = open.at(-1)
    const isTwin = twin !== undefined && twin.from === one.from && twin.to === one.to
    if (isTwin) shareWith(twin, open)
    const owner = open.at(-1)
    const header = text.slice(Math.max(one.from, one.nameAt - headerChars), one.nameAt)
    const refined = isLocalValue(one, open) ? undefined : refine(one, { owner, header })
    if (refined === undefined || open.length >= maxDepth) continue
    const { from, to, nameAt } = one
    const grown: Growing = { name: one.name, ...refined, from, to, nameAt, children: [] }
    if (isTwin) grown.flags = [...grown.flags, 'shared']
    ;(owner?.children ?? top).push(grown)
    open.push(grown)
  }
  return top
}

/** Two names of one statement, as in `a, b = 1, 2`: neither holds the other. */
function shareWith(twin: Growing, open: Growing[]): void {
  if (!twin.flags.includes('shared')) twin.flags = [...twin.flags, 'shared']
  open.pop()
}

function isLocalValue({ kind }: Found, open: readonly Growing[]): boolean {
  return (
    valueKinds.has(kind) &&
    open.some(owner => owner.kind === 'test' || functionKinds.has(owner.kind))
  )
}

/** One for each name, owners before what they hold. */
function inOrder(found: readonly Found[]): readonly Found[] {
  const byName = new Map<number, Found>()
  for (const one of found) {
    const other = byName.get(one.nameAt)
    if (other === undefined || isBetter(one, other)) byName.set(one.nameAt, one)
  }
  return [...byName.values()].toSorted((a, b) => a.from - b.from || b.to - a.to)
}

function isBetter(one: Found, other: Found): boolean {
  const difference = one.to - one.from - (other.to - other.from)
  return difference > 0 || (difference === 0 && one.pattern < other.pattern)
}

/** What most languages decide: a function that a class holds is its method. */
export function refineByOwner(found: Found, { owner }: FoundContext): Refined {
  const isMember = owner !== undefined && isClassKind(owner.kind)
  const kind = found.kind === 'function' && isMember ? 'method' : found.kind
  return { kind, flags: found.flags }
}

/** The same for what was found by lines: a field stands in a class or a type, else it is no declaration. */
export function refineByLines(found: Found, context: FoundContext): Refined | undefined {
  const isField = found.kind === 'property'
  const isMember = context.owner !== undefined && isClassKind(context.owner.kind)
  return isField && !isMember ? undefined : refineByOwner(found, context)
}

/** The flags whose word stands in a header. */
export function flagsIn(
  header: string,
  words: Readonly<Partial<Record<SymbolFlag, RegExp>>>,
): readonly SymbolFlag[] {
  const entries = Object.entries(words) as readonly (readonly [SymbolFlag, RegExp])[]
  return entries.filter(([, word]) => word.test(header)).map(([flag]) => flag)
}
