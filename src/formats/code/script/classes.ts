import type { SymbolKind } from '../../../core/outline.js'
import type { ClassMember } from '../babel.js'
import type { Declaration } from '../declaration.js'
import { insideFunction } from './functions.js'
import {
  declare,
  flagsOf,
  keyName,
  mergeOverloads,
  nothing,
  type Placed,
  type Scope,
  startOf,
} from './scope.js'

/** The members of a class, overloads joined. */
export function classMembers(
  node: { readonly body: { readonly body: readonly ClassMember[] } },
  scope: Scope,
): readonly Declaration[] {
  const found: Declaration[] = []
  for (const member of node.body.body) declareMember(member, scope, found)
  return mergeOverloads(found)
}

function declareMember(member: ClassMember, scope: Scope, found: Declaration[]): void {
  switch (member.type) {
    case 'ClassMethod':
    case 'ClassPrivateMethod':
    case 'TSDeclareMethod':
      found.push(declareMethod(member, scope))
      return
    case 'ClassProperty':
    case 'ClassPrivateProperty':
    case 'ClassAccessorProperty': {
      const field = declareField(member, scope)
      if (field !== undefined) found.push(field)
      return
    }
    case 'StaticBlock':
      found.push(...scope.walk.statements(member.body, scope.local))
  }
}

type Method = Extract<
  ClassMember,
  { type: 'ClassMethod' | 'ClassPrivateMethod' | 'TSDeclareMethod' }
>

function accessorKind(kind: string | undefined): SymbolKind | undefined {
  if (kind === 'get') return 'getter'
  return kind === 'set' ? 'setter' : undefined
}

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
  const children = isSignature ? nothing : insideFunction(member, scope)
  const kind =
    member.kind === 'constructor' ? 'constructor' : (accessorKind(member.kind) ?? 'method')
  return declare(member, keyName(member, scope.text), kind, { flags, children })
}

type Field = Extract<
  ClassMember,
  { type: 'ClassProperty' | 'ClassPrivateProperty' | 'ClassAccessorProperty' }
>

function declareField(member: Field, scope: Scope): Declaration | undefined {
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
  return scope.walk.value(named, member.value, scope)
}

/** A member of an interface or object type, as far as it has a key. */
type Keyed = Parameters<typeof keyName>[0] & Placed & { readonly kind?: string }

/** The members of an interface or object type. */
export function typeMembers(
  members: readonly { readonly type: string }[],
  text: string,
): readonly Declaration[] {
  const found: Declaration[] = []
  for (const member of members) {
    const isMethod = member.type === 'TSMethodSignature'
    const isProperty = member.type === 'TSPropertySignature' || member.type === 'ObjectTypeProperty'
    if (isMethod || isProperty)
      found.push(declareTypeMember(member as unknown as Keyed, isMethod, text))
  }
  return mergeOverloads(found)
}

function declareTypeMember(member: Keyed, isMethod: boolean, text: string): Declaration {
  const accessor = accessorKind(member.kind)
  const flags = flagsOf({ overload: isMethod && accessor === undefined })
  const kind = accessor ?? (isMethod ? 'method' : 'property')
  return declare(member, keyName(member, text), kind, { flags })
}
