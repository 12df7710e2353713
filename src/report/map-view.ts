import { cQuote } from '../core/quote-path.js'
import { counted } from './counted.js'
import { visibleText } from './visible-text.js'

export type MapOrder = 'churn' | 'central'

/** A file of a map, with the names of what it declares that matters most. */
export interface MappedFile {
  readonly path: string
  readonly symbols: readonly string[]
}

/** Files of a directory that a map does not name, those below it too. */
export interface FoldedFiles {
  readonly path: string
  readonly files: number
}

/** The files of a worktree, those first that are worked on most. */
export interface MapAnswer {
  readonly path: string
  readonly head: string
  readonly sort: MapOrder
  /** By their rank. */
  readonly files: readonly MappedFile[]
  /** By their number. */
  readonly folded: readonly FoldedFiles[]
  readonly shown_files: number
  readonly total_files: number
  /** Files whose names are not UTF-8 and stand nowhere here. */
  readonly unnamed_files: number
  readonly truncated: boolean
  /** How to get what was left out. */
  readonly go_on?: string
}

/** One directory of the drawn tree. */
export interface MapDirectory {
  readonly name: string
  readonly directories: Map<string, MapDirectory>
  readonly files: MappedFile[]
  /** Files directly here and below that are not named. */
  hidden: number
  below: number
}

/** A map as a tree: one line a directory, one for each file with names, one for all files without. */
export function renderMapText(answer: MapAnswer): string {
  const root = emptyDirectory('')
  for (const { path, files } of answer.folded) place(root, path).hidden += files
  for (const file of answer.files) {
    place(root, file.path.slice(0, file.path.lastIndexOf('/') + 1)).files.push(file)
  }
  return visibleText([headLine(answer), ...treeLines(root, '', 0), ...goOnLines(answer)].join('\n'))
}

/** The first line, which says what the numbers mean. */
function headLine({ sort, shown_files: shown, total_files: total, unnamed_files: odd }: MapAnswer) {
  const by = sort === 'churn' ? 'most worked on' : 'most imported'
  const names = odd > 0 ? `; ${counted(odd, 'name')} not UTF-8` : ''
  return `${shown} of ${counted(total, 'file')}, the ${by} first; +n: files not named${names}`
}

/** The last one, where something was left out. */
function goOnLines({ truncated, go_on: goOn }: MapAnswer): readonly string[] {
  return truncated && goOn !== undefined ? [`(${goOn})`] : []
}

function emptyDirectory(name: string): MapDirectory {
  return { name, directories: new Map(), files: [], hidden: 0, below: 0 }
}

/** The directory of a path that ends in a slash. */
function place(root: MapDirectory, path: string): MapDirectory {
  let here = root
  for (const name of path.split('/').slice(0, -1)) {
    const next = here.directories.get(name) ?? emptyDirectory(name)
    here.directories.set(name, next)
    here = next
  }
  return here
}

function treeLines(directory: MapDirectory, prefix: string, depth: number): readonly string[] {
  const { name, directories, files, hidden } = directory
  const path = name === '' ? prefix : `${prefix}${name}/`
  const [only] = directories.values()
  // A directory that holds nothing but one other shares its line.
  if (only !== undefined && directories.size === 1 && files.length === 0 && hidden === 0) {
    return treeLines(only, path, depth)
  }
  const pad = ' '.repeat(depth)
  const more = hidden > 0 ? ` +${hidden}` : ''
  const bare = files.filter(({ symbols }) => symbols.length === 0)
  const inner = path === '' && more === '' ? depth : depth + 1
  const innerPad = ' '.repeat(inner)
  return [
    ...(path === '' && more === '' ? [] : [`${pad}${path === '' ? './' : path}${more}`]),
    ...files
      .filter(({ symbols }) => symbols.length > 0)
      .map(file => `${innerPad}${baseName(file.path)}: ${file.symbols.join(' ')}`),
    ...(bare.length > 0 ? [innerPad + bare.map(({ path: one }) => baseName(one)).join(' ')] : []),
    ...[...directories.values()].flatMap(one => treeLines(one, '', inner)),
  ]
}

/** Names stand side by side, so that one with blanks or breaks is quoted. */
function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /[\s"\p{Cc}]/u.test(name) ? cQuote(name) : name
}
