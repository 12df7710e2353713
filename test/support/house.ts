import { isIdentifier, type Node, type SourceFile } from './source-file.js'

/** One room of src. It knows the rooms on the floors below it, or exactly those it names. */
interface Room {
  readonly floor: number
  /** Never touches disk, clock, chance or process. */
  readonly pure?: true
  readonly knows?: readonly string[]
  /** Further rooms that it knows only by `import type`. */
  readonly knowsTypesOf?: readonly string[]
}

const pure = true
const face: Room = {
  floor: 16,
  knows: ['core', 'commands'],
  knowsTypesOf: ['gateway', 'gateway/telling', 'gateway/opening'],
}

/** The plan of the house. To move a wall, change it here in the same commit. */
const rooms: Readonly<Record<string, Room>> = {
  core: { floor: 0, pure },
  'formats/text': { floor: 1, pure },
  'formats/code': { floor: 1, pure },
  'formats/config': { floor: 1, pure },
  'formats/office': { floor: 1, pure },
  'edit/ops': { floor: 2, pure },
  report: { floor: 2, pure },
  // What an operator can choose, and who said it.
  settings: { floor: 4, pure },
  // A name that nobody else gives, for files and for git alike.
  'io/random-name.ts': { floor: 1 },
  'io/files': { floor: 2 },
  'io/git': { floor: 2 },
  'io/lsp': { floor: 2 },
  'io/state': { floor: 2 },
  'io/workers': { floor: 2 },
  'io/watch.ts': { floor: 2 },
  'edit/dialects': { floor: 3, pure },
  edit: { floor: 4, pure },
  // What it answers and tells; then what it knows, from a repository up to the life of worktrees.
  'gateway/telling': { floor: 5 },
  'gateway/repository': { floor: 6 },
  'gateway/checkout': { floor: 7 },
  'gateway/landing': { floor: 8 },
  'gateway/editing': { floor: 9 },
  'gateway/upkeep': { floor: 9 },
  'gateway/reading': { floor: 10 },
  'gateway/opening': { floor: 11 },
  'gateway/doctor': { floor: 12 },
  'gateway/verify': { floor: 12 },
  gateway: { floor: 13 },
  commands: { floor: 14 },
  'faces/http': face,
  'faces/mcp': face,
  // With --server it is a client like any other program.
  'faces/cli': { ...face, knows: ['core', 'settings', 'commands', 'agent'] },
  'faces/review': face,
  'main.ts': { floor: 17 },
  // The agent's side of the wire: nothing but the command line stands on it, and it runs in browsers too.
  agent: { floor: 18, knows: ['core', 'formats/text'] },
}

/** Folders whose own folders are rooms, so that a new one there is a new room. */
const divided = ['formats', 'edit', 'io', 'gateway', 'faces']

/** The one way in for each npm package: files or rooms. */
const doors: Readonly<Record<string, readonly string[]>> = {
  '@babel/parser': ['formats/code/babel.ts'],
  '@hono/node-server': ['faces/http'],
  '@modelcontextprotocol/server': ['faces/mcp'],
  '@vscode/ripgrep': ['io/git/ripgrep.ts'],
  chokidar: ['io/watch.ts'],
  commander: ['faces/cli'],
  diff: ['formats/text/diff.ts'],
  'fast-xml-parser': ['formats/office/xml.ts'],
  hono: ['faces/http', 'faces/review'],
  'isomorphic-git': ['io/git/verify-with-isomorphic.ts'],
  'jsonc-parser': ['formats/config/jsonc.ts'],
  jszip: ['formats/office/package.ts'],
  pino: ['faces', 'main.ts'],
  'prom-client': ['faces/http'],
  'simple-git': ['io/git/porcelain.ts'],
  'smol-toml': ['formats/config/toml.ts'],
  'web-tree-sitter': ['formats/code/tree-sitter.ts'],
  // Vocabulary, spoken everywhere.
  zod: [''],
}

/** What pure code may not name: the clock, chance, the process and the world. */
const impureNames = [
  'Buffer',
  'Date',
  'console',
  'crypto',
  'fetch',
  'globalThis',
  'performance',
  'process',
  'setImmediate',
  'setInterval',
  'setTimeout',
]

/** Files besides main.ts that are the start of a process or thread of their own. */
const processEntries = ['main.ts', 'io/git/spawn-helper.ts']

/** What io may import from node:process: who we are and who else lives, not what the user asked for. */
const processFacts = ['cpuUsage', 'pid', 'geteuid', 'getuid', 'kill', 'memoryUsage', 'version']

const maxLines = 300

/** Written from the command list by a script; nobody reads it from the top. */
const written = ['agent/api.ts']

/** Where something is loaded only when it is asked for: every start of the program would else wait for it. */
const lateImports = ['main.ts', 'io/git/verify-with-isomorphic.ts']

/** Answers what is wrong, one line a problem. */
export type Rule = (files: readonly SourceFile[]) => readonly string[]

/** Every rule of the house by its name. */
export const houseRules: Readonly<Record<string, Rule>> = {
  'every file lies in a room of the plan': each(file =>
    roomOf(file.path) === undefined ? ['is in no room'] : [],
  ),
  'rooms import only what lies below them': each(wrongFloors),
  'every package comes in by its own door': each(wrongDoors),
  'pure rooms stay pure': each(impurities),
  'only main.ts speaks to the process': each(processUses),
  'only io/git starts programs, and never through a shell': each(programStarts),
  'imports are static': each(dynamicImports),
  'exports have names': each(defaultExports),
  'no file is long': each(({ path, lines }) =>
    lines > maxLines && !written.includes(path)
      ? [`has ${lines} lines, not at most ${maxLines}`]
      : [],
  ),
  'what stands in a registry does not know it': each(({ path, imports }) =>
    path === 'commands/command.ts' && imports.some(({ target }) => target?.endsWith('registry.ts'))
      ? ['imports the registry']
      : [],
  ),
  'files do not import each other in a circle': circles,
}

function each(problemsOf: (file: SourceFile) => readonly string[]): Rule {
  return files => files.flatMap(file => problemsOf(file).map(problem => `${file.path} ${problem}`))
}

/** The name of the room that a path lies in. */
function roomOf(path: string): string | undefined {
  const [top = '', second = ''] = path.split('/')
  const isFolder = path.split('/').length > 2
  const inside = [
    path,
    isFolder ? `${top}/${second}` : '',
    isFolder && divided.includes(top) ? '' : top,
  ]
  return inside.find(name => name in rooms)
}

function wrongFloors(file: SourceFile): readonly string[] {
  const from = roomOf(file.path) ?? ''
  return file.imports
    .filter(({ target, typeOnly }) => {
      if (target === undefined) return false
      const to = roomOf(target)
      return to === undefined || !mayImport(from, to, typeOnly)
    })
    .map(({ specifier }) => `imports ${specifier}`)
}

function mayImport(from: string, to: string, typeOnly: boolean): boolean {
  const room = rooms[from]
  if (from === to || room === undefined) return true
  if (typeOnly && room.knowsTypesOf?.includes(to)) return true
  return room.knows?.includes(to) ?? (rooms[to]?.floor ?? 0) < room.floor
}

function wrongDoors(file: SourceFile): readonly string[] {
  return file.imports
    .filter(({ specifier, target }) => target === undefined && !specifier.startsWith('node:'))
    .filter(({ specifier }) => !doorsOf(specifier).some(door => lies(file.path, door)))
    .map(({ specifier }) => `imports ${specifier}`)
}

function doorsOf(specifier: string): readonly string[] {
  const [scope = '', name = ''] = specifier.split('/')
  return doors[scope.startsWith('@') ? `${scope}/${name}` : scope] ?? []
}

function lies(path: string, place: string): boolean {
  return place === '' || path === place || path.startsWith(`${place}/`)
}

function impurities(file: SourceFile): readonly string[] {
  const from = roomOf(file.path) ?? ''
  const isPure = rooms[from]?.pure === true
  if (!isPure && from !== 'agent') return []
  const modules = file.imports.filter(({ specifier }) => specifier.startsWith('node:'))
  const problems = modules.map(({ specifier }) => `imports ${specifier}`)
  if (!isPure) return problems
  const reached = file.imports.filter(({ target }) => {
    const to = target === undefined ? undefined : rooms[roomOf(target) ?? '']
    return to !== undefined && to.pure !== true
  })
  return [
    ...problems,
    ...reached.map(({ specifier }) => `imports ${specifier}, which is not pure`),
    ...impureNames.filter(name => uses(file, name)).map(name => `uses ${name}`),
    ...(file.nodes.some(isMathRandom) ? ['uses Math.random'] : []),
  ]
}

function isMathRandom(node: Node): boolean {
  return node.type === 'MemberExpression' && isIdentifier(node.object, 'Math')
    ? isIdentifier(node.property, 'random') || node.computed === true
    : false
}

function uses(file: SourceFile, name: string): boolean {
  return file.nodes.some(node => isIdentifier(node, name))
}

function processUses(file: SourceFile): readonly string[] {
  if (processEntries.includes(file.path)) return []
  const facts = lies(file.path, 'io') ? processFacts : []
  const names = file.imports
    .filter(one => one.specifier === 'node:process')
    .flatMap(one => one.names)
  return [
    ...(uses(file, 'process') ? ['uses process'] : []),
    ...names.filter(name => !facts.includes(name)).map(name => `imports ${name} from node:process`),
  ]
}

function programStarts(file: SourceFile): readonly string[] {
  const programs = file.imports.filter(({ specifier }) => specifier === 'node:child_process')
  const isOutside = programs.length > 0 && !lies(file.path, 'io/git')
  const names = programs.flatMap(one => one.names)
  return [
    ...(isOutside ? ['imports node:child_process'] : []),
    ...names
      .filter(name => ['exec', 'execSync', '*', 'default'].includes(name))
      .map(name => `imports ${name}`),
    ...(file.nodes.some(isShellOption) ? ['sets shell'] : []),
    ...(file.nodes.some(isExecCall) ? ['calls exec'] : []),
  ]
}

function isShellOption(node: Node): boolean {
  return node.type === 'Property' && isIdentifier(node.key, 'shell') && !isFalse(node.value)
}

function isFalse(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'value' in value && value.value === false
}

/** A bare `exec(...)`; the `exec` of a regular expression stands behind a dot. */
function isExecCall(node: Node): boolean {
  return node.type === 'CallExpression' && isIdentifier(node.callee, 'exec', 'execSync')
}

function dynamicImports(file: SourceFile): readonly string[] {
  const never = ['TSImportType', 'TSImportEqualsDeclaration']
  const kinds = lateImports.includes(file.path) ? never : ['ImportExpression', ...never]
  return [
    ...(file.nodes.some(node => kinds.includes(node.type)) ? ['imports dynamically'] : []),
    ...['require', 'createRequire'].filter(name => uses(file, name)).map(name => `uses ${name}`),
  ]
}

function defaultExports(file: SourceFile): readonly string[] {
  const isDefault = (node: Node): boolean =>
    node.type === 'ExportDefaultDeclaration' ||
    (node.type === 'ExportSpecifier' && isIdentifier(node.exported, 'default'))
  return file.nodes.some(isDefault) ? ['exports a default'] : []
}

function circles(files: readonly SourceFile[]): readonly string[] {
  const targets = new Map(
    files.map(file => [file.path, file.imports.flatMap(({ target }) => target ?? [])]),
  )
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(' -> ')]
    if (done.has(path)) return []
    const found = (targets.get(path) ?? []).flatMap(target => visit(target, [...trail, path]))
    done.add(path)
    return found
  }
  return files.flatMap(file => visit(file.path, []))
}
