import type { SymbolKind } from '../../../core/outline.js'
import type { ClassMember } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { insideFunction } from './functions.js'
import { declare, flagsOf, keyName, mergeOverloads, type Scope, startOf } from './scope.js'

/** The members of a class, overloads joined. */
export function classMembers(
  node: { readonly body: { readonly body: readonly ClassMember[] } },
  scope: Scope,
): readonly Declaration[] {
  return mergeOverloads(node.body.body.flatMap(member => declareMember(member, scope)))
}

function declareMember(member: ClassMember, scope: Scope): readonly Declaration[] {
  switch (member.type) {
    case 'ClassMethod':
    case 'ClassPrivateMethod':
    case 'TSDeclareMethod':
      return [declareMethod(member, scope)]
    case 'ClassProperty':
    case 'ClassPrivateProperty':
    case 'ClassAccessorProperty':
      return declareField(member, scope)
    case 'StaticBlock':
      return scope.walk.statements(member.body, { ...scope, isLocal: true })
    default:
      return []
  }
}

type Method = Extract<
  ClassMember,
  { type: 'ClassMethod' | 'ClassPrivateMethod' | 'TSDeclareMethod' }
>

const methodKinds: ReadonlyMap<string, SymbolKind> = new Map([
  ['get', 'getter'],
  ['set', 'setter'],
  ['constructor', 'constructor'],
])

function declareMethod(member: Method, scope: Scope): Declaration {
  const isSignature = member.type === 'TSDeclareMethod'
  const isAbstract = 'abstract' in member && member.abstract === true
  const flags = flagsOf({
    async: member.async,
    generator: member.generator,
    static: member.static,
    abstract: isAbstract,
    overload: isSignature && !isAbstract,
  })
  const children = isSignature ? [] : insideFunction(member, scope)
  const kind = methodKinds.get(member.kind ?? '') ?? 'method'
  return declare(member, keyName(member, scope.text), kind, { flags, children })
}

type Field = Extract<
  ClassMember,
  { type: 'ClassProperty' | 'ClassPrivateProperty' | 'ClassAccessorProperty' }
>

function declareField(member: Field, scope: Scope): readonly Declaration[] {
  const name = keyName(member, scope.text)
  const from = startOf(member)
  const flags = flagsOf({
    static: member.static,
    abstract: 'abstract' in member ? member.abstract : false,
    declare: 'declare' in member ? member.declare : false,
  })
  const named = {
    name: name.text,
    nameAt: name.node.start ?? from,
    from,
    to: member.end ?? from,
    flags,
    plain: 'property',
  } as const
  // A class inside a function tells its fields all the same.
  const declared = scope.walk.value(named, member.value, scope)
  return declared === undefined ? [] : [declared]
}

/** The members of an interface or object type. */
export function typeMembers(
  members: readonly { readonly type: string }[],
  text: string,
): readonly Declaration[] {
  return mergeOverloads(members.flatMap(member => declareTypeMember(member, text)))
}

const typeMemberKinds: Readonly<Record<string, SymbolKind>> = {
  TSMethodSignature: 'method',
  TSPropertySignature: 'property',
  ObjectTypeProperty: 'property',
}

function declareTypeMember(
  member: { readonly type: string },
  text: string,
): readonly Declaration[] {
  const kind = typeMemberKinds[member.type]
  if (kind === undefined || !('key' in member)) return []
  const keyed = member as Parameters<typeof keyName>[0] & { readonly kind?: string }
  const accessor = methodKinds.get(keyed.kind ?? '')
  const flags = flagsOf({ overload: kind === 'method' && accessor === undefined })
  return [declare(keyed, keyName(keyed, text), accessor ?? kind, { flags })]
}
