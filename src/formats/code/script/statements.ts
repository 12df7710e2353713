import type { NodeOf, Statement } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { classMembers, typeMembers } from './classes.js'
import { type DeclareStatement, declareExportAll, declareExports } from './exports.js'
import { declareExpression } from './expressions.js'
import { functionFlags, functionKind, insideFunction } from './functions.js'
import { scanExpression } from './scan.js'
import {
  declare,
  flagsOf,
  gather,
  localScope,
  mergeOverloads,
  type Named,
  nameOf,
  type Scope,
  startOf,
  type Walk,
} from './scope.js'
import { declareValue } from './values.js'

/** The readers of a script. */
export const scriptWalk: Walk = { statements: declareStatements, value: declareValue }

function declareStatements(body: readonly Statement[], scope: Scope): readonly Declaration[] {
  return mergeOverloads(gather(body, statement => declareStatement(statement, scope)))
}

/** Statements that hold others. */
type Block = (node: never) => readonly (Statement | null | undefined)[]

const blocks: Readonly<Record<string, Block>> = {
  BlockStatement: (node: NodeOf<'BlockStatement'>) => node.body,
  DoWhileStatement: (node: NodeOf<'DoWhileStatement'>) => [node.body],
  ForInStatement: (node: NodeOf<'ForInStatement'>) => [node.body],
  ForOfStatement: (node: NodeOf<'ForOfStatement'>) => [node.body],
  ForStatement: (node: NodeOf<'ForStatement'>) => [node.body],
  IfStatement: (node: NodeOf<'IfStatement'>) => [node.consequent, node.alternate],
  LabeledStatement: (node: NodeOf<'LabeledStatement'>) => [node.body],
  SwitchStatement: (node: NodeOf<'SwitchStatement'>) =>
    node.cases.flatMap(({ consequent }) => consequent),
  TryStatement: (node: NodeOf<'TryStatement'>) => [node.block, node.handler?.body, node.finalizer],
  WhileStatement: (node: NodeOf<'WhileStatement'>) => [node.body],
}

const declareStatement: DeclareStatement = (node, scope) => {
  const block = blocks[node.type]
  if (block !== undefined) {
    const inner = block(node as never).filter(one => one != null)
    return declareStatements(inner, localScope(scope))
  }
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return [declareFunction(node, scope)]
    case 'ClassDeclaration':
      return [declareClass(node, scope)]
    case 'VariableDeclaration':
      return declareVariables(node, scope)
    case 'ExpressionStatement':
      return declareExpression(node, scope)
    case 'ReturnStatement':
      return declareReturn(node, scope)
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return declareExports(node, scope, declareStatement)
    case 'ExportAllDeclaration':
      return [declareExportAll(node)]
    default:
      return declareType(node, scope)
  }
}

const declareType: DeclareStatement = (node, scope) => {
  switch (node.type) {
    case 'TSInterfaceDeclaration': {
      const children = typeMembers(node.body.body, scope.text)
      const flags = flagsOf({ declare: node.declare })
      return [declare(node, nameOf(node.id, scope.text), 'interface', { flags, children })]
    }
    case 'InterfaceDeclaration':
    case 'DeclareInterface': {
      const children = typeMembers(node.body.properties, scope.text)
      return [declare(node, nameOf(node.id, scope.text), 'interface', { children })]
    }
    case 'TSTypeAliasDeclaration':
    case 'TypeAlias':
    case 'OpaqueType':
      return [declare(node, nameOf(node.id, scope.text), 'type', { flags: declareFlag(node) })]
    case 'TSEnumDeclaration':
    case 'EnumDeclaration':
      return [declareEnum(node, scope)]
    case 'TSModuleDeclaration':
      return [declareNamespace(node, scope)]
    default:
      return declareFlow(node, scope)
  }
}

/** What a Flow library definition says. */
const declareFlow: DeclareStatement = (node, scope) => {
  const flags = ['declare'] as const
  switch (node.type) {
    case 'DeclareFunction':
      return [declare(node, nameOf(node.id, scope.text), 'function', { flags })]
    case 'DeclareClass': {
      const children = typeMembers(node.body.properties, scope.text)
      return [declare(node, nameOf(node.id, scope.text), 'class', { flags, children })]
    }
    case 'DeclareVariable':
      return [declare(node, nameOf(node.id, scope.text), 'var', { flags })]
    case 'DeclareTypeAlias':
    case 'DeclareOpaqueType':
      return [declare(node, nameOf(node.id, scope.text), 'type', { flags })]
    case 'DeclareModule': {
      const children = declareStatements(node.body.body, scope)
      return [declare(node, nameOf(node.id, scope.text), 'namespace', { flags, children })]
    }
    default:
      return []
  }
}

function declareFlag(node: object): readonly 'declare'[] {
  return 'declare' in node && node.declare === true ? ['declare'] : []
}

const anonymous = 'default'

function declareFunction(
  node: NodeOf<'FunctionDeclaration'> | NodeOf<'TSDeclareFunction'>,
  scope: Scope,
): Declaration {
  const name = node.id ? nameOf(node.id, scope.text) : { text: anonymous, node }
  const isSignature = node.type === 'TSDeclareFunction'
  const flags = [
    ...functionFlags({ ...node, body: node }),
    ...flagsOf({ declare: node.declare, overload: isSignature }),
  ]
  if (isSignature) return declare(node, name, 'function', { flags })
  const kind = functionKind(name.text, node, scope)
  return declare(node, name, kind, { flags, children: insideFunction(node, scope) })
}

function declareClass(node: NodeOf<'ClassDeclaration'>, scope: Scope): Declaration {
  const name = node.id ? nameOf(node.id, scope.text) : { text: anonymous, node }
  const flags = flagsOf({ abstract: node.abstract, declare: node.declare })
  return declare(node, name, 'class', { flags, children: classMembers(node, scope) })
}

function declareEnum(
  node: NodeOf<'TSEnumDeclaration'> | NodeOf<'EnumDeclaration'>,
  scope: Scope,
): Declaration {
  const members = 'members' in node && node.members ? node.members : (node.body?.members ?? [])
  const children = members.map(member => declare(member, nameOf(member.id, scope.text), 'property'))
  return declare(node, nameOf(node.id, scope.text), 'enum', { flags: declareFlag(node), children })
}

/** `namespace A.B {}` is one namespace with both names. */
function declareNamespace(node: NodeOf<'TSModuleDeclaration'>, scope: Scope): Declaration {
  let inner = node
  while (inner.body?.type === 'TSModuleDeclaration') inner = inner.body
  const [first, last] = [nameOf(node.id, scope.text), inner.id]
  const text =
    inner === node ? first.text : scope.text.slice(node.id.start ?? 0, last.end ?? undefined)
  const body = inner.body?.type === 'TSModuleBlock' ? inner.body.body : []
  return declare(node, { text, node: node.id }, 'namespace', {
    flags: declareFlag(node),
    children: declareStatements(body, scope),
  })
}

/** A statement with several declarators is told by its parts, each with its own range. */
function declareVariables(
  node: NodeOf<'VariableDeclaration'>,
  scope: Scope,
): readonly Declaration[] {
  const plain = node.kind === 'const' ? 'const' : 'var'
  const flags = flagsOf({ declare: node.declare })
  return node.declarations.flatMap(({ id, init, start, end }) => {
    const place = node.declarations.length === 1 ? node : { start, end }
    if (id.type === 'Identifier' || id.type === 'VoidPattern') {
      const named = namedBy(nameOf(id, scope.text), place, { flags, plain })
      // An import by another name.
      if (isRequire(init)) return []
      const declared = declareValue(named, init, scope)
      return declared ?? (init ? scanExpression(init, scope) : [])
    }
    if (isRequire(init) || scope.isLocal) return init ? scanExpression(init, scope) : []
    return boundNames(id).map(name => {
      const shared = boundNames(id).length > 1 ? (['shared'] as const) : []
      return declare(place, nameOf(name, scope.text), plain, { flags: [...flags, ...shared] })
    })
  })
}

function namedBy(
  name: ReturnType<typeof nameOf>,
  place: { readonly start?: number | null | undefined; readonly end?: number | null | undefined },
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

/** The functions of an object that a function answers are its own. */
function declareReturn(node: NodeOf<'ReturnStatement'>, scope: Scope): readonly Declaration[] {
  const { argument } = node
  if (argument == null) return []
  if (argument.type !== 'ObjectExpression') return scanExpression(argument, scope)
  const place = { name: '', nameAt: 0, from: 0, to: 0, flags: [], plain: undefined }
  return declareValue(place, argument, scope)?.children ?? []
}
