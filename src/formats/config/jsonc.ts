import { type Node, type ParseError, parseTree, visit } from 'jsonc-parser'
import type { ClientFileEntry } from '../../core/client-file.js'
import {
  eolOf,
  isObject,
  type Merged,
  refuseMerge,
  refuseOdd,
  refuseOther,
  sameValue,
} from './merged.js'

/** One replacement in a text. */
interface Edit {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The value of a text of JSON, comments and trailing commas let be; an empty one is an empty object. */
export function readJsonc(text: string): unknown {
  return valueOfNode(parse(filled(text)))
}

/**
 * Puts entries into a text of JSON. Everything else stays as it is, comments and indentation too. Refuses with
 * `INVALID_SETTINGS` what is not JSON and, unless forced, to replace what differs.
 */
export function mergeJsonc(
  text: string,
  entries: readonly ClientFileEntry[],
  force: boolean,
): Merged {
  let merged: Merged = { text: filled(text), outcome: 'unchanged' }
  for (const entry of entries) {
    const next = mergeEntry(merged.text, entry, force)
    const outcome = next.outcome === 'unchanged' ? merged.outcome : next.outcome
    merged = { text: next.text, outcome }
  }
  return merged
}

function filled(text: string): string {
  return text.trim() === '' ? '{}\n' : text
}

function mergeEntry(text: string, entry: ClientFileEntry, force: boolean): Merged {
  const root = parse(text)
  const found = lookUp(root, entry)
  const key = entry.at.join('.')
  if (found.node !== undefined && sameValue(valueOfNode(found.node), entry.value)) {
    return { text, outcome: 'unchanged' }
  }
  if (found.node !== undefined && !force) refuseOther(key)
  const outcome = found.node === undefined ? 'added' : 'replaced'
  const edits =
    found.node === undefined
      ? insertion(text, found.parent, found.missing, entry)
      : [replacement(text, found.node, entry.value)]
  const changed = applyEdits(text, edits)
  // Whatever the text looked like: what comes out says the entry, and nothing else otherwise.
  const after = lookUp(parse(changed), entry).node
  if (after === undefined || !sameValue(valueOfNode(after), entry.value)) refuseOdd(key)
  return { text: changed, outcome }
}

interface Found {
  /** What stands there already. */
  readonly node?: Node
  /** The object or list that it goes into. */
  readonly parent: Node
  /** The names that are not there yet. */
  readonly missing: readonly string[]
}

function lookUp(root: Node, { at, value, elementBy }: ClientFileEntry): Found {
  let parent = root
  for (const [depth, name] of at.entries()) {
    const before = at.slice(0, depth).join('.')
    if (parent.type !== 'object') refuseMerge('this is no object', { key: before, expected: 'one' })
    const node = propertyOf(parent, name)
    if (node === undefined) return { parent, missing: at.slice(depth) }
    if (depth === at.length - 1 && elementBy === undefined) return { node, parent, missing: [] }
    parent = node
  }
  const key = at.join('.')
  if (parent.type !== 'array') refuseMerge('this is no list', { key, expected: 'one' })
  const node = parent.children?.find(one => {
    const element = valueOfNode(one)
    return isObject(element) && element[elementBy ?? ''] === value[elementBy ?? '']
  })
  return { ...(node !== undefined && { node }), parent, missing: [] }
}

function propertyOf(object: Node, name: string): Node | undefined {
  const named = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name)
  if (named.length > 1) refuseMerge('a key stands twice', { key: name, expected: 'it once' })
  return named[0]?.children?.[1]
}

function insertion(
  text: string,
  parent: Node,
  missing: readonly string[],
  { value, elementBy }: ClientFileEntry,
): readonly Edit[] {
  const [name, ...rest] = missing
  const element = elementBy !== undefined && missing.length > 0 ? [value] : value
  const nested = rest.reduceRight<unknown>((inner, one) => ({ [one]: inner }), element)
  const layout = layoutOf(text, parent)
  const printed = print(nested, layout)
  return insertLast(
    text,
    parent,
    name === undefined ? printed : `${JSON.stringify(name)}: ${printed}`,
    layout,
  )
}

interface Layout {
  readonly eol: string
  /** One step of indentation. */
  readonly unit: string
  /** What stands before what the node holds. */
  readonly indent: string
}

function layoutOf(text: string, node: Node): Layout {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  const own = indentAt(text, node.offset)
  const [child] = node.children ?? []
  const isBelow = child !== undefined && text.slice(node.offset, child.offset).includes('\n')
  return { eol: eolOf(text), unit, indent: isBelow ? indentAt(text, child.offset) : own + unit }
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

function print(value: unknown, { eol, unit, indent }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)
}

/** Behind what an object or list holds, and behind the comment that belongs to its last part. */
function insertLast(text: string, node: Node, part: string, layout: Layout): readonly Edit[] {
  const { eol, indent } = layout
  const close = node.offset + node.length - 1
  const last = node.children?.at(-1)
  const end = `${eol}${indentAt(text, node.offset)}`
  if (last === undefined) {
    const inner = text.slice(node.offset + 1, close).trimEnd()
    const from = node.offset + 1 + inner.length
    return [{ from, to: close, insert: `${eol}${indent}${part}${end}` }]
  }
  const after = last.offset + last.length
  const comma = commaBetween(text, after, close)
  const from = endOfLineComment(text, comma === undefined ? after : comma + 1)
  const isLastLine = !/[\r\n]/.test(text.slice(from, close))
  const insert = `${eol}${indent}${part}${comma === undefined ? '' : ','}${isLastLine ? end : ''}`
  const own = { from, to: isLastLine ? close : from, insert }
  return comma === undefined ? [{ from: after, to: after, insert: ',' }, own] : [own]
}

function commaBetween(text: string, from: number, to: number): number | undefined {
  const commas: number[] = []
  const onSeparator = (sign: string, offset: number): void => {
    if (sign === ',' && offset >= from && offset < to) commas.push(offset)
  }
  visit(text, { onSeparator }, { allowTrailingComma: true })
  return commas[0]
}

function endOfLineComment(text: string, from: number): number {
  const comments = /^(?:[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/))*/
  return from + (comments.exec(text.slice(from))?.[0].length ?? 0)
}

function replacement(text: string, node: Node, value: unknown): Edit {
  const { eol, unit } = layoutOf(text, node)
  const insert = print(value, { eol, unit, indent: indentAt(text, node.offset) })
  return { from: node.offset, to: node.offset + node.length, insert }
}

/** Edits in the order of the text; an insertion at one place keeps its order too. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  let done = ''
  let at = 0
  for (const { from, to, insert } of edits) {
    done += text.slice(at, from) + insert
    at = to
  }
  return done + text.slice(at)
}

function parse(text: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (root === undefined || error !== undefined) {
    const line = text.slice(0, error?.offset ?? 0).split('\n').length
    refuseMerge(`line ${line} is not JSON`, { expected: 'JSON, with comments at will' })
  }
  if (root.type !== 'object') refuseMerge('the file is no JSON object', { expected: 'one' })
  return root
}

/** Keys like `__proto__` are keys like others. */
function valueOfNode(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOfNode)
  if (node.type !== 'object') return node.value
  const entries = (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined
      ? []
      : [[String(key.value), valueOfNode(value)] as const],
  )
  return Object.fromEntries(entries)
}
