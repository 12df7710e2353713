import type { Language } from '../language.js'
import { flagsIn, type Refine, refineByOwner } from '../nest-found.js'

const query = `
(class_declaration name: (identifier) @name) @class
(object_declaration name: (identifier) @name) @object
(companion_object) @object
(function_declaration name: (identifier) @name) @function
(secondary_constructor "constructor" @name) @constructor
(property_declaration (variable_declaration (identifier) @name)) @property
(enum_entry (identifier) @name) @field
(type_alias type: (identifier) @name) @type
`

const words = { abstract: /\babstract\b/, async: /\bsuspend\b/ }

const refine: Refine = (found, context) => {
  const { kind, flags: found_ } = refineByOwner(found, context)
  const flags = [...found_, ...flagsIn(context.header, words)]
  if (kind === 'class') return { kind: classKind(context.header), flags }
  if (kind !== 'property' || context.owner !== undefined) return { kind, flags }
  return { kind: /\bvar\s[^=]*$/.test(context.header) ? 'var' : 'const', flags }
}

function classKind(header: string): 'class' | 'interface' | 'enum' | 'record' {
  if (/\binterface\s+$/.test(header)) return 'interface'
  if (/\benum\s+class\s+$/.test(header)) return 'enum'
  return /\bdata\s+class\s+$/.test(header) ? 'record' : 'class'
}

const spec = { grammar: 'kotlin', query, isCertain: true, refine } as const

export const kotlin: Language = {
  name: 'kotlin',
  files: ['.kt', '.kts'],
  lexis: 'slashes',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: [
    {
      kind: 'function',
      pattern: /^\s*(?:\w+\s+)*fun\s+(?:<[^>]*>\s*)?(?:[\w<>?]+\.)?(?<name>\w+)/,
    },
    { kind: 'interface', pattern: /^\s*(?:\w+\s+)*interface\s+(?<name>\w+)/ },
    { kind: 'enum', pattern: /^\s*(?:\w+\s+)*enum\s+class\s+(?<name>\w+)/ },
    { kind: 'class', pattern: /^\s*(?:\w+\s+)*class\s+(?<name>\w+)/ },
    { kind: 'object', pattern: /^\s*(?:\w+\s+)*object\s+(?<name>\w+)/ },
  ],
}
