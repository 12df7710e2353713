import type { SymbolFlag, SymbolKind } from '../../../core/outline.js'
import type { Expression, NodeOf, ValueOf } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { scanExpression } from './scan.js'
import { flagsOf, nothing, type Placed, type Scope } from './scope.js'

/** Whatever has parameters and a body. */
export interface FunctionNode {
  readonly type: string
  readonly body: { readonly type: string } & Placed
  readonly async?: boolean | null | undefined
  readonly generator?: boolean | null | undefined
}

/** The function of an expression, where it is one. */
export function functionOf(
  node: Expression,
): ValueOf<'FunctionExpression'> | ValueOf<'ArrowFunctionExpression'> | undefined {
  const isFunction = node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
  return isFunction ? node : undefined
}

/** What a named function is: also a component or a hook, known by name and content. */
export function functionKind(
  name: string,
  node: Placed & { readonly type: string },
  { openings }: Scope,
): SymbolKind {
  if (/^use[A-Z]/.test(name)) return 'hook'
  const isPascal = /^[A-Z]/.test(name) && (name.length === 1 || /[a-z]/.test(name))
  const mayBeComponent = isPascal || name === 'default'
  const mayHoldJsx = mayBeComponent && openings.holdsJsxIn(node.start ?? 0, node.end ?? 0)
  if (mayHoldJsx && holdsJsx(node)) return 'component'
  return node.type === 'ArrowFunctionExpression' ? 'arrow' : 'function'
}

/** How a function runs. */
export function functionFlags(node: FunctionNode): readonly SymbolFlag[] {
  return flagsOf({ async: node.async, generator: node.generator })
}

/** What a named function declares inside. */
export function insideFunction({ body }: FunctionNode, scope: Scope): readonly Declaration[] {
  return scope.inside === undefined ? nothing : insideBody(body, scope.inside)
}

/** What the body of a function declares, whose name does not count. */
export function functionBody({ body }: FunctionNode, scope: Scope): readonly Declaration[] {
  return insideBody(body, scope.local)
}

function insideBody(body: FunctionNode['body'], inner: Scope): readonly Declaration[] {
  if (!isBlock(body)) return scanExpression(body as Expression, inner)
  const mayDeclare = inner.openings.declaresIn((body.start ?? 0) + 1, body.end ?? 0)
  return mayDeclare ? inner.walk.statements(body.body, inner) : nothing
}

function isBlock(body: { readonly type: string }): body is NodeOf<'BlockStatement'> {
  return body.type === 'BlockStatement'
}

/** Looks everywhere below a node; a component shows its JSX early. */
function holdsJsx(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(holdsJsx)
  if (typeof node !== 'object' || node === null || !('type' in node)) return false
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return true
  for (const [field, child] of Object.entries(node)) {
    if (typeof child === 'object' && field !== 'loc' && holdsJsx(child)) return true
  }
  return false
}
