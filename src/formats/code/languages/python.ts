import type { Language } from '../language.js'
import { flagsIn, isClassKind, type Refine } from '../nest-found.js'

const query = `
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(decorated_definition definition: (function_definition name: (identifier) @name)) @function
(decorated_definition definition: (class_definition name: (identifier) @name)) @class
(module (expression_statement (assignment left: (identifier) @name)) @const)
(module (expression_statement (assignment left: (pattern_list (identifier) @name))) @const)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @property))
(type_alias_statement left: (type (identifier) @name)) @type
`

const accessors = [
  { kind: 'setter', decorator: /@[\w.]+\.setter\b/ },
  { kind: 'getter', decorator: /@(?:\w+\.)?(?:cached_)?property\b/ },
] as const

const refine: Refine = ({ name, kind, flags: found }, { owner, header }) => {
  const words = {
    async: /\basync\s+def\s+$/,
    static: /@staticmethod\b/,
    abstract: /@(?:abc\.)?abstract\w+/,
    overload: /@(?:typing\.)?overload\b/,
  }
  const flags = [...found, ...flagsIn(header, words)]
  if (kind !== 'function' || owner === undefined || !isClassKind(owner.kind)) return { kind, flags }
  if (name === '__init__') return { kind: 'constructor', flags }
  const accessor = accessors.find(({ decorator }) => decorator.test(header))
  return { kind: accessor?.kind ?? 'method', flags }
}

const spec = { grammar: 'python', query, isCertain: true, refine } as const

export const python: Language = {
  name: 'python',
  files: ['.py', '.pyi', '.pyw'],
  lexis: 'hash',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: [
    { kind: 'function', pattern: /^\s*(?:async\s+)?def\s+(?<name>\w+)/ },
    { kind: 'class', pattern: /^\s*class\s+(?<name>\w+)/ },
  ],
}
