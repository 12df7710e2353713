import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { SearchAnswer } from '#src/report/search-view.js'
import { openGateway, type TestWorktree } from './gateway.js'
import { type Random, seededRandom } from './random.js'
import { makeRepository } from './repository.js'

/** How much was compared. */
export interface Compared {
  /** Lists and searches that were compared with what git says just then. */
  readonly answers: number
  /** Lists among them for which git did not walk again. */
  readonly kept: number
}

/** Longer than two changes need to have different times. */
const restMs = 30

/**
 * Changes what is in a worktree behind the gateway's back, and compares each list and search by pattern with git's own
 * list of that moment: at once, and again when what was listed may be kept.
 */
export async function compareWithGit(seed: number, changes: number): Promise<Compared> {
  const random = seededRandom(seed)
  const repository = await makeRepository({
    '.gitignore': '*.log\nhidden/\n',
    'a.txt': 'needle\n',
    'one/b.txt': 'needle\n',
    'one/two/c.txt': 'nothing\n',
    'three/d.txt': 'needle\n',
  })
  const served = await openGateway(repository, { secondReader: false })
  const alice = await served.open('alice')
  const exclude = join(repository.path, '.git/info/exclude')
  let answers = 0
  let kept = 0
  const check = async (what: string): Promise<void> => {
    const before = alice.worktree.checkout.keptListing.walks
    await compare(alice, `seed ${seed}: ${what}`)
    answers += 2
    if (alice.worktree.checkout.keptListing.walks === before) kept += 1
  }
  for (let done = 0; done < changes; done += 1) {
    const name = change({ random, root: alice.path, exclude })
    await check(`${done}. ${name}`)
    if (random.int(0, 3) > 0) continue
    for (const _ of [1, 2]) {
      await sleep(restMs)
      await check(`${done}. ${name}, at rest`)
    }
  }
  await served.close()
  return { answers, kept }
}

async function compare({ worktree, path }: TestWorktree, what: string): Promise<void> {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const names = execFileSync('git', listing, { cwd: path, encoding: 'utf8' }).split('\0')
  const expected = names.slice(0, -1).sort()
  const { files } = await worktree.files({})
  expect([what, ...files]).toEqual([what, ...expected])
  const query = { pattern: 'need[l]e', mode: 'regex', path: '', ignoreCase: false } as const
  const budget = { context: 0, limit: 1_000, maxBytes: 49_152 }
  const found = (await worktree.survey.search({ ...query, ...budget })) as SearchAnswer
  const holding = expected.filter(name => holdsNeedle(path, name))
  expect([what, ...found.files.map(file => file.path)]).toEqual([what, ...holding])
}

/** In a file that no link leads to. */
function holdsNeedle(root: string, name: string): boolean {
  const names = name.split('/').filter(one => one !== '')
  const above = names.slice(0, -1).map((_, at) => join(root, ...names.slice(0, at + 1)))
  const isBelow = above.every(one => lstat(one)?.isDirectory())
  const path = join(root, ...names)
  return isBelow && lstat(path)?.isFile() === true && readFileSync(path, 'utf8').includes('needle')
}

interface World {
  readonly random: Random
  readonly root: string
  readonly exclude: string
}

/** Makes one change, or none where it does not apply, and names it. */
function change({ random, root, exclude }: World): string {
  const [name, act] = random.pick(changes)
  const at = (): string => join(root, random.pick(places))
  const directory = (): string => join(root, random.pick(directories.slice(1)))
  try {
    act({
      random,
      at,
      directory,
      git: (...args) => void execFileSync('git', args, { cwd: root, stdio: 'ignore' }),
      exclude,
    })
  } catch {
    return `${name} (not done)`
  }
  return name
}

interface Acting {
  readonly random: Random
  /** A file of some directory. */
  readonly at: () => string
  /** One below the root. */
  readonly directory: () => string
  readonly git: (...args: readonly string[]) => void
  readonly exclude: string
}

const directories = ['', 'one/', 'one/two/', 'three/', 'new/', 'new/deep/er/', 'hidden/', 'own/']
const places = directories.flatMap(one => ['a.txt', 'b.txt', 'x.log'].map(name => one + name))
const rules = ['*.txt\n', 'one/\n', 'new\n', '!x.log\n', 'deep/\n', '# nothing\n', '']

const changes: readonly (readonly [string, (acting: Acting) => void])[] = [
  ['a file is written', ({ at }) => write(at(), 'needle\n')],
  ['a file is written otherwise', ({ at }) => write(at(), 'other\n')],
  ['a file is removed', ({ at }) => rmSync(at())],
  ['a file is renamed', ({ at }) => renameSync(at(), at())],
  ['a directory is made', ({ directory }) => mkdirSync(directory(), { recursive: true })],
  ['a directory is removed', ({ directory }) => rmSync(directory(), { recursive: true })],
  [
    'a directory is renamed',
    ({ directory }) => renameSync(directory(), join(directory(), '../moved')),
  ],
  ['a directory becomes a link', ({ directory }) => link(directory(), directory())],
  ['a list of ignored files', ({ at, random }) => ignore(at(), random.pick(rules))],
  ['a longer one', ({ at, random }) => appendFileSync(ignoring(at()), random.pick(rules))],
  ['none', ({ at }) => rmSync(ignoring(at()))],
  ["the repository's own list", ({ exclude, random }) => write(exclude, random.pick(rules))],
  ['all is added', ({ git }) => git('add', '--all')],
  ['one is added', ({ git, at }) => git('add', '--force', '--', at())],
  ['one is no longer tracked', ({ git, at }) => git('rm', '-q', '--cached', '--', at())],
  ['a commit', ({ git }) => git('commit', '-q', '--allow-empty', '-m', 'x')],
  ['a reset', ({ git }) => git('reset', '-q', '--hard')],
  ['another repository', ({ git, directory }) => git('init', '-q', directory())],
  ['the beginning of one', ({ directory }) => mkdirSync(join(directory(), '.git'))],
  ['none any more', ({ directory }) => rmSync(join(directory(), '.git'), { recursive: true })],
]

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function ignoring(path: string): string {
  return join(dirname(path), '.gitignore')
}

function ignore(path: string, rule: string): void {
  write(ignoring(path), rule)
}

function link(path: string, target: string): void {
  rmSync(path, { recursive: true })
  symlinkSync(target, path.replace(/\/$/, ''))
}

function lstat(path: string): ReturnType<typeof lstatSync> | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
