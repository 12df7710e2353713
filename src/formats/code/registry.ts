import type { Language } from './language.js'
import { bash } from './languages/bash.js'
import { c } from './languages/c.js'
import { cSharp } from './languages/c-sharp.js'
import { cpp } from './languages/cpp.js'
import { go } from './languages/go.js'
import { java } from './languages/java.js'
import { kotlin } from './languages/kotlin.js'
import {
  dart,
  elixir,
  graphql,
  lua,
  makefile,
  perl,
  protobuf,
  scala,
  swift,
  zig,
} from './languages/others.js'
import { php } from './languages/php.js'
import { python } from './languages/python.js'
import { ruby } from './languages/ruby.js'
import { rust } from './languages/rust.js'
import { component, declarations, javascript, tsx, typescript } from './languages/script.js'
import { css } from './outlines/css.js'
import { html } from './outlines/html.js'
import { json, jsonWithComments } from './outlines/json.js'
import { markdown } from './outlines/markdown.js'
import { sql } from './outlines/sql.js'
import { toml } from './outlines/toml.js'
import { yaml } from './outlines/yaml.js'

/** Every language that is read. */
const languages: readonly Language[] = [
  ...[javascript, typescript, tsx, declarations, component],
  ...[python, go, rust, java, c, cpp, cSharp, ruby, php, kotlin, bash],
  ...[swift, dart, scala, lua, elixir, perl, zig, protobuf, graphql, makefile],
  ...[markdown, json, jsonWithComments, yaml, toml, css, html, sql],
]

const byFile = new Map(
  languages.flatMap(language => language.files.map(file => [file, language] as const)),
)

/** The same for two paths whose texts are read alike; undefined where no reader knows the path. */
export function readingKey(path: string): string | undefined {
  return languageOf(path)?.files[0]
}

/** The language of a file by its whole name, else by its longest ending that is known. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const whole = byFile.get(name)
  if (whole !== undefined) return whole
  const lower = name.toLowerCase()
  for (let dot = lower.indexOf('.'); dot >= 0; dot = lower.indexOf('.', dot + 1)) {
    const found = byFile.get(lower.slice(dot))
    if (found !== undefined) return found
  }
  return undefined
}
