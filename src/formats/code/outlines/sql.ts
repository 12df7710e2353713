import type { SymbolKind } from '../../../core/outline.js'
import { checkBalance } from '../balance.js'
import type { Declaration } from '../declaration.js'
import type { Language } from '../language.js'

const token =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:''|[^'])*'?|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|;|\bcreate\b/gi

const create =
  /^create\s+(?:or\s+replace\s+)?(?:(?:global|local|temp|temporary|unlogged|unique|materialized|virtual|recursive)\s+)*(?<kind>table|view|function|procedure|type|schema)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?<name>[\w."`[\]]+)/i

const kinds: Readonly<Record<string, SymbolKind>> = {
  table: 'table',
  view: 'view',
  function: 'function',
  procedure: 'function',
  type: 'type',
  schema: 'namespace',
}

/** `create` statements. Every dialect of SQL has these words; no library reads them all. */
export const sql: Language = {
  name: 'sql',
  files: ['.sql', '.ddl'],
  lexis: 'dashes',
  read: ({ text }) => {
    const errors = checkBalance(text, 'dashes')
    return {
      parser: 'scanner',
      declarations: readCreates(text),
      ...(errors !== undefined && { errors }),
    }
  },
  patterns: [],
}

function readCreates(text: string): readonly Declaration[] {
  const found: Declaration[] = []
  let open: Declaration | undefined
  for (const { 0: word, index: at } of text.matchAll(token)) {
    if (word === ';') {
      if (open !== undefined) found.push({ ...open, to: at + 1 })
      open = undefined
    } else if (open === undefined && word.toLowerCase() === 'create') open = createAt(text, at)
  }
  if (open !== undefined) found.push({ ...open, to: text.trimEnd().length })
  return found
}

function createAt(text: string, at: number): Declaration | undefined {
  const groups = create.exec(text.slice(at, at + 300))?.groups
  if (groups === undefined) return undefined
  const { name = '', kind = '' } = groups
  return {
    name: name.replaceAll(/["`[\]]/g, ''),
    kind: kinds[kind.toLowerCase()] ?? 'table',
    flags: [],
    from: at,
    to: at,
    nameAt: at + text.slice(at).indexOf(name),
    children: [],
  }
}
