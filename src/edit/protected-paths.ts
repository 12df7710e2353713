import { globMatcher } from '../core/glob.js'
import { foldName, type RepoPath } from '../core/repo-path.js'

/**
 * Files that configure other tools or hold secrets, as globs in the sense of `core/glob.ts`: a
 * name without a slash is protected in every directory. They are matched against the path as the
 * most forgiving file system would open it.
 */
const protectedPaths = [
  // git
  '{.gitattributes,.gitmodules,.gitconfig,.lfsconfig,.mailmap}',
  // continuous integration and review
  '**/.github/**',
  '**/.circleci/**',
  '**/.buildkite/**',
  '{.gitlab-ci.yml,azure-pipelines*,jenkinsfile*,.drone.yml,.woodpecker*}',
  '**/.woodpecker/**',
  '{bitbucket-pipelines.yml,codeowners}',
  // hooks
  '**/.husky/**',
  '{.pre-commit-config.yaml,lefthook*,.lefthook*,.lintstagedrc*}',
  // editors
  '**/{.vscode,.idea,.devcontainer,.fleet,.zed}/**',
  '{*.code-workspace,.devcontainer.json}',
  // agents
  '**/{.cursor,.claude,.gemini,.codex,.opencode,.amazonq,.continue,.windsurf}/**',
  '{.editlatch.json,opencode.json,opencode.jsonc}',
  '{.mcp.json,mcp.json,.cursorrules,.windsurf*,.aider*,claude.md,agents.md,gemini.md}',
  // environments and package managers
  '**/.cargo/**',
  '{.envrc,.env*,.npmrc,.yarnrc*,.pnpmfile.cjs,rust-toolchain*,.tool-versions,mise.toml}',
  // keys
  '{*.pem,*.key,id_*}',
] as const

const isListed = anyOf(protectedPaths)

/** True for a path that agents may not touch, unless a glob of the operator allows it. */
export function isProtected(path: RepoPath, allow: readonly string[]): boolean {
  const folded = path.split('/').map(foldName).join('/')
  return isListed(folded) && !anyOf(allow.map(foldGlob))(folded)
}

function anyOf(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map(glob => globMatcher(glob))
  return path => matchers.some(matches => matches(path))
}

/** Only the letters: in a glob dots and colons have other meanings. */
function foldGlob(glob: string): string {
  return glob.normalize('NFKC').toUpperCase().toLowerCase()
}
