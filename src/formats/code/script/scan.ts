import type { Expression, ObjectMember, ValueOf } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { nothing, type Scope } from './scope.js'

type Call = ValueOf<'CallExpression'>

/** Whatever may stand around or in the expressions in which functions without a name of their own stand. */
type Part =
  | Expression
  | ObjectMember
  | Call['callee']
  | Call['arguments'][number]
  | ValueOf<'NewExpression'>['callee']
  | ValueOf<'ArrayExpression'>['elements'][number]
  | Extract<ObjectMember, { type: 'ObjectProperty' }>['value']

/** What the nameless functions in an expression declare: callbacks, wrappers that run at once. */
export function scanExpression(node: Expression, scope: Scope): readonly Declaration[] {
  if (!scope.openings.runsIn(node.start ?? 0, node.end ?? 0)) return nothing
  const found: Declaration[] = []
  scan(node, scope.local, found)
  return found
}

function scan(node: Part | null | undefined, scope: Scope, found: Declaration[]): void {
  switch (node?.type) {
    case undefined:
    case 'Identifier':
      return
    case 'MemberExpression':
      scan(node.object, scope, found)
      return
    case 'CallExpression':
    case 'NewExpression':
    case 'OptionalCallExpression':
      scan(node.callee, scope, found)
      scanAll(node.arguments, scope, found)
      return
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ObjectMethod':
      scanFunction(node, scope, found)
      return
    case 'ObjectExpression':
      scanAll(node.properties, scope, found)
      return
    case 'ObjectProperty':
      scan(node.value, scope, found)
      return
    case 'ArrayExpression':
      scanAll(node.elements, scope, found)
      return
    case 'ConditionalExpression':
      scan(node.consequent, scope, found)
      scan(node.alternate, scope, found)
      return
    case 'LogicalExpression':
      scan(node.left, scope, found)
      scan(node.right, scope, found)
      return
    case 'AssignmentExpression':
      scan(node.right, scope, found)
      return
    case 'SequenceExpression':
      scanAll(node.expressions, scope, found)
      return
    case 'AwaitExpression':
    case 'SpreadElement':
    case 'UnaryExpression':
    case 'YieldExpression':
      scan(node.argument, scope, found)
      return
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
      scan(node.expression, scope, found)
      return
  }
}

function scanAll(
  parts: readonly (Part | null | undefined)[],
  scope: Scope,
  found: Declaration[],
): void {
  for (const part of parts) scan(part, scope, found)
}

function scanFunction(
  { body }: { readonly body: ValueOf<'ArrowFunctionExpression'>['body'] },
  scope: Scope,
  found: Declaration[],
): void {
  if (body.type !== 'BlockStatement') scan(body, scope, found)
  else if (scope.openings.declaresIn((body.start ?? 0) + 1, body.end ?? 0)) {
    for (const one of scope.walk.statements(body.body, scope)) found.push(one)
  }
}
