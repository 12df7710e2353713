import type { Expression, ObjectMember, ObjectNode } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { functionFlags, functionOf, insideFunction } from './functions.js'
import { declare, keyName, type Named, type Scope } from './scope.js'

/** Levels of an object literal whose functions are told. */
const maxLevels = 2

/** The functions of an object literal, and the objects in it that hold some. */
export function objectMembers(
  node: ObjectNode,
  scope: Scope,
  level: number,
): readonly Declaration[] {
  return node.properties.flatMap(member => declareMember(member, scope, level))
}

function declareMember(member: ObjectMember, scope: Scope, level: number): readonly Declaration[] {
  if (member.type === 'SpreadElement') return []
  const name = keyName(member, scope.text)
  if (member.type === 'ObjectMethod') {
    const kind = member.kind === 'get' ? 'getter' : member.kind === 'set' ? 'setter' : 'method'
    const children = insideFunction(member, scope)
    return [declare(member, name, kind, { flags: functionFlags(member), children })]
  }
  const { value } = member
  if (value.type === 'ObjectExpression') {
    const children = level < maxLevels ? objectMembers(value, scope, level + 1) : []
    const isTold = children.length > 0 || (level === maxLevels && value.properties.some(isFunction))
    return isTold ? [declare(member, name, 'object', { children })] : []
  }
  const named = namedOf(member, name, undefined)
  const declared = scope.walk.value(named, value as Expression, scope)
  return declared === undefined || declared.kind === 'object' ? [] : [declared]
}

function isFunction(member: ObjectMember): boolean {
  if (member.type !== 'ObjectProperty') return member.type === 'ObjectMethod'
  return functionOf(member.value as Expression) !== undefined
}

function namedOf(
  member: { readonly start?: number | null; readonly end?: number | null },
  name: ReturnType<typeof keyName>,
  plain: Named['plain'],
): Named {
  const from = member.start ?? 0
  return {
    name: name.text,
    nameAt: name.node.start ?? from,
    from,
    to: member.end ?? from,
    flags: [],
    plain,
  }
}

/** The options of a Vue component: its functions, and those that group them, with what they hold. */
export function vueOptions(node: ObjectNode, scope: Scope): readonly Declaration[] {
  return node.properties.flatMap(member => {
    if (member.type === 'SpreadElement') return []
    const name = keyName(member, scope.text)
    if (name.text === 'data') return declareData(member, name, scope)
    return declareMember(member, scope, 1)
  })
}

/** `data` answers an object: its fields are what the component holds. */
function declareData(
  member: Exclude<ObjectMember, { type: 'SpreadElement' }>,
  name: ReturnType<typeof keyName>,
  scope: Scope,
): readonly Declaration[] {
  const fn = member.type === 'ObjectMethod' ? member : functionOf(member.value as Expression)
  if (fn === undefined) return []
  const answer =
    fn.body.type === 'BlockStatement'
      ? fn.body.body.flatMap(one => (one.type === 'ReturnStatement' ? (one.argument ?? []) : []))[0]
      : fn.body
  const fields = answer?.type === 'ObjectExpression' ? answer.properties : []
  const children = fields.flatMap(field => {
    if (field.type === 'SpreadElement') return []
    return [declare(field, keyName(field, scope.text), 'property')]
  })
  return [declare(member, name, 'method', { flags: functionFlags(fn), children })]
}
