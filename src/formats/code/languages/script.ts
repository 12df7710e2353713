import type { Dialect } from '../babel.js'
import type { Language } from '../language.js'
import { scriptPatterns as patterns } from '../script/patterns.js'
import { componentFile, readScripts, wholeScript } from '../script/read-script.js'
import { javascriptSpec, tsxSpec, typescriptSpec } from '../script/tree-specs.js'
import type { TreeSpec } from '../tree-sitter.js'

/** A language whose files are one script. */
function scriptLanguage(
  name: string,
  files: readonly string[],
  reading: { readonly dialect: Dialect; readonly spec: TreeSpec },
): Language {
  const { dialect, spec } = reading
  return {
    name,
    files,
    lexis: 'slashes',
    read: ({ text }, engines) => readScripts(wholeScript(text, dialect, spec), engines),
    patterns,
  }
}

export const javascript = scriptLanguage('javascript', ['.js', '.jsx', '.mjs', '.cjs'], {
  dialect: 'flow',
  spec: javascriptSpec,
})

export const typescript = scriptLanguage('typescript', ['.ts', '.mts', '.cts'], {
  dialect: 'typescript',
  spec: typescriptSpec,
})

export const tsx = scriptLanguage('tsx', ['.tsx'], { dialect: 'tsx', spec: tsxSpec })

export const declarations = scriptLanguage('declarations', ['.d.ts', '.d.mts', '.d.cts'], {
  dialect: 'declarations',
  spec: typescriptSpec,
})

/** Single-file components: only their script blocks are read. */
export const component: Language = {
  name: 'component',
  files: ['.vue', '.svelte'],
  lexis: 'slashes',
  read: (source, engines) => readScripts(componentFile(source), engines),
  patterns,
}
