import { anchorSchemes } from '../core/anchor-scheme.js'
import { defaultMatching } from '../core/matching.js'
import { matchLevels } from '../core/receipt.js'
import { dialectNames } from '../edit/dialects/registry.js'
import * as kinds from './kinds.js'
import { type Face, openSetting, type Setting, setting } from './setting.js'

const everywhere: readonly Face[] = ['serve', 'mcp', 'command']
const servers: readonly Face[] = ['serve', 'mcp']

/** Every setting by its key in a file. A new one is an entry here; flags, variables, files, doctor and README follow. */
export const settings = {
  host: setting({
    about: 'the address to listen on',
    flag: '--host <address>',
    kind: kinds.text,
    initial: '127.0.0.1',
    faces: ['serve'],
    files: 'user',
  }),
  port: setting({
    about: 'the port to listen on; 0 takes a free one',
    flag: '--port <number>',
    kind: kinds.wholeNumber(65_535),
    initial: 0,
    faces: ['serve'],
    files: 'user',
  }),
  allow_hosts: setting({
    about: 'a name that requests may call this server',
    flag: '--allow-host <name>',
    kind: kinds.texts,
    initial: [],
    faces: ['serve'],
    files: 'user',
  }),
  limits: setting({
    about: 'change one of the limits, such as readBytes or looseObjects',
    flag: '--limit <name=value>',
    kind: kinds.limitChanges,
    initial: {},
    initially: 'as they are',
    faces: servers,
    files: 'user',
  }),
  max_level: setting({
    about: 'the most lenient way in which text may be found',
    flag: '--max-level <level>',
    kind: kinds.choice(matchLevels),
    initial: defaultMatching.maxLevel,
    faces: servers,
    files: 'user and repository',
  }),
  min_similarity: setting({
    about: 'how much alike the middle of a block must be',
    flag: '--min-similarity <number>',
    kind: kinds.fraction,
    initial: defaultMatching.minSimilarity,
    faces: servers,
    files: 'user and repository',
  }),
  fold_unicode: setting({
    about: 'take typographic characters for what a keyboard has',
    flag: '--fold-unicode',
    kind: kinds.toggle,
    initial: defaultMatching.unicode,
    faces: servers,
    files: 'user and repository',
  }),
  dialects: openSetting({
    about: 'dialects that edits may be said in, with commas; tools take the first',
    flag: '--dialects <names>',
    kind: kinds.choices(dialectNames),
    initially: 'all',
    faces: everywhere,
    files: 'user and repository',
  }),
  anchors: setting({
    about: 'how the anchors of hashline views are made',
    flag: '--anchors <scheme>',
    kind: kinds.choice(anchorSchemes),
    initial: 'chunk',
    faces: everywhere,
    files: 'user and repository',
  }),
  syntax_check: setting({
    about: 'look at the syntax of what a batch changes',
    flag: '--no-syntax-check',
    kind: kinds.toggle,
    initial: true,
    faces: servers,
    files: 'user and repository',
  }),
  maintenance: setting({
    about: 'pack loose objects in the background',
    flag: '--no-maintenance',
    kind: kinds.toggle,
    initial: true,
    faces: servers,
    files: 'user and repository',
  }),
  index: setting({
    about: 'read symbols in the background, before they are asked for',
    flag: '--no-index',
    kind: kinds.toggle,
    initial: true,
    faces: servers,
    files: 'user and repository',
  }),
  watch: setting({
    about: 'watch worktrees for changes by others',
    flag: '--no-watch',
    kind: kinds.toggle,
    initial: true,
    faces: servers,
    files: 'user and repository',
  }),
  branch_prefix: setting({
    about: 'agents work on branches <name>/<agent>',
    flag: '--branch-prefix <name>',
    kind: kinds.branchParts,
    initial: 'agent',
    faces: everywhere,
    files: 'user and repository',
  }),
  worktrees: openSetting({
    about: 'where worktrees are made',
    flag: '--worktrees <dir>',
    kind: kinds.path,
    initially: '<repository>.worktrees',
    faces: everywhere,
    files: 'user',
  }),
  durability: setting({
    about: 'power: answers survive a power cut; process: a crash',
    flag: '--durability <kind>',
    kind: kinds.choice(['power', 'process']),
    initial: 'power',
    faces: everywhere,
    files: 'user',
  }),
  allow_protected: setting({
    about: 'let agents edit protected paths that fit',
    flag: '--allow-protected <glob>',
    kind: kinds.texts,
    initial: [],
    faces: everywhere,
    files: 'user',
  }),
  trust_config: setting({
    about: "use the repository's own git configuration and filters, and its .editlatch.json",
    flag: '--trust-config',
    kind: kinds.toggle,
    initial: false,
    faces: everywhere,
    files: 'user',
  }),
  trusted: setting({
    about: 'read .editlatch.json of the repository here',
    flag: '--trusted <dir>',
    kind: kinds.paths,
    initial: [],
    faces: everywhere,
    files: 'user',
  }),
  state_dir: openSetting({
    about: 'where caches and the token are kept',
    flag: '--state-dir <dir>',
    kind: kinds.path,
    initially: '$XDG_STATE_HOME/editlatch',
    faces: everywhere,
    files: 'user',
  }),
  token_file: openSetting({
    about: "where the server's token is kept",
    flag: '--token-file <file>',
    kind: kinds.path,
    initially: '<state-dir>/token',
    faces: everywhere,
    files: 'user',
  }),
  record_refusals: openSetting({
    about: 'append each refused edit to this file as a line of JSON',
    flag: '--record-refusals <file>',
    kind: kinds.path,
    initially: 'nowhere',
    faces: everywhere,
    files: 'user',
  }),
  include: setting({
    about: 'ignored files that a new worktree gets',
    flag: '--include <glob>',
    kind: kinds.texts,
    initial: [],
    faces: everywhere,
    files: 'user',
  }),
  setup: openSetting({
    about: 'runs once in a new worktree: plain words, or a JSON array',
    flag: '--setup <command>',
    kind: kinds.command,
    initially: 'nothing',
    faces: everywhere,
    files: 'user',
  }),
  server: openSetting({
    about: 'ask this server instead of working here',
    flag: '--server <url>',
    kind: kinds.text,
    initially: 'work here',
    faces: ['command'],
    files: 'none',
  }),
  token: openSetting({
    about: 'the token for that server; better in the environment',
    flag: '--token <token>',
    kind: kinds.text,
    initially: 'what stands in the token file',
    faces: ['command'],
    files: 'none',
    isSecret: true,
  }),
} as const

export type SettingName = keyof typeof settings

type ValueOf<One> = One extends Setting<infer Value, unknown> ? Value : never

/** What was said of the settings, checked. */
export type SettingValues = {
  readonly [Name in SettingName]?: ValueOf<(typeof settings)[Name]>
}

export const settingNames = Object.keys(settings) as readonly SettingName[]

/** The entry of a setting, its value of whatever type. */
export function settingOf(name: SettingName): Setting {
  return settings[name]
}

/** The variable of the environment that says a setting. */
export function variableOf(name: SettingName): string {
  return `EDITLATCH_${name.toUpperCase()}`
}

/** The flag that says a value of a setting, without the value: `--max-level`, `--no-watch`. */
export function flagOf(name: SettingName, value: unknown): string {
  const [flag = ''] = settings[name].flag.split(' ')
  const plain = flag.replace(/^--(?:no-)?/, '')
  return value === false ? `--no-${plain}` : `--${plain}`
}
