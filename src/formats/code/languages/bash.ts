import type { Language } from '../language.js'
import { type Refine, refineByOwner } from '../nest-found.js'

const query = `
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @var)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @var)
`

const refine: Refine = (found, context) => {
  const { kind, flags } = refineByOwner(found, context)
  return { kind: /\breadonly\s+$/.test(context.header) ? 'const' : kind, flags }
}

const spec = { grammar: 'bash', query, isCertain: true, refine } as const

export const bash: Language = {
  name: 'bash',
  files: ['.sh', '.bash', '.zsh', '.ksh', '.bats', '.bashrc', '.profile'],
  lexis: 'hash',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: [
    { kind: 'function', pattern: /^\s*function\s+(?<name>[\w:.-]+)/ },
    { kind: 'function', pattern: /^\s*(?<name>[\w:.-]+)\s*\(\s*\)/ },
  ],
}
