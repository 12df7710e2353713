import type { Language } from '../language.js'
import { flagsIn, type Refine } from '../nest-found.js'

const query = `
(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(record_declaration name: (identifier) @name) @record
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @field
(delegate_declaration name: (identifier) @name) @type
(namespace_declaration name: (_) @name) @namespace
(file_scoped_namespace_declaration name: (_) @name) @namespace
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @constructor
(destructor_declaration name: (identifier) @name) @method
(property_declaration name: (identifier) @name) @property
(event_declaration name: (identifier) @name) @property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(local_function_statement name: (identifier) @name) @function
(operator_declaration operator: _ @name) @method
`

const words = {
  exported: /\bpublic\b/,
  static: /\bstatic\b/,
  abstract: /\babstract\b/,
  async: /\basync\b/,
}

const refine: Refine = ({ kind, flags }, { header }) => ({
  kind,
  flags: [...flags, ...flagsIn(header, words)],
})

const spec = { grammar: 'c_sharp', query, isCertain: true, refine } as const

export const cSharp: Language = {
  name: 'c-sharp',
  files: ['.cs', '.csx'],
  lexis: 'slashes',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: [
    { kind: 'namespace', pattern: /^\s*namespace\s+(?<name>[\w.]+)/ },
    { kind: 'class', pattern: /^\s*(?:\w+\s+)*class\s+(?<name>\w+)/ },
    { kind: 'struct', pattern: /^\s*(?:\w+\s+)*struct\s+(?<name>\w+)/ },
    { kind: 'record', pattern: /^\s*(?:\w+\s+)*record\s+(?<name>\w+)/ },
    { kind: 'interface', pattern: /^\s*(?:\w+\s+)*interface\s+(?<name>\w+)/ },
    { kind: 'enum', pattern: /^\s*(?:\w+\s+)*enum\s+(?<name>\w+)/ },
    {
      kind: 'method',
      pattern:
        /^\s*(?:public|protected|private|internal|static|override|async)\s[^=;(]*?(?<name>\w+)\s*\(/,
    },
  ],
}
