import type { Expression } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { gather, localScope, type Scope } from './scope.js'

/** The expressions in which functions without a name of their own may stand. */
type Passage = (node: never) => readonly unknown[]

const passages: Readonly<Record<string, Passage>> = {
  ArrayExpression: (node: { elements: unknown[] }) => node.elements,
  AssignmentExpression: (node: { right: unknown }) => [node.right],
  AwaitExpression: (node: { argument: unknown }) => [node.argument],
  CallExpression: (node: { callee: unknown; arguments: unknown[] }) => [
    node.callee,
    ...node.arguments,
  ],
  ConditionalExpression: (node: { consequent: unknown; alternate: unknown }) => [
    node.consequent,
    node.alternate,
  ],
  LogicalExpression: (node: { left: unknown; right: unknown }) => [node.left, node.right],
  MemberExpression: (node: { object: unknown }) => [node.object],
  NewExpression: (node: { callee: unknown; arguments: unknown[] }) => [
    node.callee,
    ...node.arguments,
  ],
  ObjectExpression: (node: { properties: unknown[] }) => node.properties,
  ObjectMethod: (node: object) => [{ ...node, type: 'FunctionExpression' }],
  ObjectProperty: (node: { value: unknown }) => [node.value],
  OptionalCallExpression: (node: { callee: unknown; arguments: unknown[] }) => [
    node.callee,
    ...node.arguments,
  ],
  SequenceExpression: (node: { expressions: unknown[] }) => node.expressions,
  SpreadElement: (node: { argument: unknown }) => [node.argument],
  TSAsExpression: (node: { expression: unknown }) => [node.expression],
  TSNonNullExpression: (node: { expression: unknown }) => [node.expression],
  TSSatisfiesExpression: (node: { expression: unknown }) => [node.expression],
  UnaryExpression: (node: { argument: unknown }) => [node.argument],
  YieldExpression: (node: { argument: unknown }) => [node.argument],
}

/** What the nameless functions in an expression declare: callbacks, wrappers that run at once. */
export function scanExpression(node: Expression, scope: Scope): readonly Declaration[] {
  return scan(node, localScope(scope))
}

function scan(node: unknown, scope: Scope): readonly Declaration[] {
  if (!isNode(node)) return nothing
  if (isFunction(node)) {
    return isBlock(node.body)
      ? scope.walk.statements(node.body.body, scope)
      : scan(node.body, scope)
  }
  const passage = passages[node.type]
  return passage === undefined
    ? nothing
    : gather(passage(node as never), child => scan(child, scope))
}

const nothing: readonly Declaration[] = []

interface AnyNode {
  readonly type: string
}

function isNode(node: unknown): node is AnyNode {
  return typeof node === 'object' && node !== null && 'type' in node
}

function isFunction(node: AnyNode): node is AnyNode & { readonly body: unknown } {
  return node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
}

function isBlock(
  node: unknown,
): node is { readonly body: Parameters<Scope['walk']['statements']>[0] } {
  return isNode(node) && node.type === 'BlockStatement'
}
