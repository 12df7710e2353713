import type { Language } from '../language.js'
import { flagsIn, type Refine, refineByOwner } from '../nest-found.js'

const items = [
  ['function_item', 'identifier', 'function'],
  ['function_signature_item', 'identifier', 'function'],
  ['struct_item', 'type_identifier', 'struct'],
  ['union_item', 'type_identifier', 'struct'],
  ['enum_item', 'type_identifier', 'enum'],
  ['trait_item', 'type_identifier', 'trait'],
  ['type_item', 'type_identifier', 'type'],
  ['associated_type', 'type_identifier', 'type'],
  ['mod_item', 'identifier', 'module'],
  ['const_item', 'identifier', 'const'],
  ['static_item', 'identifier', 'var'],
  ['macro_definition', 'identifier', 'macro'],
  ['field_declaration', 'field_identifier', 'field'],
  ['enum_variant', 'identifier', 'field'],
] as const

/** Attributes are siblings of what they are about. */
const query = [
  ...items.flatMap(([node, name, kind]) => [
    `(${node} name: (${name}) @name) @${kind}`,
    `((attribute_item)+ @lead . (${node} name: (${name}) @name) @${kind})`,
  ]),
  '(impl_item !trait type: (_) @name) @impl',
  '(impl_item trait: (_) type: (_) @name) @impl',
].join('\n')

const refine: Refine = (found, context) => {
  const { kind, flags } = refineByOwner(found, context)
  const words = { exported: /\bpub\b/, async: /\basync\b/ }
  const [, trait] = /^impl\b.*?([\w:]+)(?:<.*>)?\s+for\s+$/s.exec(context.header) ?? []
  return {
    kind,
    flags: [...flags, ...flagsIn(context.header, kind === 'impl' ? {} : words)],
    ...(kind === 'impl' && trait !== undefined && { name: `${trait} for ${found.name}` }),
  }
}

const spec = { grammar: 'rust', query, isCertain: false, refine } as const

export const rust: Language = {
  name: 'rust',
  files: ['.rs'],
  lexis: 'slashes',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: [
    {
      kind: 'function',
      pattern:
        /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe|extern(?:\s+"\w+")?)\s+)*fn\s+(?<name>\w+)/,
    },
    { kind: 'struct', pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|union)\s+(?<name>\w+)/ },
    { kind: 'enum', pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?enum\s+(?<name>\w+)/ },
    { kind: 'trait', pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?trait\s+(?<name>\w+)/ },
    { kind: 'impl', pattern: /^\s*(?:unsafe\s+)?impl(?:<[^>]*>)?\s+(?<name>[\w:]+)/ },
    { kind: 'module', pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(?<name>\w+)/ },
    { kind: 'macro', pattern: /^\s*macro_rules!\s+(?<name>\w+)/ },
  ],
}
