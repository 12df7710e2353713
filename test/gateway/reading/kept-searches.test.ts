import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { SearchQuery } from '#src/gateway/reading/search-worktree.js'
import type { SearchAnswer, Told } from '#src/report/search-view.js'
import { openGateway } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

const repository = await makeRepository({
  '.gitignore': '*.log\nhidden/\n',
  'a.txt': 'needle\n',
  'b.txt': 'nothing\n',
  'deep/er/c.txt': 'needle too\n',
})
const served = await openGateway(repository)

const query: SearchQuery = {
  pattern: 'needle',
  mode: 'literal',
  path: '',
  ignoreCase: false,
  context: 0,
  limit: 100,
  maxBytes: 10_000,
}

async function ask(more: Partial<SearchQuery> = {}): Promise<SearchAnswer & Told> {
  return (await one.worktree.survey.search({ ...query, ...more })) as SearchAnswer & Told
}

/** Longer than two changes need to have different times. */
const rest = (): Promise<void> => sleep(30)

const one = await served.open('alice')
const at = (name: string): string => join(one.path, name)
const base = await one.git('rev-parse', 'HEAD')

/** The worktree anew, with files that git does not know, ignores, or was told not to look at; at rest. */
async function prepare(): Promise<void> {
  await repository.write('.git/info/exclude', '')
  await one.git('reset', '--quiet', '--hard', base)
  await one.git('clean', '-ffdxq')
  await one.git('update-index', '--assume-unchanged', 'b.txt')
  for (const [name, text] of Object.entries(unknown)) await one.write(name, text)
  await rest()
}

const unknown = {
  'new/x.txt': 'needle new\n',
  'lone/y.txt': 'needle lone\n',
  'skip.log': 'needle ignored\n',
  'own/.gitignore': '*\n',
  'own/z.txt': 'needle own\n',
  'hidden/h/i.txt': 'needle hidden\n',
} as const

const modes = ['literal', 'regex'] as const

const changes: readonly (readonly [name: string, change: () => unknown])[] = [
  ['a tracked file is written', () => appendFileSync(at('a.txt'), 'needle\n')],
  ['one of the same size', () => writeFileSync(at('a.txt'), 'noodle\n')],
  [
    'one of the same size and time',
    () => {
      writeFileSync(at('a.txt'), 'noodle\n')
      utimesSync(at('a.txt'), 1, 1)
    },
  ],
  ['a file that git was told not to look at', () => writeFileSync(at('b.txt'), 'needle\n')],
  ['a file is replaced', () => replace(at('a.txt'), 'noodle\n')],
  ['a tracked file is removed', () => rmSync(at('a.txt'))],
  ['an untracked file is written', () => writeFileSync(at('new/x.txt'), 'noodle new\n')],
  ['an untracked file is removed', () => rmSync(at('new/x.txt'))],
  ['the only file of a directory that git lists is removed', () => rmSync(at('lone/y.txt'))],
  ['a file is made', () => writeFileSync(at('deep/d.txt'), 'needle\n')],
  ['a file is renamed', () => renameSync(at('a.txt'), at('z.txt'))],
  ['a directory is renamed', () => renameSync(at('deep'), at('deeper'))],
  ['an ignored directory comes in', () => renameSync(at('hidden/h'), at('seen'))],
  ['a directory is made', () => write(at('more/m'), 'x.txt', 'needle\n')],
  ['a file becomes a link', () => link(at('a.txt'), at('b.txt'))],
  ['a directory becomes a link', () => linkDirectory(at('deep'), at('hidden'))],
  ['a file is ignored no more', () => writeFileSync(at('.gitignore'), 'hidden/\n')],
  ['a file is ignored from now on', () => appendFileSync(at('.gitignore'), 'new/\n')],
  ['an ignored list of ignored files', () => writeFileSync(at('own/.gitignore'), '.*\n')],
  ["the repository's own list", () => repository.write('.git/info/exclude', 'new/\n')],
  ['a batch lands', () => one.replace('a.txt', 'needle', 'needle and thread')],
  ['a commit of the user', () => one.commit('by hand')],
  ['a reset', () => one.git('reset', '--hard', '--quiet', 'HEAD~0')],
  ['an index without a file', () => one.git('rm', '--cached', '--quiet', 'a.txt')],
  ['attributes', () => one.write('.gitattributes', '*.txt text eol=crlf\n')],
]

function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

function write(directory: string, name: string, text: string): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, name), text)
}

function link(path: string, target: string): void {
  rmSync(path)
  symlinkSync(target, path)
}

function linkDirectory(path: string, target: string): void {
  rmSync(path, { recursive: true })
  symlinkSync(target, path)
}

test.each(modes)('%s: the same question is answered from memory, and says so', async mode => {
  await prepare()
  const first = await ask({ mode })
  expect(first.cached).toBe(undefined)
  for (const _ of [1, 2, 3]) expect(await ask({ mode })).toEqual({ ...first, cached: true })
  const others = [{ pattern: 'need' }, { limit: 1 }, { path: 'deep' }, { ignoreCase: true }]
  for (const other of others) {
    expect((await ask({ mode, ...other })).cached).toBe(undefined)
  }
})

test.each(changes.map(([name, change], at) => [name, modes[at % 2] ?? 'regex', change] as const))(
  'never after this: %s (%s)',
  async (_, mode, change) => {
    await prepare()
    expect((await ask({ mode })).total_hits).toBe(4)
    expect((await ask({ mode })).cached).toBe(true)
    await change()
    const again = await ask({ mode })
    // A question that was never asked has no memory.
    const fresh = await ask({ mode, limit: 99 })
    expect(again.cached).toBe(undefined)
    expect(again.files).toEqual(fresh.files)
  },
)

test('nor right after a change, when times cannot tell', async () => {
  await prepare()
  for (let turn = 0; turn < 20; turn += 1) {
    writeFileSync(join(one.path, 'a.txt'), `needle ${turn % 2}\n`)
    const { files } = await ask({ path: 'a.txt' })
    expect(files[0]?.hits[0]?.text).toBe(`needle ${turn % 2}`)
  }
})

test('a change of rights alone may cost a search, and is no wrong answer', async () => {
  await prepare()
  const first = await ask()
  chmodSync(join(one.path, 'a.txt'), 0o755)
  expect((await ask()).files.map(({ path }) => path)).toEqual(first.files.map(({ path }) => path))
})

test('the thirty last questions are kept', async () => {
  await prepare()
  for (let limit = 1; limit <= 31; limit += 1) await ask({ limit })
  const kept = [(await ask({ limit: 31 })).cached, (await ask({ limit: 1 })).cached]
  expect(kept).toEqual([true, undefined])
})

test.each(modes)(
  '%s: a hit is a line of the revision that it names, whatever is written meanwhile',
  async mode => {
    await prepare()
    const forms = Array.from({ length: 7 }, (_, at) => `${'x\n'.repeat(at)}needle ${at}\n`)
    const revs = new Map<string, string>()
    for (const [at, text] of forms.entries()) {
      writeFileSync(join(one.path, 'a.txt'), text)
      revs.set(await one.rev('a.txt'), `${at + 1}:needle ${at}`)
    }
    let written = 0
    const writing = setInterval(() => {
      written += 1
      const name = join(one.path, 'a.txt')
      const text = forms[written % forms.length] ?? ''
      if (written % 2 === 0) writeFileSync(name, text)
      else replace(name, text)
    }, 1)
    const seen = new Set<string>()
    for (let turn = 0; turn < 30; turn += 1) {
      const { files } = await ask({ mode, pattern: 'needle', path: 'a.txt', limit: 10 + turn })
      // In the moment of a write it may be empty.
      for (const { rev, hits } of files) {
        const [{ line, text } = { line: 0, text: '' }] = hits
        expect([rev, `${line}:${text}`]).toEqual([rev, revs.get(rev)])
        seen.add(rev)
      }
    }
    clearInterval(writing)
    console.log(`${mode}: ${seen.size} revisions seen, ${written} written`)
    expect(seen.size).toBeGreaterThan(1)
  },
)
