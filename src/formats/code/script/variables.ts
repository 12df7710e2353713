import type { NodeOf } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { scanExpression } from './scan.js'
import {
  declare,
  flagsOf,
  holdsNoFunction,
  type Named,
  nameOf,
  nothing,
  type Placed,
  type Scope,
  startOf,
} from './scope.js'
import { declareValue } from './values.js'

/** A statement with several declarators is told by its parts, each with its own range. */
export function declareVariables(
  node: NodeOf<'VariableDeclaration'>,
  scope: Scope,
): readonly Declaration[] {
  if (holdsNoFunction(node, scope)) return nothing
  const [only] = node.declarations
  if (node.declarations.length === 1 && only !== undefined)
    return declareVariable(only, node, scope)
  return node.declarations.flatMap(one => declareVariable(one, node, scope))
}

function declareVariable(
  declarator: NodeOf<'VariableDeclaration'>['declarations'][number],
  node: NodeOf<'VariableDeclaration'>,
  scope: Scope,
): readonly Declaration[] {
  const { id, init } = declarator
  const plain = node.kind === 'const' ? 'const' : 'var'
  const flags = flagsOf({ declare: node.declare })
  const place = node.declarations.length === 1 ? node : declarator
  if (id.type === 'Identifier' || id.type === 'VoidPattern') {
    // An import by another name.
    if (isRequire(init)) return nothing
    const named = namedBy(nameOf(id, scope.text), place, { flags, plain })
    const declared = declareValue(named, init, scope)
    if (declared !== undefined) return [declared]
    return init ? scanExpression(init, scope) : nothing
  }
  if (isRequire(init) || scope.isLocal) return init ? scanExpression(init, scope) : nothing
  const names = boundNames(id)
  const shared = names.length > 1 ? (['shared'] as const) : []
  return names.map(name =>
    declare(place, nameOf(name, scope.text), plain, { flags: [...flags, ...shared] }),
  )
}

function namedBy(
  name: ReturnType<typeof nameOf>,
  place: Placed,
  rest: Pick<Named, 'flags' | 'plain'>,
): Named {
  const from = startOf(place)
  return { name: name.text, nameAt: name.node.start ?? from, from, to: place.end ?? from, ...rest }
}

function isRequire(init: NodeOf<'VariableDeclaration'>['declarations'][number]['init']): boolean {
  if (init?.type === 'MemberExpression' && init.object.type !== 'Super')
    return isRequire(init.object)
  return init?.type === 'CallExpression' && init.callee.type === 'Identifier'
    ? init.callee.name === 'require'
    : false
}

type Bound = { readonly type: string; readonly start?: number | null; readonly end?: number | null }

/** The names that a pattern binds. */
function boundNames(pattern: Bound): readonly Bound[] {
  const parts = (nodes: unknown): readonly Bound[] =>
    Array.isArray(nodes) ? nodes.flatMap(one => (one === null ? [] : boundNames(one))) : []
  switch (pattern.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return parts('properties' in pattern ? pattern.properties : [])
    case 'ArrayPattern':
      return parts('elements' in pattern ? pattern.elements : [])
    case 'ObjectProperty':
      return parts('value' in pattern ? [pattern.value] : [])
    case 'AssignmentPattern':
      return parts('left' in pattern ? [pattern.left] : [])
    case 'RestElement':
      return parts('argument' in pattern ? [pattern.argument] : [])
    default:
      return []
  }
}
