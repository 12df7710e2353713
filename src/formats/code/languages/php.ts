import type { Language } from '../language.js'
import { flagsIn, type Refine, refineByOwner } from '../nest-found.js'

const query = `
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @field
(namespace_definition name: (namespace_name) @name body: (_)) @namespace
(property_declaration (property_element name: (variable_name (name) @name))) @property
(const_declaration (const_element . (name) @name)) @const
`

const words = { static: /\bstatic\b/, abstract: /\babstract\b/, exported: /\bpublic\b/ }

const refine: Refine = (found, context) => {
  const { kind, flags } = refineByOwner(found, context)
  return {
    kind: found.name === '__construct' ? 'constructor' : kind,
    flags: [...flags, ...flagsIn(context.header, words)],
  }
}

const spec = { grammar: 'php', query, isCertain: true, refine } as const

export const php: Language = {
  name: 'php',
  files: ['.php', '.phtml', '.inc'],
  lexis: 'slashes',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: [
    { kind: 'function', pattern: /^\s*(?:\w+\s+)*function\s+&?(?<name>\w+)/ },
    { kind: 'class', pattern: /^\s*(?:(?:abstract|final|readonly)\s+)*class\s+(?<name>\w+)/ },
    { kind: 'interface', pattern: /^\s*interface\s+(?<name>\w+)/ },
    { kind: 'trait', pattern: /^\s*trait\s+(?<name>\w+)/ },
    { kind: 'enum', pattern: /^\s*enum\s+(?<name>\w+)/ },
  ],
}
