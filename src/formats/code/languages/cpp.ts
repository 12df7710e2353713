import type { Language } from '../language.js'
import { flagsIn, isClassKind, type Refine } from '../nest-found.js'
import { cPatterns, cQuery } from './c-family.js'

/** What a function may be called: also a qualified name, a destructor, an operator, a member. */
const names =
  '[(qualified_identifier) (destructor_name) (operator_name) (field_identifier) (identifier) (template_function)] @name'

const query = `
${cQuery}
(function_definition declarator: (function_declarator declarator: ${names})) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: ${names}))) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: ${names}))) @function
(template_declaration (function_definition declarator: (function_declarator declarator: ${names}))) @function
(template_declaration (function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: ${names})))) @function
(template_declaration (function_definition declarator: (reference_declarator (function_declarator declarator: ${names})))) @function
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name) @declare) @method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name) @declare)) @method
(field_declaration declarator: (reference_declarator (function_declarator declarator: (field_identifier) @name) @declare)) @method
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @field
(field_declaration_list (declaration declarator: (function_declarator declarator: [(identifier) (destructor_name) (operator_name)] @name) @declare) @function)
(class_specifier name: (_) @name body: (_)) @class
(template_declaration (class_specifier name: (_) @name body: (_))) @class
(template_declaration (struct_specifier name: (_) @name body: (_))) @struct
(namespace_definition name: (_) @name) @namespace
(alias_declaration name: (type_identifier) @name) @type
(template_declaration (alias_declaration name: (type_identifier) @name)) @type
(concept_definition name: (identifier) @name) @type
(template_declaration (concept_definition name: (identifier) @name)) @type
(namespace_definition body: (declaration_list (declaration declarator: (init_declarator declarator: (identifier) @name)) @var))
`

const refine: Refine = ({ name, kind, flags: found }, { owner, header }) => {
  const flags = [...found, ...flagsIn(header, { static: /\bstatic\b/ })]
  if (kind !== 'function') return { kind, flags }
  const [scope, last] = name.split('::').slice(-2)
  if (last !== undefined) return { kind: scope === last ? 'constructor' : 'method', flags }
  if (owner === undefined || !isClassKind(owner.kind)) return { kind, flags }
  return { kind: owner.name === name ? 'constructor' : 'method', flags }
}

const spec = { grammar: 'cpp', query, isCertain: false, refine } as const

export const cpp: Language = {
  name: 'cpp',
  // A header may be either; what is C is C++ for a parser that forgives.
  files: [
    '.cc',
    '.cpp',
    '.cxx',
    '.c++',
    '.h',
    '.hh',
    '.hpp',
    '.hxx',
    '.ipp',
    '.inl',
    '.cu',
    '.cuh',
  ],
  lexis: 'slashes',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: cPatterns,
}
