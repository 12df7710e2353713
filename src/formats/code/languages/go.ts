import type { Language } from '../language.js'
import type { Refine } from '../nest-found.js'

const query = `
(function_declaration name: (identifier) @name) @function
(method_declaration name: (field_identifier) @name) @method
(type_declaration . (type_spec name: (type_identifier) @name type: (struct_type)) .) @struct
(type_declaration . (type_spec name: (type_identifier) @name type: (interface_type)) .) @interface
(type_declaration . (type_spec name: (type_identifier) @name) .) @type
(type_declaration (type_spec name: (type_identifier) @name type: (struct_type)) @struct)
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type)) @interface)
(type_declaration (type_spec name: (type_identifier) @name) @type)
(type_declaration . (type_alias name: (type_identifier) @name) .) @type
(type_declaration (type_alias name: (type_identifier) @name) @type)
(struct_type (field_declaration_list (field_declaration name: (field_identifier) @name) @field))
(interface_type (method_elem name: (field_identifier) @name) @method)
(source_file (const_declaration . (const_spec name: (identifier) @name) .) @const)
(source_file (const_declaration (const_spec name: (identifier) @name) @const))
(source_file (var_declaration . (var_spec name: (identifier) @name) .) @var)
(source_file (var_declaration (var_spec name: (identifier) @name) @var))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @var)))
`

const refine: Refine = ({ name, kind, flags }, { header }) => {
  // As godoc does, a method is known with its receiver's type.
  const [, receiver] = /\(\s*(?:\w+\s+)?\*?(\w+)[^)]*\)\s*$/.exec(header) ?? []
  const isExported = /^\p{Lu}/u.test(name)
  return {
    kind,
    flags: isExported ? [...flags, 'exported'] : flags,
    ...(kind === 'method' && receiver !== undefined && { name: `${receiver}.${name}` }),
  }
}

const spec = { grammar: 'go', query, isCertain: true, refine } as const

export const go: Language = {
  name: 'go',
  files: ['.go'],
  lexis: 'slashes',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: [
    { kind: 'method', pattern: /^func\s*\([^)]*\)\s*(?<name>\w+)/ },
    { kind: 'function', pattern: /^func\s+(?<name>\w+)/ },
    { kind: 'struct', pattern: /^type\s+(?<name>\w+)(?:\[[^\]]*\])?\s+struct\b/ },
    { kind: 'interface', pattern: /^type\s+(?<name>\w+)(?:\[[^\]]*\])?\s+interface\b/ },
    { kind: 'type', pattern: /^type\s+(?<name>\w+)/ },
    { kind: 'const', pattern: /^const\s+(?<name>\w+)/ },
    { kind: 'var', pattern: /^var\s+(?<name>\w+)/ },
  ],
}
