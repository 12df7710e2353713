import type { SymbolFlag } from '../../../core/outline.js'
import type { NodeOf, Statement } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { declare, nameOf, type Scope, startOf } from './scope.js'
import { unwrapTypes } from './values.js'

export type DeclareStatement = (node: Statement, scope: Scope) => readonly Declaration[]

/** What an `export` declares; its range is the whole statement, from the decorators on. */
export function declareExports(
  node: NodeOf<'ExportNamedDeclaration'> | NodeOf<'ExportDefaultDeclaration'>,
  scope: Scope,
  declareStatement: DeclareStatement,
): readonly Declaration[] {
  if (node.type === 'ExportDefaultDeclaration') return declareDefault(node, scope, declareStatement)
  if (node.declaration) {
    const declared = declareStatement(node.declaration, scope)
    return declared.map(one => widen(one, node, declared.length, ['exported']))
  }
  return node.source
    ? node.specifiers.map(specifier => declareReexport(node, specifier, scope))
    : []
}

/** `export * from`: what it is called elsewhere is not said here. */
export function declareExportAll(node: NodeOf<'ExportAllDeclaration'>): Declaration {
  return declare(node, { text: '*', node }, 'reexport', { flags: ['exported'] })
}

function declareReexport(
  node: NodeOf<'ExportNamedDeclaration'>,
  specifier: NodeOf<'ExportNamedDeclaration'>['specifiers'][number],
  scope: Scope,
): Declaration {
  const isAlone = node.specifiers.length === 1
  const name = nameOf(specifier.exported, scope.text)
  return declare(isAlone ? node : specifier, name, 'reexport', { flags: ['exported'] })
}

function declareDefault(
  node: NodeOf<'ExportDefaultDeclaration'>,
  scope: Scope,
  declareStatement: DeclareStatement,
): readonly Declaration[] {
  const { declaration } = node
  const flags = ['exported', 'default'] as const
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
      return declareStatement(declaration, scope).map(one => widen(one, node, 1, flags))
    default:
      break
  }
  // An interface is a statement, whatever its type says.
  const asStatement = declareStatement(declaration as unknown as Statement, scope)
  if (asStatement.length > 0) return asStatement.map(one => widen(one, node, 1, flags))
  const value = unwrapTypes(declaration as Parameters<typeof unwrapTypes>[0])
  if (value.type === 'Identifier') return []
  const from = startOf(node)
  const name = scope.component ?? 'default'
  const place = { name, nameAt: startOf(declaration), from, to: node.end ?? from, flags }
  const declared = scope.walk.value({ ...place, plain: 'const' }, value, scope)
  return declared === undefined ? [] : [declared]
}

function widen(
  one: Declaration,
  node: Parameters<typeof startOf>[0],
  siblings: number,
  flags: readonly SymbolFlag[],
): Declaration {
  const wider =
    siblings > 1 ? {} : { from: Math.min(startOf(node), one.from), to: node.end ?? one.to }
  return { ...one, ...wider, flags: [...flags, ...one.flags] }
}

/** Every name of a module that a statement elsewhere in it exports. */
export function exportedNames(
  body: readonly Statement[],
): ReadonlyMap<string, readonly SymbolFlag[]> {
  return new Map(body.flatMap(exportsOfStatement))
}

type Exported = readonly [string, readonly SymbolFlag[]]

function exportsOfStatement(node: Statement): readonly Exported[] {
  switch (node.type) {
    case 'ExportNamedDeclaration':
      return node.source ? [] : node.specifiers.flatMap(exportOfSpecifier)
    case 'ExportDefaultDeclaration':
      return defaultName(node.declaration)
    case 'TSExportAssignment':
      return defaultName(node.expression)
    case 'ExpressionStatement':
      return commonJsExports(node.expression)
    default:
      return []
  }
}

function exportOfSpecifier(
  specifier: NodeOf<'ExportNamedDeclaration'>['specifiers'][number],
): readonly Exported[] {
  if (specifier.type !== 'ExportSpecifier') return []
  const { local, exported } = specifier
  const isDefault = exported.type === 'Identifier' && exported.name === 'default'
  return [[local.name, isDefault ? ['exported', 'default'] : ['exported']]]
}

function defaultName(node: { readonly type: string }): readonly Exported[] {
  const isName = node.type === 'Identifier' && 'name' in node && typeof node.name === 'string'
  return isName ? [[String(node.name), ['exported', 'default']]] : []
}

/** `module.exports = name`, `module.exports = { name }`, `exports.other = name`. */
function commonJsExports(node: NodeOf<'ExpressionStatement'>['expression']): readonly Exported[] {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return []
  const target = targetName(node.left)
  const isWhole = target === 'module.exports'
  if (!isWhole && !/^(?:module\.)?exports\.\w+$/.test(target)) return []
  const { right } = node
  if (right.type === 'Identifier')
    return [[right.name, isWhole ? ['exported', 'default'] : ['exported']]]
  if (!isWhole || right.type !== 'ObjectExpression') return []
  return right.properties.flatMap((member): readonly Exported[] => {
    const value = member.type === 'ObjectProperty' ? member.value : undefined
    return value?.type === 'Identifier' ? [[value.name, ['exported']]] : []
  })
}

/** A chain of names as it is written, `this` left out; empty for anything that is computed. */
export function targetName(node: { readonly type: string }): string {
  if (node.type === 'Identifier' && 'name' in node) return String(node.name)
  if (node.type !== 'MemberExpression' || !('object' in node) || !('property' in node)) return ''
  const { object, property } = node as unknown as Record<
    'object' | 'property',
    { readonly type: string }
  >
  const isComputed = 'computed' in node && node.computed === true
  const last = isComputed ? '' : targetName(property)
  if (object.type === 'ThisExpression') return last
  const first = targetName(object)
  return first === '' || last === '' ? '' : `${first}.${last}`
}
