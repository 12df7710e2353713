import type { SymbolFlag, SymbolKind } from '../../../core/outline.js'
import type { Expression, Statement } from '../babel.js'
import type { Declaration } from '../declaration.js'
import type { Openings } from './openings.js'

/** Named functions inside of each other that are told. */
const maxFunctionDepth = 4

/** What all parts of a script share. */
export interface ScriptContext {
  readonly text: string
  readonly openings: Openings
  /** The name of the component that a file is, where it is one. */
  readonly component: string | undefined
  readonly walk: Walk
}

/** Where in a script we are. */
export interface Scope extends ScriptContext {
  /** Inside a function or block: plain values are nobody else's affair. */
  readonly isLocal: boolean
  /** The same scope below a block, or a function without a name. */
  readonly local: Scope
  /** Inside a named function; absent where too many are around us already. */
  readonly inside: Scope | undefined
}

/** The scope of a whole script, with all that are below it. */
export function outermostScope(context: ScriptContext): Scope {
  let inside: Scope | undefined
  let local = innerScope(context, inside)
  for (let depth = maxFunctionDepth; depth > 0; depth -= 1) {
    inside = local
    local = innerScope(context, inside)
  }
  const { text, openings, component, walk } = context
  return { text, openings, component, walk, isLocal: false, inside, local }
}

/** Written out: to copy the fields of another object takes far longer. */
function innerScope(context: ScriptContext, inside: Scope | undefined): Scope {
  const { text, openings, component, walk } = context
  const scope = { text, openings, component, walk, isLocal: true, inside, local: {} as Scope }
  scope.local = scope
  return scope
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
  readonly decorators?: readonly Placed[] | null | undefined
}

/** What is declared where nothing is; one list for all, since nearly every part of a text declares nothing. */
export const nothing: readonly Declaration[] = []

/** Whether a statement has nothing to tell for certain: inside a function only what holds functions is told. */
export function holdsNoFunction({ start, end }: Placed, scope: Scope): boolean {
  return scope.isLocal && !scope.openings.opensIn(start ?? 0, end ?? 0)
}

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
    flags: rest.flags ?? noFlags,
    from,
    to: node.end ?? from,
    nameAt: name.node.start ?? from,
    children: rest.children ?? nothing,
  }
}

/** The start of a node with its decorators. */
export function startOf({ start, decorators }: Placed): number {
  const from = start ?? 0
  return decorators == null ? from : Math.min(from, decorators[0]?.start ?? from)
}

/** The name of an identifier; of anything else what is written there. */
export function nameOf(
  node: Placed & { readonly type: string },
  text: string,
): { readonly text: string; readonly node: Placed } {
  const { name, value } = node as { readonly name?: unknown; readonly value?: unknown }
  const told = name ?? value
  if (typeof told === 'string') return { text: told, node }
  return { text: text.slice(node.start ?? 0, node.end ?? 0).slice(0, 200), node }
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

/** Flags by their conditions, in the order in which they are told. */
export interface FlagConditions {
  readonly async?: boolean | null | undefined
  readonly generator?: boolean | null | undefined
  readonly static?: boolean | null | undefined
  readonly abstract?: boolean | null | undefined
  readonly declare?: boolean | null | undefined
  readonly overload?: boolean | null | undefined
}

const noFlags: readonly SymbolFlag[] = []

/** The flags whose condition holds. */
export function flagsOf(holds: FlagConditions): readonly SymbolFlag[] {
  const flags: SymbolFlag[] = []
  if (holds.async === true) flags.push('async')
  if (holds.generator === true) flags.push('generator')
  if (holds.static === true) flags.push('static')
  if (holds.abstract === true) flags.push('abstract')
  if (holds.declare === true) flags.push('declare')
  if (holds.overload === true) flags.push('overload')
  return flags.length === 0 ? noFlags : flags
}

/**
 * Signatures of one name that follow each other, with the body that may follow them, are one entry.
 * A signature is known by its flag `overload`, which it loses where it stands alone.
 */
export function mergeOverloads(declarations: readonly Declaration[]): readonly Declaration[] {
  if (!declarations.some(isSignature)) return declarations
  const groups: Declaration[][] = []
  for (const one of declarations) {
    const group = groups.at(-1)
    const previous = group?.at(-1)
    const follows = previous?.name === one.name && isSignature(previous)
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

function isSignature({ flags }: Declaration): boolean {
  return flags.length > 0 && flags.includes('overload')
}
