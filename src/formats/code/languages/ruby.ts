import type { Language } from '../language.js'
import { flagsIn, type Refine } from '../nest-found.js'

const query = `
(method name: (_) @name) @function
(singleton_method name: (_) @name) @method
(class name: (_) @name) @class
(module name: (_) @name) @module
(assignment left: (constant) @name) @const
(call method: (identifier) @callee
  arguments: (argument_list . [(simple_symbol) (string)] @name) block: (_)
  (#match? @callee "^(describe|context|it|test|specify|namespace|task)$")) @test
`

const refine: Refine = ({ name, kind, flags: found }, { owner, header }) => {
  const flags = [...found, ...flagsIn(header, { static: /\bdef\s+[\w.]+\.$/ })]
  if (kind === 'test') return { kind, flags, name: name.replace(/^[:'"]|['"]$/g, '') }
  const isMember = owner?.kind === 'class' || owner?.kind === 'module'
  if (kind !== 'function' || !isMember) return { kind, flags }
  return { kind: name === 'initialize' ? 'constructor' : 'method', flags }
}

const spec = { grammar: 'ruby', query, isCertain: true, refine } as const

export const ruby: Language = {
  name: 'ruby',
  files: ['.rb', '.rake', '.gemspec', '.ru', 'Rakefile', 'Gemfile'],
  lexis: 'hash',
  read: ({ text }, grammars) => grammars.read(text, spec),
  patterns: [
    { kind: 'method', pattern: /^\s*def\s+(?:self\.)?(?<name>[\w]+[?!=]?)/ },
    { kind: 'class', pattern: /^\s*class\s+(?<name>[A-Z][\w:]*)/ },
    { kind: 'module', pattern: /^\s*module\s+(?<name>[A-Z][\w:]*)/ },
  ],
}
