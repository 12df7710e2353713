import type { LineTable } from './line-table.js'

/**
 * What white space means in a file. `free`: indentation is layout. `relative`: it is structure, so
 * only a whole block may stand deeper or shallower. `fixed`: it must be as the file has it.
 */
export interface WhiteSpace {
  readonly indentation: 'free' | 'relative' | 'fixed'
  /** Lines that are taken byte for byte or not at all. */
  isLiteral(table: LineTable, line: number): boolean
}

const anyLine = (): boolean => false

export const freeWhiteSpace: WhiteSpace = { indentation: 'free', isLiteral: anyLine }
const relative: WhiteSpace = { indentation: 'relative', isLiteral: anyLine }

/** Which files have which white space; the first that fits counts. */
const kinds: readonly (readonly [RegExp, WhiteSpace])[] = [
  // Recipes begin with a tab, and a space after a continuation ends it.
  [
    /(?:^|\/)(?:GNUmakefile|[Mm]akefile(?:\.\w+)?|Kbuild)$|\.(?:mk|mak|make)$/,
    { indentation: 'fixed', isLiteral: (table, line) => /^\t|\\[ \t]*$/.test(table.line(line)) },
  ],
  // Columns.
  [
    /\.(?:tsv|tab|patch|diff|robot|resource|f|for|f77|cob|cbl|cpy|ws)$/i,
    { indentation: 'fixed', isLiteral: () => true },
  ],
  [
    /\.(?:md|markdown|mdx|mdown|mkd|qmd|rmd)$/i,
    {
      indentation: 'relative',
      isLiteral: (table, line) => / {2}$/.test(table.line(line)) || fencesOf(table).has(line),
    },
  ],
  [/\.(?:py|pyi|pyw|pyx|pxd|pxi|bzl|star|gd)$/i, relative],
  [/(?:^|\/)(?:BUILD|WORKSPACE|Tiltfile|SConstruct|SConscript|wscript)(?:\.bazel)?$/, relative],
  [/\.(?:ya?ml|rst|adoc|asciidoc|txt2tags)$/i, relative],
  [/(?:^|\/)\.(?:clang-format|clang-tidy)$/, relative],
  [/\.(?:pug|jade|haml|slim|sass|styl|coffee|litcoffee|cjsx|ls)$/i, relative],
  [
    /\.(?:nim|nims|nimble|fs|fsx|fsi|hs|lhs|hsc|elm|purs|idr|agda|lean|scala|sc|cr|gleam)$/i,
    relative,
  ],
]

/** In files that hold other languages, and scripts that say theirs in the first line. */
const relativeContent =
  /^#!.*\bpython|\blang=["'](?:pug|jade|haml|sass|stylus|styl|coffee|coffeescript|yaml)["']/

/** Characters at the head of a file that may say what it is. */
const headChars = 20_000

/** What white space means in a file, by its path and what it holds. */
export function whiteSpaceOf(path: string, text: string): WhiteSpace {
  const listed = kinds.find(([pattern]) => pattern.test(path))
  if (listed !== undefined) return listed[1]
  return relativeContent.test(text.slice(0, headChars)) ? relative : freeWhiteSpace
}

const knownFences = new WeakMap<LineTable, ReadonlySet<number>>()

/** The lines of fenced code, fences included. */
function fencesOf(table: LineTable): ReadonlySet<number> {
  const known = knownFences.get(table)
  if (known !== undefined) return known
  const fenced = new Set<number>()
  let open: string | undefined
  for (let line = 0; line < table.count; line += 1) {
    const fence = /^(?:`{3,}|~{3,})/.exec(table.trimmed(line))?.[0]
    const isClosing = open !== undefined && fence !== undefined && closes(fence, open)
    if (open !== undefined || fence !== undefined) fenced.add(line)
    if (isClosing) open = undefined
    else open ??= fence
  }
  knownFences.set(table, fenced)
  return fenced
}

function closes(fence: string, open: string): boolean {
  return fence[0] === open[0] && fence.length >= open.length
}
