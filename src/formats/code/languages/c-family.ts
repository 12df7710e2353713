import type { LinePattern } from '../language.js'

/** The query of what C and C++ have in common; prototypes are told, for in a header they are all there is. */
export const cQuery = `
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @function
(declaration declarator: (function_declarator declarator: (identifier) @name) @declare) @function
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name) @declare)) @function
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @struct
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(enumerator name: (identifier) @name) @field
(field_declaration declarator: (field_identifier) @name) @field
(field_declaration declarator: (pointer_declarator declarator: (field_identifier) @name)) @field
(field_declaration declarator: (array_declarator declarator: (field_identifier) @name)) @field
(type_definition declarator: (type_identifier) @name) @type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @var)
(translation_unit (declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @var)
(translation_unit (declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @var)
(translation_unit (declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))) @var)
(translation_unit (declaration declarator: (identifier) @name) @var)
(translation_unit (declaration declarator: (pointer_declarator declarator: (identifier) @name)) @var)
(translation_unit (declaration declarator: (array_declarator declarator: (identifier) @name)) @var)
`

/** A definition at the margin, as nearly all C code is written. */
export const cPatterns: readonly LinePattern[] = [
  { kind: 'macro', pattern: /^#\s*define\s+(?<name>\w+)/ },
  { kind: 'struct', pattern: /^(?:typedef\s+)?(?:struct|union)\s+(?<name>\w+)\s*\{?\s*$/ },
  { kind: 'enum', pattern: /^(?:typedef\s+)?enum\s+(?:class\s+)?(?<name>\w+)/ },
  { kind: 'class', pattern: /^\s*class\s+(?:\w+\s+)?(?<name>\w+)[^;]*$/ },
  { kind: 'namespace', pattern: /^\s*namespace\s+(?<name>[\w:]+)/ },
  {
    kind: 'function',
    pattern: /^(?!return\b|else\b)[A-Za-z_][\w\s*&:<>,]*?[\s*&](?<name>~?\w+)\s*\([^;]*$/,
  },
]
