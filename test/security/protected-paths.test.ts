import { describe, expect, test } from 'vitest'
import type { EditInput } from '#src/edit/ops/parse-edit.js'
import { opTypes } from '#src/edit/ops/registry.js'
import {
  create,
  openGateway,
  refusal,
  type TestGateway,
  type TestWorktree,
} from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'
import { attempts } from './every-op.js'
import { digestOf } from './hostile.js'

/** One of each kind, as they are mostly written. */
const plain = [
  '.gitattributes',
  '.gitmodules',
  '.gitconfig',
  '.lfsconfig',
  '.mailmap',
  '.github/workflows/ci.yml',
  '.github/copilot-instructions.md',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  '.buildkite/pipeline.yml',
  'azure-pipelines.yml',
  'Jenkinsfile',
  '.drone.yml',
  '.woodpecker.yml',
  'bitbucket-pipelines.yml',
  'CODEOWNERS',
  '.husky/pre-commit',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.lintstagedrc.json',
  '.vscode/settings.json',
  '.idea/workspace.xml',
  'a.code-workspace',
  '.devcontainer/devcontainer.json',
  '.fleet/run.json',
  '.zed/settings.json',
  '.mcp.json',
  '.editlatch.json',
  'opencode.json',
  'opencode.jsonc',
  '.opencode/opencode.json',
  'mcp.json',
  '.cursor/mcp.json',
  '.cursorrules',
  '.claude/settings.json',
  'CLAUDE.md',
  'AGENTS.md',
  'GEMINI.md',
  '.gemini/settings.json',
  '.codex/config.toml',
  '.amazonq/mcp.json',
  '.windsurfrules',
  '.continue/config.json',
  '.aider.conf.yml',
  '.envrc',
  '.env',
  '.env.production',
  '.npmrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.cargo/config.toml',
  'rust-toolchain.toml',
  '.tool-versions',
  'mise.toml',
  'server.pem',
  'server.key',
  'id_ed25519',
]

/** Other names that some file system opens as the same file. */
const spellings: readonly (readonly [name: string, spell: (path: string) => string])[] = [
  ['as it is', path => path],
  ['in capitals', path => path.toUpperCase()],
  ['in small letters', path => path.toLowerCase()],
  ['below a directory', path => `sub/dir/${path}`],
  ['with a dot at the end', path => `${path}.`],
  ['with blanks and dots at the end', path => `${path} . `],
  ['with a dot after the directory', path => path.replace('/', './')],
  ['with a letter that small files ignore', path => `${path.slice(0, 2)}\u200d${path.slice(2)}`],
  ['with a mark before it', path => `\ufeff${path}`],
  ['with a stream of NTFS', path => `${path}::$DATA`],
  ['with a named stream', path => `${path}:x`],
  ['with a long s', path => path.replace('s', '\u017f')],
  ['with the sign for kelvin', path => path.replace('k', '\u212a')],
  ['in wide letters', path => path.replace('c', '\uff43')],
]

const files = {
  ...Object.fromEntries(plain.map(path => [path, 'x\n'])),
  'a.txt': 'a\n',
  '.vscode/a.txt': 'a\n',
}

interface World {
  readonly repository: TestRepository
  readonly gateway: TestGateway
  readonly worktree: TestWorktree
  /** The revision of every protected file. */
  readonly rev: string
  readonly textRev: string
}

async function openWorld(allowProtected: readonly string[]): Promise<World> {
  const repository = await makeRepository(files)
  const gateway = await openGateway(repository, { allowProtected })
  const worktree = await gateway.open('alice')
  const [rev, textRev] = [await worktree.rev('.npmrc'), await worktree.rev('a.txt')]
  return { repository, gateway, worktree, rev, textRev }
}

const world = await openWorld([])
const { worktree, rev, textRev } = world
const refusedCode = async (edit: EditInput): Promise<string> =>
  String((await refusal((async () => worktree.apply([edit]))())).code)

describe('PROT-1: what configures other tools cannot be written', () => {
  const before = digestOf(worktree.path)
  const head = worktree.opened.head

  test('every op is tried', () =>
    expect(Object.keys(attempts).toSorted()).toEqual(opTypes.map(({ name }) => name).toSorted()))

  test.each(spellings)('a new file, %s', async (_, spell) => {
    const codes = await Promise.all(
      plain.map(async path => `${await refusedCode(create(spell(path), 'y'))} ${spell(path)}`),
    )
    expect(codes.filter(line => !line.startsWith('PROTECTED_PATH'))).toEqual([])
  })

  test.each(Object.entries(attempts))('%s', async (_, attempt) => {
    const codes = await Promise.all(
      plain.map(async path => `${await refusedCode(attempt(path, rev))} ${path}`),
    )
    expect(codes.filter(line => !line.startsWith('PROTECTED_PATH'))).toEqual([])
  })

  test('a file that is moved there, from there, or within', async () => {
    const moves: readonly EditInput[] = [
      { op: 'move_file', path: 'a.txt', expected_rev: textRev, to: '.claude/a.txt' },
      { op: 'move_file', path: '.vscode/a.txt', expected_rev: textRev, to: 'b.txt' },
      { op: 'move_file', path: '.vscode/a.txt', expected_rev: textRev, to: '.vscode/b.txt' },
    ]
    for (const move of moves) expect(await refusedCode(move)).toBe('PROTECTED_PATH')
  })

  test('a file on the way to it by a second op of the same batch', async () => {
    const told = await refusal(
      worktree.apply([
        { op: 'move_file', path: 'a.txt', expected_rev: textRev, to: 'CLAUDE.mdx' },
        { op: 'move_file', path: 'CLAUDE.mdx', to: 'sub/CLAUDE.md' },
      ]),
    )
    expect([told.code, told.index]).toEqual(['PROTECTED_PATH', 1])
  })

  test.each(['./AGENTS.md', 'sub//AGENTS.md', 'sub/../AGENTS.md', '/AGENTS.md'])(
    '%s is no path at all',
    async path => expect(await refusedCode(create(path, 'y'))).toBe('BAD_PATH'),
  )

  test('nothing has changed', async () => {
    expect(await worktree.git('rev-parse', 'HEAD')).toBe(head)
    expect(digestOf(worktree.path)).toBe(before)
  })
})

describe('PROT-1: not by a way round either', () => {
  test('a link to a protected directory leads nowhere', async () => {
    const { worktree: other } = await openWorld([])
    await other.write('safe', { symlink: '.vscode' })
    await other.commit('a link')
    expect(await refusal(other.apply([create('safe/tasks.json', 'y')]))).toMatchObject({
      code: 'SYMLINK',
    })
  })

  test('what a person did there is not undone by a revert, and not done again', async () => {
    const { worktree: other } = await openWorld([])
    await other.write('AGENTS.md', 'by a person\n')
    const theirs = await other.commit('mine')
    for (const commit of [theirs, theirs.toUpperCase().toLowerCase()]) {
      expect(await refusal(other.worktree.revert(commit))).toMatchObject({
        code: 'PROTECTED_PATH',
        path: 'AGENTS.md',
      })
    }
  })

  test('what was done there outside is not committed by a snapshot, but kept by a person who closes', async () => {
    const { worktree: other, gateway, repository } = await openWorld([])
    await other.write('AGENTS.md', 'by somebody\n')
    await other.write('.cursor/new.json', '{}')
    expect((await other.worktree.snapshot()).commit).toBeNull()
    await other.write('b.txt', 'b\n')
    const { files: told } = await other.worktree.snapshot()
    expect(told.map(({ path }) => path)).toEqual(['b.txt'])
    expect((await other.worktree.state()).dirty).toHaveLength(2)
    await gateway.gateway.closeWorktree('alice', { force: true })
    const kept = await repository.git('show', 'refs/editlatch/closed/alice:AGENTS.md')
    expect(kept).toBe('by somebody')
  })

  test('with the word of the operator a snapshot takes it', async () => {
    const { worktree: other } = await openWorld(['AGENTS.md'])
    await other.write('AGENTS.md', 'by somebody\n')
    await other.write('CLAUDE.md', 'by somebody\n')
    const { files: told } = await other.worktree.snapshot()
    expect(told.map(({ path }) => path)).toEqual(['AGENTS.md'])
  })

  test('an expected head vouches for revisions, not for the right to write', async () => {
    const { worktree: other } = await openWorld([])
    const expected_head = other.opened.head
    const edit: EditInput = { op: 'append_lines', path: 'AGENTS.md', text: 'y' }
    expect(await refusal(other.apply([edit], { expected_head }))).toMatchObject({
      code: 'PROTECTED_PATH',
    })
    expect(await refusal(other.apply([edit], { expected_head, dryRun: true }))).toMatchObject({
      code: 'PROTECTED_PATH',
    })
  })
})

describe('PROT-1: with the word of the operator', () => {
  test.each([
    ['everything', ['**'], ['AGENTS.md', '.vscode/settings.json', '.ENV', 'sub/.mcp.json']],
    ['one file', ['/AGENTS.md'], ['AGENTS.md', 'agents.md']],
    ['one directory', ['.github/**'], ['.github/workflows/ci.yml', '.GitHub/new.yml']],
  ])('%s', async (_, allow, paths) => {
    const { worktree: other } = await openWorld(allow)
    for (const path of paths) {
      const known = path in files ? rev : null
      const { commit } = await other.apply([
        { op: 'write_file', path, expected_rev: known, text: 'y' },
      ])
      expect(await other.git('show', `${commit}:${path}`)).toBe('y')
    }
    if (!allow.includes('**')) {
      expect(await refusal(other.apply([create('sub/CLAUDE.md', 'y')]))).toMatchObject({
        code: 'PROTECTED_PATH',
      })
    }
  })

  test("git's own directory stays out of reach", async () => {
    const { worktree: other } = await openWorld(['**', '.git/**', '.git'])
    const writing = (async () => other.apply([create('.git/hooks/post-commit', 'y')]))()
    expect(await refusal(writing)).toMatchObject({ code: 'PROTECTED_PATH' })
  })
})

describe('PROT-2: no mode makes a file something else', () => {
  test.each(['120000', '160000', '040000', '100777', '0644', '100664'])('%s', async mode => {
    const edit = { op: 'write_file', path: 'l', expected_rev: null, text: '/etc/passwd', mode }
    const writing = (async () => worktree.apply([edit as EditInput]))()
    expect(await refusal(writing)).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      problems: [{ field: 'edits.0.mode' }],
    })
  })

  test('a link can only stay what it is', async () => {
    const { worktree: other } = await openWorld([])
    await other.write('l', { symlink: 'a.txt' })
    await other.commit('a link')
    const own = await other.git('rev-parse', 'HEAD:l')
    for (const edit of [
      { op: 'set_mode', path: 'l', expected_rev: own, executable: true },
      { op: 'write_file', path: 'l', expected_rev: own, text: '/etc/passwd', mode: '100644' },
      { op: 'append_lines', path: 'l', expected_rev: own, text: '/../x' },
      { op: 'delete_file', path: 'l', expected_rev: own },
    ] as const) {
      expect(await refusal(other.apply([edit]))).toMatchObject({ code: 'SYMLINK' })
    }
  })

  test('an executable bit is told', async () => {
    const { worktree: other } = await openWorld([])
    const { files: told } = await other.apply([
      { op: 'set_mode', path: 'a.txt', expected_rev: textRev, executable: true },
    ])
    expect(told).toMatchObject([{ path: 'a.txt', mode: '100755' }])
  })
})
