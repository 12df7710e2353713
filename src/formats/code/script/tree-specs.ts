import { flagsIn, isClassKind, type Refine } from '../nest-found.js'
import type { GrammarName, TreeSpec } from '../tree-sitter.js'

/** Each with and without `export`: the wider match counts. */
const exportable = [
  '(function_declaration name: (identifier) @name) @function',
  '(generator_function_declaration name: (identifier) @name) @function',
  '(class_declaration name: (_) @name) @class',
  ...['arrow_function', 'function_expression', 'generator_function', 'class'].map(declaratorOf),
  `(lexical_declaration . (variable_declarator name: (identifier) @name
    value: (call_expression arguments: (arguments [(arrow_function) (function_expression)]))) .) @function`,
  // After those that know the value: of two that are equally wide the first counts.
  '(lexical_declaration . (variable_declarator name: (identifier) @name) .) @const',
  '(variable_declaration . (variable_declarator name: (identifier) @name) .) @var',
]

function declaratorOf(node: string): string {
  const kind = node === 'class' ? 'class' : node === 'arrow_function' ? 'arrow' : 'function'
  return `(_ . (variable_declarator name: (identifier) @name value: (${node})) .) @${kind}`
}

const exportableTypes = [
  '(abstract_class_declaration name: (_) @name) @class',
  '(interface_declaration name: (_) @name) @interface',
  '(type_alias_declaration name: (_) @name) @type',
  '(enum_declaration name: (_) @name) @enum',
  '(internal_module name: (_) @name) @namespace',
  '(module name: (_) @name) @namespace',
  '(function_signature name: (identifier) @name) @function',
]

const common = `
(variable_declarator name: (identifier) @name value: (arrow_function)) @arrow
(variable_declarator name: (identifier) @name value: (function_expression)) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @const))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @const)))
(program (variable_declaration (variable_declarator name: (identifier) @name) @var))
(method_definition name: (_) @name) @method
(pair key: (_) @name value: [(arrow_function) (function_expression)]) @arrow
(assignment_expression left: (identifier) @name right: [(arrow_function) (function_expression)]) @function
(assignment_expression left: (member_expression) @name right: [(arrow_function) (function_expression)]) @function
(export_statement (export_clause (export_specifier name: (_) @name) @reexport) source: (_))
(export_statement (export_clause . (export_specifier name: (_) @name) .) source: (_)) @reexport
(export_statement "*" @name source: (_)) @reexport
(export_statement "default" @name value: [(arrow_function) (function_expression)]) @function
(export_statement "default" @name value: (object)) @object
(export_statement "default" @name value: (_)) @const
(variable_declarator name: (identifier) @name value: (object (method_definition))) @object
(variable_declarator name: (identifier) @name value: (object (pair value: [(arrow_function) (function_expression)]))) @object
(program (lexical_declaration (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name))) @const)
(call_expression function: [(identifier) @callee (member_expression object: (identifier) @callee)
    (call_expression function: (member_expression object: (identifier) @callee))]
  arguments: (arguments . [(string) (template_string)] @name)
  (#match? @callee "^(describe|it|test|suite|context|specify|bench)$")) @test
`

const types = `
(public_field_definition name: (_) @name) @property
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @arrow
(abstract_method_signature name: (_) @name) @method
(method_signature name: (_) @name) @method
(property_signature name: (_) @name) @property
(enum_body name: (_) @name @property)
(ambient_declaration "global" @name) @namespace
(enum_assignment name: (_) @name) @property
`

const fields = `
(field_definition property: (_) @name) @property
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @arrow
`

const refine: Refine = ({ name: written, kind, flags: found }, { owner, header }) => {
  const words = {
    exported: /\bexport\b/,
    async: /\basync\b/,
    static: /\bstatic\b/,
    abstract: /\babstract\b/,
  }
  const [, exported] = /^(?:module\.)?exports\.(\w+)$/.exec(written) ?? []
  const name =
    kind === 'test'
      ? written.replace(/^['"`]|['"`]$/g, '')
      : (exported ?? written).replace(/^this\./, '')
  const flags = [...found, ...flagsIn(header, words)]
  const isFunction = kind === 'function' || kind === 'arrow'
  if (isFunction && /^use[A-Z]/.test(name)) return { name, kind: 'hook', flags }
  if (kind !== 'method') return { name: name.replace(/^(['"])(.*)\1$/, '$2'), kind, flags }
  const isMember = owner !== undefined && isClassKind(owner.kind)
  if (name === 'constructor' && isMember) return { name, kind: 'constructor', flags }
  const [, accessor] = /\b(get|set)\s+$/.exec(header) ?? []
  const kinds = { get: 'getter', set: 'setter' } as const
  return { name, kind: kinds[accessor as 'get' | 'set'] ?? 'method', flags }
}

function specOf(grammar: GrammarName, statements: readonly string[], rest: string): TreeSpec {
  const exported = statements.map(one =>
    one.replace(/^\((.*)\) @(\w+)$/s, '(export_statement ($1)) @$2'),
  )
  const ambient =
    grammar === 'javascript'
      ? []
      : statements.map(one => one.replace(/^\((.*)\) @(\w+)$/s, '(ambient_declaration ($1)) @$2'))
  const query = [...statements, ...exported, ...ambient, common, rest].join('\n')
  return { grammar, query, isCertain: true, refine }
}

/** How tree-sitter reads scripts where Babel gives up; the names and kinds are Babel's as far as it goes. */
export const javascriptSpec = specOf('javascript', exportable, fields)
export const typescriptSpec = specOf('typescript', [...exportable, ...exportableTypes], types)
export const tsxSpec = specOf('tsx', [...exportable, ...exportableTypes], types)
