import type { Language } from '../language.js'
import { flagsIn, type Refine } from '../nest-found.js'

const query = `
(class_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(record_declaration name: (identifier) @name) @record
(method_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @constructor
(compact_constructor_declaration name: (identifier) @name) @constructor
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(enum_constant name: (identifier) @name) @field
`

const words = {
  exported: /\bpublic\b/,
  static: /\bstatic\b/,
  abstract: /\babstract\b/,
  default: /\bdefault\b/,
}

const refine: Refine = ({ kind, flags }, { header }) => ({
  kind,
  flags: [...flags, ...flagsIn(header, words)],
})

const spec = { grammar: 'java', query, isCertain: true, refine } as const

export const java: Language = {
  name: 'java',
  files: ['.java'],
  lexis: 'slashes',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: [
    { kind: 'class', pattern: /^\s*(?:\w+\s+)*class\s+(?<name>\w+)/ },
    { kind: 'interface', pattern: /^\s*(?:\w+\s+)*@?interface\s+(?<name>\w+)/ },
    { kind: 'enum', pattern: /^\s*(?:\w+\s+)*enum\s+(?<name>\w+)/ },
    { kind: 'record', pattern: /^\s*(?:\w+\s+)*record\s+(?<name>\w+)/ },
    {
      kind: 'method',
      pattern: /^\s*(?:public|protected|private|static|final|abstract)\s[^=;(]*?(?<name>\w+)\s*\(/,
    },
  ],
}
