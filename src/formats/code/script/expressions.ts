import type { Expression, NodeOf, ValueOf } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { targetName } from './exports.js'
import { functionBody, functionOf } from './functions.js'
import { scanExpression } from './scan.js'
import { declare, holdsNoFunction, nothing, type Scope, startOf } from './scope.js'
import { declareValue } from './values.js'

const testCallees: ReadonlySet<string> = new Set([
  ...(['describe', 'it', 'test', 'suite', 'context', 'specify', 'bench'] as const),
  ...(['fdescribe', 'fit', 'xdescribe', 'xit', 'xtest'] as const),
])

/** What a statement that is an expression declares: tests, assigned functions, and what callbacks hold. */
export function declareExpression(
  statement: NodeOf<'ExpressionStatement'>,
  scope: Scope,
): readonly Declaration[] {
  const { expression } = statement
  if (holdsNoFunction(statement, scope)) return nothing
  if (expression.type === 'CallExpression') {
    const test = declareTest(statement, expression, scope)
    if (test !== undefined) return [test]
  }
  if (expression.type === 'AssignmentExpression') {
    return declareAssignment(statement, expression, scope)
  }
  return scanExpression(expression, scope)
}

type Callback = NonNullable<ReturnType<typeof functionOf>>

/** A call of `describe`, `it` or `test`, also `.only` or `.each(table)`, with a title that is written out. */
function declareTest(
  statement: NodeOf<'ExpressionStatement'>,
  call: ValueOf<'CallExpression'>,
  scope: Scope,
): Declaration | undefined {
  if (!testCallees.has(rootName(call.callee))) return undefined
  const [title] = call.arguments
  const text = title === undefined ? undefined : literalText(title)
  const body = text === undefined ? undefined : call.arguments.find(isFunction)
  if (title === undefined || text === undefined || body === undefined) return undefined
  const children = functionBody(body, scope)
  return declare(statement, { text, node: title }, 'test', { children })
}

function isFunction(node: { readonly type: string }): node is Callback {
  return functionOf(node as Expression) !== undefined
}

function rootName(callee: { readonly type: string }): string {
  if ('object' in callee) return rootName(callee.object as { readonly type: string })
  if ('callee' in callee) return rootName(callee.callee as { readonly type: string })
  if ('tag' in callee) return rootName(callee.tag as { readonly type: string })
  return 'name' in callee ? String(callee.name) : ''
}

function literalText(node: ValueOf<'CallExpression'>['arguments'][number]): string | undefined {
  if (node.type === 'StringLiteral') return node.value
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.raw
}

/** A function, class or object that is assigned has the name of what it is assigned to. */
function declareAssignment(
  statement: NodeOf<'ExpressionStatement'>,
  expression: ValueOf<'AssignmentExpression'>,
  scope: Scope,
): readonly Declaration[] {
  const target = targetName(expression.left)
  const [, exported] = /^(?:module\.)?exports\.(\w+)$/.exec(target) ?? []
  const isWhole = target === 'module.exports'
  const from = startOf(statement)
  const declared = declareValue(
    {
      name: exported ?? target,
      nameAt: expression.left.start ?? from,
      from,
      to: statement.end ?? from,
      flags: isWhole ? ['exported', 'default'] : exported === undefined ? [] : ['exported'],
      plain: exported !== undefined && !isReference(expression.right) ? 'const' : undefined,
    },
    target === '' ? undefined : expression.right,
    scope,
  )
  if (declared === undefined) return scanExpression(expression, scope)
  const isMethod = target.includes('.prototype.') && declared.kind !== 'object'
  return [isMethod ? { ...declared, kind: 'method' } : declared]
}

/** What another name stands for already, or what a compiler writes before the true value. */
function isReference(node: Expression): boolean {
  return ['Identifier', 'MemberExpression', 'UnaryExpression', 'AssignmentExpression'].includes(
    node.type,
  )
}
