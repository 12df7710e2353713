import type { SymbolFlag, SymbolKind } from '../../../core/outline.js'
import type { Expression, Statement } from '../babel.js'
import type { Declaration } from '../declaration.js'

/** Named functions inside of each other that are told. */
export const maxFunctionDepth = 4

/** Where in a script we are. */
export interface Scope {
  readonly text: string
  /** Named functions around us. */
  readonly depth: number
  /** Inside a function or block: plain values are nobody else's affair. */
  readonly isLocal: boolean
  readonly mayHoldJsx: boolean
  /** The name of the component that a file is, where it is one. */
  readonly component: string | undefined
  readonly walk: Walk
}

/** The readers that need each other, joined here so that their files do not. */
export interface Walk {
  statements(body: readonly Statement[], scope: Scope): readonly Declaration[]
  value(named: Named, value: Expression | null | undefined, scope: Scope): Declaration | undefined
}

/** A name that is given to a value. */
export interface Named {
  readonly name: string
  readonly nameAt: number
  readonly from: number
  readonly to: number
  readonly flags: readonly SymbolFlag[]
  /** What it is where the value is nothing special; undefined where it is then not told. */
  readonly plain: SymbolKind | undefined
}

/** A node as far as its place matters. */
export interface Placed {
  readonly start?: number | null | undefined
  readonly end?: number | null | undefined
}

/** The same scope below a function or block. */
export function localScope(scope: Scope): Scope {
  return scope.isLocal ? scope : { ...scope, isLocal: true }
}

/** What each part declares, together. Nearly every part of a text declares nothing, and then no list is made. */
export function gather<T>(
  parts: readonly T[],
  declare: (part: T) => readonly Declaration[],
): readonly Declaration[] {
  let first: readonly Declaration[] = nothing
  let all: Declaration[] | undefined
  for (const part of parts) {
    const found = declare(part)
    if (found.length === 0) continue
    if (all !== undefined) for (const one of found) all.push(one)
    else if (first.length === 0) first = found
    else all = [...first, ...found]
  }
  return all ?? first
}

const nothing: readonly Declaration[] = []

/** A declaration that covers a node. */
export function declare(
  node: Placed,
  name: { readonly text: string; readonly node: Placed },
  kind: SymbolKind,
  rest: Partial<Pick<Declaration, 'flags' | 'children'>> = {},
): Declaration {
  const from = startOf(node)
  return {
    name: name.text,
    kind,
    flags: rest.flags ?? [],
    from,
    to: node.end ?? from,
    nameAt: name.node.start ?? from,
    children: rest.children ?? [],
  }
}

/** The start of a node with its decorators. */
export function startOf(node: Placed): number {
  const start = node.start ?? 0
  const first = 'decorators' in node && Array.isArray(node.decorators) ? node.decorators[0] : null
  return Math.min(start, (first as Placed | null | undefined)?.start ?? start)
}

/** The name of an identifier; of anything else what is written there. */
export function nameOf(
  node: Placed & { readonly type: string },
  text: string,
): { readonly text: string; readonly node: Placed } {
  const written = (): string => text.slice(node.start ?? 0, node.end ?? 0)
  const name = 'name' in node ? node.name : 'value' in node ? node.value : undefined
  return { text: typeof name === 'string' ? name : written().slice(0, 200), node }
}

/** The name of a key: `[computed]` ones keep their brackets. */
export function keyName(
  member: Placed & {
    readonly key: Placed & { readonly type: string }
    readonly computed?: boolean | null | undefined
  },
  text: string,
): { readonly text: string; readonly node: Placed } {
  const { key } = member
  if (member.computed === true) {
    return { text: `[${text.slice(key.start ?? 0, key.end ?? 0).slice(0, 200)}]`, node: key }
  }
  if (key.type !== 'PrivateName') return nameOf(key, text)
  return { text: text.slice(key.start ?? 0, key.end ?? 0), node: key }
}

/** The flags whose condition holds. */
export function flagsOf(
  conditions: Readonly<Partial<Record<SymbolFlag, boolean | null | undefined>>>,
): readonly SymbolFlag[] {
  const entries = Object.entries(conditions) as readonly (readonly [SymbolFlag, unknown])[]
  return entries.filter(([, holds]) => holds === true).map(([flag]) => flag)
}

/**
 * Signatures of one name that follow each other, with the body that may follow them, are one entry.
 * A signature is known by its flag `overload`, which it loses where it stands alone.
 */
export function mergeOverloads(declarations: readonly Declaration[]): readonly Declaration[] {
  if (!declarations.some(({ flags }) => flags.includes('overload'))) return declarations
  const groups: Declaration[][] = []
  for (const one of declarations) {
    const group = groups.at(-1)
    const previous = group?.at(-1)
    const follows = previous?.name === one.name && previous.flags.includes('overload')
    if (follows) group?.push(one)
    else groups.push([one])
  }
  return groups.flatMap(joinGroup)
}

function joinGroup(group: readonly Declaration[]): readonly Declaration[] {
  const [first, last] = [group[0], group.at(-1)]
  if (first === undefined || last === undefined) return []
  const flags = [...new Set(group.flatMap(one => one.flags))]
  if (group.length > 1) return [{ ...last, from: first.from, flags }]
  return [{ ...first, flags: flags.filter(flag => flag !== 'overload') }]
}
