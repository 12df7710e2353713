import type { SyntaxErrors } from '../../../core/outline.js'
import type { Dialect, Script } from '../babel.js'
import type { Declaration, Reading } from '../declaration.js'
import type { Engines } from '../language.js'
import { linesOf } from '../lines.js'
import { readLines } from '../read-lines.js'
import type { TreeSpec } from '../tree-sitter.js'
import { type DeclaredScript, declareScript } from './declare-script.js'
import { scriptPatterns } from './patterns.js'
import { supplement } from './supplement.js'
import { typescriptSpec } from './tree-specs.js'

/** The scripts of one file, and who reads them where Babel gives up. */
export interface ScriptFile {
  readonly text: string
  readonly scripts: readonly Script[]
  readonly spec: TreeSpec
  readonly component?: string
}

const toldLines = 3

/** Reads a file that is one script. */
export function wholeScript(text: string, dialect: Dialect, spec: TreeSpec): ScriptFile {
  return { text, scripts: [{ text, dialect, from: 0, to: text.length }], spec }
}

/**
 * Babel's recovery from errors keeps 2 to 63 % of what a damaged file declares, tree-sitter 86 to 99 %.
 * So: Babel; where it gives up, Babel without the lines that are never code; then tree-sitter, with what
 * it lost but lines still show.
 */
export async function readScripts(file: ScriptFile, engines: Engines): Promise<Reading> {
  const first = declareAll(file, engines)
  const repaired = repair(file, first, engines)
  if (repaired === undefined && 'declarations' in first) return babelReading(file.text, first)
  const failedAt = 'failedAt' in first ? first.failedAt : (repaired?.blankedAt ?? 0)
  const failed = { text: file.text, failedAt }
  if (repaired !== undefined && 'declarations' in repaired.script) {
    return { ...babelReading(file.text, repaired.script), errors: fatalErrors(failed, 1) }
  }
  return readDamaged(repaired?.file ?? file, failed, engines)
}

async function readDamaged(
  file: ScriptFile,
  failed: { readonly text: string; readonly failedAt: number },
  engines: Engines,
): Promise<Reading> {
  const text = onlyScripts(file)
  const tree = await engines.read(text, file.spec)
  const lines = linesOf(text)
  const shown = readLines(lines, scriptPatterns, 'slashes')
  const errors = fatalErrors(failed, tree.errors?.count ?? 1)
  const isLost = countAll(tree.declarations) * 2 < countAll(shown)
  if (isLost) return { parser: 'regex', declarations: shown, errors }
  return { ...tree, declarations: supplement(lines, tree.declarations, shown), errors }
}

interface Repaired {
  readonly file: ScriptFile
  readonly script: DeclaredScript | { readonly failedAt: number }
  readonly blankedAt: number
}

/**
 * The file without lines that are never code, where that tells more. A fence can begin a template
 * that swallows everything, and then nothing fails; in a comment it is in nobody's way.
 */
function repair(
  file: ScriptFile,
  first: DeclaredScript | { readonly failedAt: number },
  engines: Engines,
): Repaired | undefined {
  const blankedAt = holdsForeignMark(file.text) ? file.text.search(foreignLine) : -1
  if (blankedAt < 0) return undefined
  const blanked = withText(file, blankForeignLines(file.text))
  const script = declareAll(blanked, engines)
  const isBetter =
    'failedAt' in first ||
    ('declarations' in script && countAll(script.declarations) > countAll(first.declarations))
  return isBetter ? { file: blanked, script, blankedAt } : undefined
}

function declareAll(
  file: ScriptFile,
  engines: Engines,
): DeclaredScript | { readonly failedAt: number } {
  const declarations: Declaration[] = []
  const errorsAt: number[] = []
  for (const script of file.scripts) {
    const declared = declareScript(script, file.component, engines)
    if ('failedAt' in declared) return declared
    declarations.push(...declared.declarations)
    errorsAt.push(...declared.errorsAt)
  }
  return { declarations, errorsAt }
}

function babelReading(text: string, { declarations, errorsAt }: DeclaredScript): Reading {
  const told = errorsAt.slice(0, toldLines)
  // Most files have no errors and then need no lines here.
  const lineAt = told.length === 0 ? () => 0 : linesOf(text).lineAt
  const lines = [...new Set(told.map(lineAt))]
  const errors = { count: errorsAt.length, lines, certain: true, fatal: false }
  return { parser: 'babel', declarations, errors }
}

function fatalErrors(
  { text, failedAt }: { readonly text: string; readonly failedAt: number },
  count: number,
): SyntaxErrors {
  const lines = linesOf(text)
  // At the very end of a text it is the last line that lacks something.
  const line = Math.min(lines.lineAt(failedAt), lines.count)
  return { count: Math.max(count, 1), lines: [line], certain: true, fatal: true }
}

function withText(file: ScriptFile, text: string): ScriptFile {
  return { ...file, text, scripts: file.scripts.map(script => ({ ...script, text })) }
}

const foreignLine = /^(?:(?:<{7}|={7}|>{7}|\|{7})(?: .*)?|[ \t]*```[\w-]*[ \t]*)$/gm

/** To look for each mark by itself takes a tenth of the time that the pattern takes, and hardly any text has one. */
function holdsForeignMark(text: string): boolean {
  return ['```', '<<<<<<<', '=======', '>>>>>>>', '|||||||'].some(mark => text.includes(mark))
}

/** Blanks conflict marks and the fences of a pasted answer; every other offset stays. */
function blankForeignLines(text: string): string {
  return text.replace(foreignLine, line => ' '.repeat(line.length))
}

/** The text with everything blank that is no script, so that offsets stay. */
function onlyScripts({ text, scripts }: ScriptFile): string {
  const [only] = scripts
  if (scripts.length === 1 && only?.from === 0 && only.to === text.length) return text
  let at = 0
  const parts = scripts.flatMap(({ from, to }) => {
    const blank = text.slice(at, from).replace(/[^\n]/g, ' ')
    at = to
    return [blank, text.slice(from, to)]
  })
  return parts.join('')
}

function countAll(declarations: readonly Declaration[]): number {
  return declarations.reduce((sum, { children }) => sum + 1 + countAll(children), 0)
}

/** The script blocks of a component file, each with the plugins that its `lang` asks for. */
export function componentFile(source: {
  readonly path: string
  readonly text: string
}): ScriptFile {
  const { path, text } = source
  const [, component = 'default'] = /([^/]+?)\.\w+$/.exec(path) ?? []
  return { text, scripts: scriptBlocks(text), spec: typescriptSpec, component }
}

/** The attributes of a tag, in which quotes may hold `>`. */
const scriptTag = /<script\b((?:"[^"]*"|'[^']*'|[^'">])*)>/gi

function scriptBlocks(text: string): readonly Script[] {
  const scripts: Script[] = []
  scriptTag.lastIndex = 0
  for (let tag = scriptTag.exec(text); tag !== null; tag = scriptTag.exec(text)) {
    const from = scriptTag.lastIndex
    const close = text.indexOf('</script', from)
    const to = close < 0 ? text.length : close
    const isPlainTypescript = /\blang\s*=\s*["']?ts\b/.test(tag[1] ?? '')
    scripts.push({ text, dialect: isPlainTypescript ? 'typescript' : 'tsx', from, to })
    scriptTag.lastIndex = to
  }
  return scripts
}
