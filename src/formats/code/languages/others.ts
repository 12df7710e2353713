import type { Language, Lexis, LinePattern } from '../language.js'

/** Languages without a grammar that loads and is quick (Swift's parses 0.2 MB a second and fails on half of all files). */
function byLines(
  name: string,
  files: readonly string[],
  lexis: Lexis,
  patterns: readonly LinePattern[],
): Language {
  return { name, files, lexis, patterns }
}

const words = '(?:@?[\\w.]+(?:\\([^)]*\\))?\\s+)*'

/** `kind`s introduced by words, after any modifiers. */
function declared(
  entries: Readonly<Partial<Record<Exclude<LinePattern['kind'], 'constructor'>, string>>>,
): readonly LinePattern[] {
  return Object.entries(entries).map(([kind, introducer]) => ({
    kind: kind as LinePattern['kind'],
    pattern: new RegExp(`^\\s*${words}(?:${introducer})\\s+(?<name>[\\w$]+[?!]?)`),
  }))
}

export const swift = byLines('swift', ['.swift'], 'slashes', [
  ...declared({
    function: 'func',
    protocol: 'protocol',
    struct: 'struct',
    enum: 'enum',
    extension: 'extension',
    class: 'class|actor',
    type: 'typealias',
    macro: 'macro',
  }),
  { kind: 'constructor', pattern: /^\s*(?:\w+\s+)*(?<name>init)[?!]?\s*[(<]/ },
  { kind: 'property', pattern: /^\s*(?:@?\w+(?:\([^)]*\))?\s+)*(?:var|let)\s+(?<name>\w+)\s*[:=]/ },
])

export const dart = byLines('dart', ['.dart'], 'slashes', [
  ...declared({
    class: 'class',
    mixin: 'mixin',
    enum: 'enum',
    extension: 'extension',
    type: 'typedef',
  }),
  {
    kind: 'function',
    pattern:
      /^\s*(?!(?:return|else|if|for|while|switch|await|throw|new|case)\b)(?:[\w<>?,[\]]+\s+)+(?:get\s+)?(?<name>\w+)\s*(?:<[^>]*>)?(?:\([^;]*)?(?:\{|=>|async)/,
  },
])

export const scala = byLines('scala', ['.scala', '.sc'], 'slashes', [
  ...declared({
    function: 'def',
    trait: 'trait',
    object: 'object',
    enum: 'enum',
    class: 'class',
    type: 'type',
    const: 'val',
    var: 'var',
  }),
])

export const lua = byLines('lua', ['.lua'], 'dashes', [
  { kind: 'function', pattern: /^\s*(?:local\s+)?function\s+(?<name>[\w.:]+)/ },
  { kind: 'function', pattern: /^\s*(?:local\s+)?(?<name>[\w.]+)\s*=\s*function\b/ },
])

export const elixir = byLines('elixir', ['.ex', '.exs'], 'hash', [
  { kind: 'module', pattern: /^\s*defmodule\s+(?<name>[\w.]+)/ },
  { kind: 'protocol', pattern: /^\s*defprotocol\s+(?<name>[\w.]+)/ },
  { kind: 'impl', pattern: /^\s*defimpl\s+(?<name>[\w.]+)/ },
  { kind: 'macro', pattern: /^\s*defmacrop?\s+(?<name>\w+[?!]?)/ },
  { kind: 'function', pattern: /^\s*defp?\s+(?<name>\w+[?!]?)/ },
  { kind: 'test', pattern: /^\s*(?:test|describe)\s+"(?<name>[^"]+)"/ },
])

export const perl = byLines('perl', ['.pl', '.pm', '.t'], 'hash', [
  { kind: 'namespace', pattern: /^\s*package\s+(?<name>[\w:]+)/ },
  { kind: 'function', pattern: /^\s*sub\s+(?<name>[\w:]+)/ },
])

export const zig = byLines('zig', ['.zig'], 'slashes', [
  {
    kind: 'function',
    pattern: /^\s*(?:pub\s+)?(?:export\s+|inline\s+|extern\s+)*fn\s+(?<name>\w+)/,
  },
  {
    kind: 'struct',
    pattern:
      /^\s*(?:pub\s+)?const\s+(?<name>\w+)\s*=\s*(?:extern\s+|packed\s+)?(?:struct|union|enum)\b/,
  },
  { kind: 'const', pattern: /^(?:pub\s+)?const\s+(?<name>\w+)/ },
  { kind: 'test', pattern: /^\s*test\s+"(?<name>[^"]+)"/ },
])

export const protobuf = byLines('protobuf', ['.proto'], 'slashes', [
  ...declared({ struct: 'message', enum: 'enum', interface: 'service', method: 'rpc' }),
])

export const graphql = byLines('graphql', ['.graphql', '.gql'], 'hash', [
  ...declared({ type: 'type|input|union|scalar', interface: 'interface', enum: 'enum' }),
  { kind: 'function', pattern: /^\s*(?:query|mutation|subscription|fragment)\s+(?<name>\w+)/ },
])

export const makefile = byLines(
  'makefile',
  ['Makefile', 'makefile', 'GNUmakefile', '.mk'],
  'hash',
  [
    { kind: 'target', pattern: /^(?<name>[\w./%-]+)\s*:(?!=)/ },
    { kind: 'var', pattern: /^(?:export\s+)?(?<name>\w+)\s*[:?+]?=/ },
  ],
)
