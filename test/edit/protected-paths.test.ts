import { expect, test } from 'vitest'
import { isProtected } from '#src/edit/protected-paths.js'
import { path } from './sandbox.js'

test.each([
  '.gitattributes',
  'sub/.gitmodules',
  '.github/workflows/ci.yml',
  '.GitHub/workflows/ci.yml',
  '.github./workflows/ci.yml',
  '.gitlab-ci.yml',
  'Jenkinsfile',
  'azure-pipelines-nightly.yml',
  'docs/CODEOWNERS',
  '.husky/pre-commit',
  'lefthook.yml',
  '.vscode/tasks.json',
  'a.code-workspace',
  'packages/x/.idea/workspace.xml',
  'CLAUDE.md',
  'claude.md ',
  'sub/AGENTS.md',
  'AGENTſ.md',
  '.cursor/rules/a.mdc',
  '.mcp.json',
  '.env',
  '.env.local',
  '.envrc',
  '.npmrc',
  '.cargo/config.toml',
  'rust-toolchain.toml',
  'deploy/server.pem',
  'id_rsa',
])('%s is protected', name => {
  expect(isProtected(path(name), [])).toBe(true)
})

test.each([
  'src/env.ts',
  'agents.ts',
  'README.md',
  '.gitignore',
  'github/a',
  'keys.txt',
  'src/id.ts',
])('%s is not', name => {
  expect(isProtected(path(name), [])).toBe(false)
})

test.each([
  ['.github/workflows/ci.yml', ['.github/**'], false],
  ['.github/workflows/ci.yml', ['.GITHUB/'], false],
  ['.github/workflows/ci.yml', ['.vscode/**'], true],
  ['AGENTS.md', ['AGENTS.md'], false],
  ['sub/AGENTS.md', ['/AGENTS.md'], true],
])('%s with %j allowed is protected: %s', (name, allow, isRefused) => {
  expect(isProtected(path(name), allow)).toBe(isRefused)
})
