import type { SymbolKind } from '../../../core/outline.js'
import type { Expression, ObjectNode, ValueOf } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { classMembers } from './classes.js'
import { functionFlags, functionKind, functionOf, insideFunction } from './functions.js'
import { objectMembers, vueOptions } from './objects.js'
import { scanExpression } from './scan.js'
import { type Named, nothing, type Scope } from './scope.js'

/** Calls that a value is looked for behind, one in the other: `memo(forwardRef(fn))`. */
const maxWrappers = 3

/** Calls whose function is not what the name stands for, but how something else is found or done. */
const inertCallees: ReadonlySet<string> = new Set([
  ...([
    'map',
    'filter',
    'reduce',
    'reduceRight',
    'forEach',
    'find',
    'findIndex',
    'findLast',
  ] as const),
  ...([
    'some',
    'every',
    'flatMap',
    'sort',
    'toSorted',
    'then',
    'catch',
    'finally',
    'from',
  ] as const),
  ...(['replace', 'replaceAll', 'setTimeout', 'setInterval', 'requestAnimationFrame'] as const),
  ...(['require', 'import', 'all', 'allSettled', 'race'] as const),
])

/** A value with what stands around it looked through. */
type Core =
  | { readonly what: 'function'; readonly node: NonNullable<ReturnType<typeof functionOf>> }
  | { readonly what: 'class'; readonly node: ValueOf<'ClassExpression'> }
  | { readonly what: 'object'; readonly node: ObjectNode }
  | { readonly what: 'component'; readonly node: ObjectNode }

/** The declaration of a name by its value; undefined where there is nothing to tell. */
export function declareValue(
  named: Named,
  value: Expression | null | undefined,
  scope: Scope,
): Declaration | undefined {
  const core = value == null ? undefined : coreOf(value, maxWrappers)
  const special = core && declareCore(named, core, scope)
  if (special !== undefined) return special
  const { plain } = named
  if (plain === undefined || (scope.isLocal && isPlainValue(plain))) return undefined
  return toldAs(named, plain, value == null ? nothing : scanExpression(value, scope))
}

function isPlainValue(kind: NonNullable<Named['plain']>): boolean {
  return kind === 'const' || kind === 'var'
}

function toldAs(
  { name, nameAt, from, to, flags }: Named,
  kind: SymbolKind,
  children: readonly Declaration[],
): Declaration {
  return { name, kind, flags, from, to, nameAt, children }
}

function declareCore(named: Named, core: Core, scope: Scope): Declaration | undefined {
  switch (core.what) {
    case 'function': {
      const kind = functionKind(named.name, core.node, scope)
      const told = toldAs(named, kind, insideFunction(core.node, scope))
      const flags = functionFlags(core.node)
      return flags.length === 0 ? told : { ...told, flags: [...told.flags, ...flags] }
    }
    case 'class':
      return toldAs(named, 'class', classMembers(core.node, scope))
    case 'component':
      return toldAs(named, 'component', vueOptions(core.node, scope))
    case 'object': {
      const isComponent = scope.component !== undefined && named.flags.includes('default')
      if (isComponent) return declareCore(named, { ...core, what: 'component' }, scope)
      const children = objectMembers(core.node, scope, 1)
      return children.length === 0 ? undefined : toldAs(named, 'object', children)
    }
  }
}

/** A value without the types that are put on it. */
export function unwrapTypes(node: Expression): Expression {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TypeCastExpression':
    case 'ParenthesizedExpression':
      return unwrapTypes(node.expression)
    default:
      return node
  }
}

function coreOf(value: Expression, wrappers: number): Core | undefined {
  const node = unwrapTypes(value)
  const fn = functionOf(node)
  if (fn !== undefined) return { what: 'function', node: fn }
  if (node.type === 'ClassExpression') return { what: 'class', node }
  if (node.type === 'ObjectExpression') return { what: 'object', node }
  if (node.type === 'AssignmentExpression') return coreOf(node.right, wrappers)
  if (node.type !== 'CallExpression' || wrappers === 0) return undefined
  return coreOfCall(node, wrappers)
}

function coreOfCall(node: ValueOf<'CallExpression'>, wrappers: number): Core | undefined {
  const callee = calleeName(node)
  if (callee === undefined || inertCallees.has(callee)) return undefined
  for (const argument of node.arguments) {
    const core = isExpression(argument) ? coreOf(argument, wrappers - 1) : undefined
    if (core?.what === 'object' && callee === 'defineComponent')
      return { ...core, what: 'component' }
    if (core !== undefined) return core
  }
  return undefined
}

/** The last name of what is called; undefined for a function that is called where it stands. */
function calleeName({ callee }: ValueOf<'CallExpression'>): string | undefined {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'Import') return 'import'
  if (callee.type === 'CallExpression') return calleeName(callee)
  const isMember = callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
  return isMember && callee.property.type === 'Identifier' ? callee.property.name : undefined
}

function isExpression(
  node: ValueOf<'CallExpression'>['arguments'][number],
): node is Extract<typeof node, Expression> {
  return node.type !== 'SpreadElement' && node.type !== 'ArgumentPlaceholder'
}
