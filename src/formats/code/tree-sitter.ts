import { Language, Parser, Query, type QueryMatch, type Tree } from 'web-tree-sitter'
import type { SyntaxErrors } from '../../core/outline.js'
import { type SymbolFlag, type SymbolKind, symbolFlags, symbolKinds } from '../../core/outline.js'
import type { Declaration, Reading } from './declaration.js'
import { type Found, nestFound, type Refine } from './nest-found.js'

export const grammarNames = [
  ...(['bash', 'c', 'c_sharp', 'cpp', 'go', 'java', 'javascript', 'kotlin', 'php'] as const),
  ...(['python', 'ruby', 'rust', 'tsx', 'typescript'] as const),
] as const

export type GrammarName = (typeof grammarNames)[number]

/** What a language asks of its grammar. */
export interface TreeSpec {
  readonly grammar: GrammarName
  /**
   * Captures: `@name`, one kind (`@class`) around the whole declaration, any flags, and `@lead` for what
   * stands before it and belongs to it. Of two matches with one name the wider counts.
   */
  readonly query: string
  /** False where macros make errors of what is none. */
  readonly isCertain: boolean
  readonly refine: Refine
}

/** Grammars, each loaded when first asked for. */
export interface Grammars {
  read(text: string, spec: TreeSpec): Promise<Reading>
}

/** Where the bytes of WebAssembly come from: a pure room does not fetch them. */
export interface GrammarStore {
  runtime(): Uint8Array
  grammar(name: GrammarName): Uint8Array
}

const maxErrors = 100
const toldLines = 3

/** Opens a store of grammars; nothing is loaded yet. */
export function openGrammars(store: GrammarStore): Grammars {
  let started: Promise<void> | undefined
  const loaded = new Map<TreeSpec, Promise<TreeReader>>()
  const load = async (spec: TreeSpec): Promise<TreeReader> => {
    started ??= Parser.init({ wasmBinary: store.runtime() })
    await started
    return makeReader(await Language.load(store.grammar(spec.grammar)), spec)
  }
  return {
    read: async (text, spec) => {
      const reader = loaded.get(spec) ?? load(spec)
      loaded.set(spec, reader)
      return (await reader)(text)
    },
  }
}

type TreeReader = (text: string) => Reading

function makeReader(language: Language, spec: TreeSpec): TreeReader {
  const parser = new Parser()
  parser.setLanguage(language)
  const query = new Query(language, spec.query)
  return text => {
    const tree = parser.parse(text)
    if (tree === null) throw new Error(`no tree of ${spec.grammar}`)
    try {
      const found = query.matches(tree.rootNode).flatMap(match => foundIn(text, match))
      const declarations: readonly Declaration[] = nestFound(text, found, spec.refine)
      return { parser: 'tree-sitter', declarations, errors: errorsOf(tree, spec) }
    } finally {
      tree.delete()
    }
  }
}

function foundIn(text: string, { captures, patternIndex }: QueryMatch): readonly Found[] {
  const name = captures.find(capture => capture.name === 'name')?.node
  const whole = captures.find(capture => isKind(capture.name))
  if (name === undefined || whole === undefined || !isKind(whole.name)) return []
  const { startIndex, endIndex } = name
  return [
    {
      name: text.slice(startIndex, endIndex),
      kind: whole.name,
      flags: captures.flatMap(capture => (isFlag(capture.name) ? [capture.name] : [])),
      from: Math.min(...captures.map(({ node }) => node.startIndex)),
      to: Math.max(whole.node.endIndex, endIndex),
      nameAt: startIndex,
      pattern: patternIndex,
    },
  ]
}

function isKind(name: string): name is SymbolKind {
  return symbolKinds.some(kind => kind === name)
}

function isFlag(name: string): name is SymbolFlag {
  return symbolFlags.some(flag => flag === name)
}

/** Counts the outermost nodes that the parser skipped or made up. */
function errorsOf(tree: Tree, spec: TreeSpec): SyntaxErrors {
  const lines: number[] = []
  let count = 0
  const cursor = tree.walk()
  const visit = (): void => {
    const node = cursor.currentNode
    if (!node.hasError || count >= maxErrors) return
    if (node.isError || node.isMissing) {
      count += 1
      const line = node.startPosition.row + 1
      if (lines.length < toldLines && lines.at(-1) !== line) lines.push(line)
    } else if (cursor.gotoFirstChild()) {
      do visit()
      while (cursor.gotoNextSibling())
      cursor.gotoParent()
    }
  }
  visit()
  cursor.delete()
  return { count, lines, certain: spec.isCertain, fatal: false }
}
