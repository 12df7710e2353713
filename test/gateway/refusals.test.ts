import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { catalogue } from '#src/core/error-catalogue.js'
import { Refusal, type RefusalCode } from '#src/core/errors.js'
import { create, openGateway, type TestGateway, type TestWorktree } from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'

/** What only a gateway can refuse: what was done before in an agent's worktree, and what is asked then. */
interface Scenario {
  readonly name: string
  readonly before?: (worktree: TestWorktree) => unknown
  readonly ask: (worktree: TestWorktree) => Promise<unknown>
}

const lines = 'one\ntwo\nthree\nfour\nfive\n'
const files = {
  'a.txt': lines,
  'b.txt': 'b\n',
  'code.js': 'export const one = () => 1\n',
  'large.bin': 'pointer\n',
  '.gitattributes': '*.bin filter=lfs\n',
}

let repository: TestRepository
let served: TestGateway
let first: { readonly a: string; readonly b: string }
beforeAll(async () => {
  repository = await makeRepository(files)
  const [a, b] = await Promise.all(
    ['a.txt', 'b.txt'].map(path => repository.git('rev-parse', `HEAD:${path}`)),
  )
  first = { a: a ?? '', b: b ?? '' }
  await repository.git('branch', 'theirs')
  await repository.git('checkout', '--quiet', 'theirs')
  await repository.write('a.txt', lines.replace('two', 'theirs'))
  await repository.commit('theirs')
  await repository.git('checkout', '--quiet', 'main')
  served = await openGateway(repository)
})

const replace = (find: string, young: string, rev = first.a) =>
  ({ op: 'replace_text', path: 'a.txt', find, replace: young, expected_rev: rev }) as const
const edit = ({ replace: change }: TestWorktree): Promise<unknown> =>
  change('a.txt', 'two', 'second')
const ignore = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined)

const scenarios: readonly Scenario[] = [
  {
    name: 'a revision that has changed since',
    before: edit,
    ask: ({ apply }) => apply([replace('five', '5')]),
  },
  {
    name: 'a revision in If-Match that has changed since',
    before: edit,
    ask: ({ apply }) => apply([replace('five', '5')], { ifMatch: true }),
  },
  {
    name: 'a revision that the file never had',
    ask: ({ apply }) => apply([replace('five', '5', first.b)]),
  },
  {
    name: 'a revision of a file that is gone',
    before: ({ apply }) => apply([{ op: 'delete_file', path: 'a.txt', expected_rev: first.a }]),
    ask: ({ apply }) => apply([replace('five', '5')]),
  },
  {
    name: 'a text that an earlier revision held',
    before: edit,
    ask: worktree => worktree.replace('a.txt', 'one\ntwo\n', 'x'),
  },
  {
    name: 'one of two texts that an earlier revision held',
    before: edit,
    ask: async ({ apply, rev }) =>
      apply([
        replace('one\ntwo\n', 'x', await rev('a.txt')),
        { op: 'replace_text', path: 'b.txt', find: 'none', replace: 'x', expected_rev: first.b },
      ]),
  },
  {
    name: 'a rebase onto a change of the same line',
    before: edit,
    ask: ({ apply }) => apply([replace('two', 'zwei')], { on_conflict: 'rebase' }),
  },
  {
    name: 'a rebase of a text that the older revision lacks',
    before: edit,
    ask: ({ apply }) => apply([replace('none', 'x')], { on_conflict: 'rebase' }),
  },
  {
    name: 'an untracked file where one is made',
    before: ({ write }) => write('n.txt', 'untracked\n'),
    ask: ({ apply }) => apply([create('n.txt', 'n\n')]),
  },
  {
    name: 'a tracked file where one is made',
    ask: ({ apply }) => apply([create('a.txt', 'n\n')]),
  },
  {
    name: 'a file that a filter makes',
    ask: async ({ apply, git }) => {
      const rev = await git('rev-parse', 'HEAD:large.bin')
      return apply([{ op: 'append_lines', path: 'large.bin', text: 'x', expected_rev: rev }])
    },
  },
  {
    name: 'a merge in progress',
    before: async ({ git, replace: change }) => {
      await change('a.txt', 'two', 'ours')
      await ignore(git('merge', 'theirs'))
    },
    ask: ({ apply }) => apply([create('n.txt', 'n\n')]),
  },
  {
    name: 'a detached HEAD',
    before: ({ git }) => git('checkout', '--quiet', '--detach'),
    ask: ({ apply }) => apply([create('n.txt', 'n\n')]),
  },
  {
    name: 'another branch in the worktree',
    before: ({ git }) => git('checkout', '--quiet', '-b', 'elsewhere'),
    ask: ({ apply }) => apply([create('n.txt', 'n\n')]),
  },
  {
    name: 'a key of another batch',
    before: ({ apply }) => apply([create('n.txt', 'n\n')], { key: 'k' }),
    ask: ({ apply }) => apply([create('m.txt', 'm\n')], { key: 'k' }),
  },
  {
    name: 'a key of a batch that is being worked on',
    ask: async ({ apply }) => {
      const [, second] = await Promise.allSettled([
        apply([create('n.txt', 'n\n')], { key: 'k' }),
        apply([create('n.txt', 'n\n')], { key: 'k' }),
      ])
      if (second?.status === 'rejected') throw second.reason
    },
  },
  { name: 'a worktree that is none', ask: () => served.gateway.worktree('nobody') },
  {
    name: 'a base that is none',
    ask: () => served.open('baseless', { base: 'no-such-branch' }),
  },
  {
    name: 'a batch that is none, to be undone',
    ask: ({ worktree }) => worktree.revert('1'.repeat(40)),
  },
  {
    name: 'a batch on which later work stands',
    before: edit,
    ask: async ({ git, replace: change, worktree }) => {
      const commit = await git('rev-parse', 'HEAD')
      await change('a.txt', 'second', 'zwei')
      return worktree.revert(commit)
    },
  },
  {
    name: 'a worktree that holds work',
    before: async ({ apply, write }) => {
      await apply([create('n.txt', 'n\n')])
      await write('b.txt', 'by hand\n')
    },
    ask: ({ id }) => served.gateway.closeWorktree(id, { force: false }),
  },
  {
    name: 'an agent that works from another base',
    ask: ({ opened }) => served.open(opened.agent, { base: 'theirs' }),
  },
  {
    name: 'an agent that works in another view',
    ask: ({ opened }) => served.open(opened.agent, { view: 'hashline' }),
  },
  {
    name: 'a worktree whose directory is gone',
    before: ({ path }) => rm(path, { recursive: true }),
    ask: ({ apply }) => apply([create('n.txt', 'n\n')]),
  },
  {
    name: 'a syntax check that is not to be had',
    ask: async ({ apply, rev }) =>
      apply(
        [
          {
            op: 'replace_text',
            path: 'code.js',
            find: '=> 1',
            replace: '=> (1',
            expected_rev: await rev('code.js'),
          },
        ],
        { require_valid: true },
      ),
  },
  {
    name: 'a request that is cancelled',
    ask: ({ apply }) => apply([create('n.txt', 'n\n')], { signal: AbortSignal.abort() }),
  },
  {
    name: 'a repository that borrows objects',
    ask: async () => {
      const borrower = await makeRepository({ 'a.txt': 'a\n' })
      await borrower.write('.git/objects/info/alternates', join(repository.path, '.git/objects\n'))
      return openGateway(borrower)
    },
  },
]

const golden = join(import.meta.dirname, 'golden/refusals.jsonl')

/** The refusal of a scenario as a client gets it, without its sentence; what differs from run to run has a name instead. */
async function refuse({ before, ask }: Scenario, index: number): Promise<Record<string, unknown>> {
  const worktree = await served.open(`agent-${index}`)
  await before?.(worktree)
  const refused = await ask(worktree).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (refused === undefined) return { code: 'DONE' }
  if (!(refused instanceof Refusal)) throw refused
  const { message: _sentence, ...told } = refused.toJSON()
  const named = [
    [worktree.path, '<worktree>'],
    [repository.path, '<repository>'],
    [basename(repository.path), '<repository>'],
    ...(await repository.git('rev-list', '--all', '^main', '^theirs'))
      .split('\n')
      .filter(oid => oid !== '')
      .map(oid => [oid, '<commit>'] as const),
  ] as const
  const text = named.reduce(
    (all, [value, name]) => all.replaceAll(value, name),
    JSON.stringify(told),
  )
  return JSON.parse(text)
}

test('what a gateway refuses is told as it was published', async () => {
  const told: string[] = []
  for (const [index, scenario] of scenarios.entries()) {
    told.push(JSON.stringify({ name: scenario.name, ...(await refuse(scenario, index)) }))
  }
  // A change of data is a change of what clients read: look at each line of it, then write the file anew.
  if (process.env.EDITLATCH_WRITE_GOLDEN !== undefined) {
    writeFileSync(golden, told.map(line => `${line}\n`).join(''))
  }
  const published = readLines(golden)
  console.log(`${told.length} refusals, ${published.length} published`)
  expect(told.filter(line => line.includes('"code":"DONE"'))).toEqual([])
  expect(told.map(line => JSON.parse(line))).toEqual(published)
})

/** Codes that are decided before a gateway is asked, or need more than a repository, and the tests that show them. */
const elsewhere: Partial<Record<RefusalCode, string>> = {
  ARGUMENTS_TRUNCATED: 'faces/http/bodies.test.ts',
  UNAUTHENTICATED: 'faces/http/routes.test.ts',
  FORBIDDEN: 'faces/http/routes.test.ts',
  BAD_HOST: 'faces/http/origin.test.ts',
  UNSUPPORTED_MEDIA_TYPE: 'faces/http/bodies.test.ts',
  INVALID_SETTINGS: 'gateway/repository-settings.test.ts',
  UNSAFE_TOKEN_FILE: 'io/state/token-file.test.ts',
  FOREIGN_OWNER: 'gateway/hostile-repository.test.ts',
  OBJECT_MISSING: 'gateway/materialise.test.ts',
  DIVERGED: 'gateway/crash-people.test.ts',
  DRAFT_CONFLICT: 'gateway/editing/drafts.test.ts',
  INTRODUCES_SYNTAX_ERROR: 'gateway/landing/check-syntax.test.ts',
  PATTERN_TIMEOUT: 'core/glob.test.ts',
  RATE_LIMITED: 'io/workers/thread-parsers.test.ts',
  METHOD_NOT_ALLOWED: 'faces/http/routes.test.ts',
}

/** Published, and answered by nobody yet: names that are not UTF-8 are left out of every list. */
const unused: readonly RefusalCode[] = ['UNSUPPORTED_NAME']

test('every code of 4xx has a scenario, or a test elsewhere that names it', () => {
  const codes = (Object.keys(catalogue) as RefusalCode[]).filter(
    code => catalogue[code].status < 500,
  )
  const shown = [golden, join(import.meta.dirname, '../edit/golden/refusals.jsonl')].flatMap(path =>
    readLines(path).map(({ code }) => code),
  )
  const named = Object.entries(elsewhere).filter(([code, path]) =>
    readFileSync(join(import.meta.dirname, '..', path), 'utf8').includes(code),
  )
  const accounted = [...new Set([...shown, ...named.map(([code]) => code), ...unused])]
  console.log(`${codes.length} codes: ${new Set(shown).size} frozen, ${named.length} elsewhere`)
  expect(accounted.toSorted()).toEqual(codes.toSorted())
  expect(named.length + unused.length + new Set(shown).size, 'each once').toBe(accounted.length)
})

function readLines(path: string): readonly Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}
