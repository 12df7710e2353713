import type { NodeOf, Statement } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { classMembers, typeMembers } from './classes.js'
import { type DeclareStatement, declareExportAll, declareExports } from './exports.js'
import { declareExpression } from './expressions.js'
import { functionKind, insideFunction } from './functions.js'
import { scanExpression } from './scan.js'
import {
  declare,
  flagsOf,
  holdsNoFunction,
  mergeOverloads,
  nameOf,
  nothing,
  type Scope,
  type Walk,
} from './scope.js'
import { declareValue } from './values.js'
import { declareVariables } from './variables.js'

/** The readers of a script. */
export const scriptWalk: Walk = { statements: declareStatements, value: declareValue }

function declareStatements(
  body: readonly (Statement | null | undefined)[],
  scope: Scope,
): readonly Declaration[] {
  let first = nothing
  let all: Declaration[] | undefined
  for (const statement of body) {
    const found = statement == null ? nothing : declareStatement(statement, scope)
    if (found.length === 0) continue
    if (all !== undefined) for (const one of found) all.push(one)
    else if (first.length === 0) first = found
    else all = [...first, ...found]
  }
  return mergeOverloads(all ?? first)
}

const declareStatement: DeclareStatement = (node, scope) => {
  switch (node.type) {
    case 'ExpressionStatement':
      return declareExpression(node, scope)
    case 'VariableDeclaration':
      return declareVariables(node, scope)
    case 'ReturnStatement':
      return declareReturn(node, scope)
    case 'IfStatement':
    case 'BlockStatement':
    case 'ForOfStatement':
    case 'ForStatement':
    case 'TryStatement':
    case 'SwitchStatement':
    case 'WhileStatement':
    case 'ForInStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement':
      return declareParts(node, scope.local)
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return [declareFunction(node, scope)]
    case 'ClassDeclaration':
      return [declareClass(node, scope)]
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return declareExports(node, scope, declareStatement)
    case 'ExportAllDeclaration':
      return [declareExportAll(node)]
    case 'ImportDeclaration':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'ThrowStatement':
    case 'EmptyStatement':
      return nothing
    default:
      return declareType(node, scope)
  }
}

/** Statements that hold others. */
type Holder = NodeOf<
  | 'BlockStatement'
  | 'DoWhileStatement'
  | 'ForInStatement'
  | 'ForOfStatement'
  | 'ForStatement'
  | 'IfStatement'
  | 'LabeledStatement'
  | 'SwitchStatement'
  | 'TryStatement'
  | 'WhileStatement'
>

function declareParts(node: Holder, scope: Scope): readonly Declaration[] {
  switch (node.type) {
    case 'BlockStatement':
      return declareStatements(node.body, scope)
    case 'IfStatement':
      return declareStatements([node.consequent, node.alternate], scope)
    case 'SwitchStatement':
      return declareStatements(
        node.cases.flatMap(({ consequent }) => consequent),
        scope,
      )
    case 'TryStatement':
      return declareStatements([node.block, node.handler?.body, node.finalizer], scope)
    default:
      return declareStatements([node.body], scope)
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
  const { async, generator, declare: isDeclared } = node
  const flags = flagsOf({ async, generator, declare: isDeclared, overload: isSignature })
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

/** The functions of an object that a function answers are its own. */
function declareReturn(node: NodeOf<'ReturnStatement'>, scope: Scope): readonly Declaration[] {
  const { argument } = node
  if (argument == null || holdsNoFunction(node, scope)) return nothing
  if (argument.type !== 'ObjectExpression') return scanExpression(argument, scope)
  const place = { name: '', nameAt: 0, from: 0, to: 0, flags: [], plain: undefined }
  return declareValue(place, argument, scope)?.children ?? nothing
}
