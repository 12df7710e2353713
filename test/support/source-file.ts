import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { parseSync } from 'vite'

/** One source as the rules of the house look at it. Its path is relative to src. */
export interface SourceFile {
  readonly path: string
  readonly lines: number
  readonly imports: readonly Import[]
  /** Every node of its syntax tree, without the names behind a dot and the keys of objects and types. */
  readonly nodes: readonly Node[]
}

export interface Import {
  readonly specifier: string
  readonly typeOnly: boolean
  /** The names as the other file exports them; `*` for all of them. */
  readonly names: readonly string[]
  /** Where a relative specifier leads, with `.ts`; undefined for a package. */
  readonly target: string | undefined
}

export interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

/** All sources under a folder. */
export function readSources(folder: string): readonly SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(entry => join(entry.parentPath, entry.name))
    .map(file => parseSource(relative(folder, file), readFileSync(file, 'utf8')))
}

/** Reads one source; a syntax error throws. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`)
  const nodes = [...walk(program)]
  return {
    path,
    lines: text.trimEnd().split('\n').length,
    imports: nodes.flatMap(node => importOf(path, node) ?? []),
    nodes,
  }
}

/** True for an AST node that is an identifier of that name. */
export function isIdentifier(value: unknown, ...names: readonly string[]): boolean {
  return isNode(value) && value.type === 'Identifier' && names.includes(String(value.name))
}

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item)
  if (!isNode(value)) return
  yield value
  const name = value.computed === true ? undefined : nameField(value)
  for (const [field, child] of Object.entries(value)) if (field !== name) yield* walk(child)
}

/** The field that is only a name and refers to nothing, as in `x.name` and `{ name: x }`. */
function nameField(node: Node): string | undefined {
  if (node.type === 'MemberExpression') return 'property'
  return 'key' in node ? 'key' : undefined
}

function importOf(path: string, node: Node): Import | undefined {
  if (!isNode(node.source) || typeof node.source.value !== 'string') return undefined
  const specifier = node.source.value
  const names = Array.isArray(node.specifiers) ? node.specifiers.map(importedName) : ['*']
  const parts = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : []
  const isType = (part: Node): boolean => part.importKind === 'type' || part.exportKind === 'type'
  const typeOnly = isType(node) || (parts.length > 0 && parts.every(isType))
  const target = specifier.startsWith('.')
    ? posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts')
    : undefined
  return { specifier, typeOnly, names, target }
}

function importedName(specifier: unknown): string {
  if (!isNode(specifier)) return '*'
  if (specifier.type === 'ImportDefaultSpecifier') return 'default'
  const name = specifier.type === 'ExportSpecifier' ? specifier.local : specifier.imported
  return isNode(name) ? String(name.name) : '*'
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
