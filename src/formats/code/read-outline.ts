import { fixedLimits } from '../../core/limits.js'
import type { Outline, OutlineNote } from '../../core/outline.js'
import type { Source } from '../../core/parsers.js'
import { checkBalance } from './balance.js'
import type { Reading } from './declaration.js'
import type { Engines, Language } from './language.js'
import { linesOf } from './lines.js'
import { placeSymbols } from './place-symbols.js'
import { readLines } from './read-lines.js'
import { languageOf } from './registry.js'

/** What a file declares, by the best reader that it has. */
export async function readOutline(source: Source, engines: Engines): Promise<Outline> {
  const language = languageOf(source.path)
  const refused = whyRefused(source, language)
  if (language?.read === undefined || refused !== undefined) return outlineByLines(source)
  try {
    const reading = await language.read(source, engines)
    const hasErrors = reading.errors?.fatal === true
    return outlineOf(source, language, reading, hasErrors ? 'syntax_errors' : undefined)
  } catch (error) {
    // Nested too deeply for a stack; anything else is our bug.
    if (!(error instanceof RangeError)) throw error
    return outlineByLines(source, 'too_complex')
  }
}

/** The outline of a source that no reader would look into; undefined where one would. */
export function outlineUnread(source: Source): Outline | undefined {
  const language = languageOf(source.path)
  const refused = whyRefused(source, language)
  return refused === undefined ? undefined : emptyOutline(language?.name ?? '', refused)
}

/** The same by lines only: for languages without a parser, and for what is too much for one. */
export function outlineByLines(source: Source, note?: OutlineNote): Outline {
  const language = languageOf(source.path)
  const refused = whyRefused(source, language)
  if (language === undefined || refused !== undefined) {
    return emptyOutline(language?.name ?? '', refused ?? 'unknown_language')
  }
  const { text } = source
  const declarations = readLines(linesOf(text), language.patterns, language.lexis)
  const errors = note === undefined ? checkBalance(text, language.lexis) : undefined
  const reading: Reading = {
    parser: 'regex',
    declarations,
    ...(errors !== undefined && { errors }),
  }
  return outlineOf(source, language, reading, note)
}

/** An outline that tells nothing but why. */
export function emptyOutline(language: string, note: OutlineNote): Outline {
  return { language, parser: 'none', note, symbols: [] }
}

/**
 * A usual limit of 200 KB leaves out what matters most: in real repositories the largest file that is
 * written by hand is often the busiest one, and it is parsed in 8 to 430 ms. Bundles are known by
 * their long lines instead.
 */
function whyRefused({ text }: Source, language: Language | undefined): OutlineNote | undefined {
  if (language === undefined) return 'unknown_language'
  if (text.length > fixedLimits.parsedChars) return 'too_large'
  const isLong = text.length > fixedLimits.parsedLineChars * countLines(text)
  return isLong ? 'minified' : undefined
}

/** As many lines as are needed to know that the text is not minified. */
function countLines(text: string): number {
  const enough = Math.ceil(text.length / fixedLimits.parsedLineChars)
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0 && count < enough; at = text.indexOf('\n', at + 1)) {
    count += 1
  }
  return count
}

function outlineOf(
  { text }: Source,
  language: Language,
  { parser, declarations, errors }: Reading,
  note: OutlineNote | undefined,
): Outline {
  return {
    language: language.name,
    parser,
    ...(note !== undefined && { note }),
    ...(errors !== undefined && { errors }),
    symbols: placeSymbols(linesOf(text), declarations, language.lexis),
  }
}
