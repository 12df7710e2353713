import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CommandContext } from '#src/commands/command.js'
import { search } from '#src/commands/search.js'
import { parseRepoPath } from '#src/core/repo-path.js'
import type { FileHits, SearchAnswer, Told } from '#src/report/search-view.js'
import { openGateway, refusal } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const cart = `import { tax } from './tax.js'

export class Cart {
  total(): number {
    return tax(1)
  }
}

export function total(): number {
  return tax(2)
}
`

const long = `${'x'.repeat(5_000)}needle${'y'.repeat(5_000)}`
const repository = await makeRepository({
  '.gitattributes': '*.bat text eol=crlf\n*.win text=auto\n',
  '.gitignore': 'ignored.txt\nbuild/\n',
  'src/cart.ts': cart,
  'src/tax.py': 'def tax(n):\n    return n\n',
  'docs/crlf.txt': 'one tax\r\ntwo\r\ntax\r\n',
  'run.bat': 'echo tax\necho done\n',
  'mac.txt': 'one\rtax two\rthree\r',
  'latin1.txt': Buffer.from('caf\xe9 tax\nx\n', 'latin1'),
  'utf16.txt': Buffer.from('\ufefftax\n', 'utf16le'),
  'data.bin': 'tax\0tax\n',
  'min.js': `${long}\n`,
  link: { symlink: 'src/cart.ts' },
  'a b/$(x).txt': 'tax $(touch pwned) -e --\n',
  '-dash.txt': 'tax\n',
})
const served = await openGateway(repository)
const alice = await served.open('alice')
const away = await served.open('bob', { files: 'none' })

// A search does not wait long for the parsers to start.
for (const path of ['src/cart.ts', 'src/tax.py']) {
  const file = parseRepoPath(path)
  await alice.worktree.outline(file, await alice.worktree.read(file))
}

const context: CommandContext = {
  caller: { kind: 'server' },
  signal: new AbortController().signal,
}

async function ask(input: object): Promise<SearchAnswer & Told> {
  const answer = await search.run(served.gateway, { worktree: alice.id, ...input }, context)
  if (answer.kind !== 'value') throw new Error(answer.kind)
  return answer.value as SearchAnswer & Told
}

function pathOf({ path }: FileHits): string {
  return path
}

/** The answer as text, with revisions as `rev`. */
async function text(input: object): Promise<readonly string[]> {
  const lines = search.render(await ask(input)).split('\n')
  return lines.map(line => line.replace(/ [0-9a-f]{12}$/, ' rev'))
}

const hitsOfTax = [
  '-dash.txt rev',
  '1\ttax',
  'a b/$(x).txt rev',
  '1\ttax $(touch pwned) -e --',
  'docs/crlf.txt rev',
  '1\tone tax',
  '3\ttax',
  'latin1.txt rev',
  '1\tcaf\ufffd tax',
  'mac.txt rev',
  '2\ttax two',
  'run.bat rev',
  '1\techo tax',
  'src/cart.ts rev',
  "1\timport { tax } from './tax.js'",
  'in Cart/total L4-6',
  '5\t    return tax(1)',
  'in total L9-11',
  '10\t  return tax(2)',
  'src/tax.py rev',
  'in tax L1-2',
  '1\tdef tax(n):',
  'utf16.txt rev',
  '1\ttax',
  '(not shown: 1 file binary)',
]

describe('hits by file, with line, revision and the symbol around', () => {
  test.each(['literal', 'regex'])('%s, with files and without', async mode => {
    expect(await text({ pattern: 'tax', mode })).toEqual(hitsOfTax)
    expect(await text({ pattern: 'tax', mode, worktree: away.id })).toEqual(hitsOfTax)
  })

  test('each file has the revision that a read answers, so that an edit can follow', async () => {
    const { files, engine, truncated } = await ask({ pattern: 'tax' })
    expect([engine, truncated]).toEqual(['git grep', false])
    for (const { path, rev } of files) expect(rev).toBe(await alice.rev(path))
    expect(files.length).toBe(9)
  })

  test('an edit lands by what a search answered alone', async () => {
    const { open } = served
    const { worktree, apply } = await open('editor')
    const { files } = await ask({ pattern: 'return n', worktree: worktree.id })
    const { path = '', rev = '', hits = [] } = files[0] ?? {}
    const line = hits[0]?.line ?? 0
    const edit = { op: 'replace_lines', path, expected_rev: rev } as const
    const lines = { start_line: line, end_line: line, text: '    return 2 * n\n' }
    const receipt = await apply([{ ...edit, ...lines }])
    expect(receipt.files).toMatchObject([{ path: 'src/tax.py', status: 'modified' }])
  })
})

test.each<[string, object, readonly string[]]>([
  ['a directory', { pattern: 'return', path: 'src' }, ['src/cart.ts', 'src/tax.py']],
  ['a file', { pattern: 'return', path: 'src/tax.py' }, ['src/tax.py']],
  ['no such place', { pattern: 'return', path: 'nothing' }, []],
  ['a place that only begins so', { pattern: 'return', path: 'sr' }, []],
  ['a glob', { pattern: 'tax', glob: '*.{py,bat}' }, ['run.bat', 'src/tax.py']],
  ['any case', { pattern: 'RETURN TAX', case: 'ignore' }, ['src/cart.ts']],
  ['its own case', { pattern: 'RETURN TAX' }, []],
  ['what looks like a pattern', { pattern: 'tax(1)' }, ['src/cart.ts']],
  ['what looks like an option', { pattern: '-e --' }, ['a b/$(x).txt']],
  ['an option alone', { pattern: '--' }, ['a b/$(x).txt']],
])('ARG-1: taken as it is said: %s', async (_, input, paths) => {
  for (const mode of ['literal', 'regex']) {
    const pattern = (input as { pattern: string }).pattern
    const said = mode === 'regex' ? pattern.replace(/[()]/g, '\\$&') : pattern
    const { files } = await ask({ ...input, pattern: said, mode })
    expect([mode, files.map(pathOf)]).toEqual([mode, paths])
  }
})

test.each<[string, object, string | undefined]>([
  [
    'a misspelt file',
    { path: 'src/crat.ts' },
    'git lists no file at or below src/crat.ts: there is src/cart.ts',
  ],
  [
    'a directory that nobody has',
    { path: 'zzz' },
    'git lists no file at or below zzz: search without path',
  ],
  [
    'symbols of no place',
    { path: 'zzz', mode: 'symbols' },
    'git lists no file at or below zzz: search without path',
  ],
  ['a misspelt directory', { path: 'doc' }, 'git lists no file at or below doc: there is docs'],
  ['a file without a hit', { path: 'src/tax.py' }, undefined],
  ['a directory without a hit', { path: 'docs' }, undefined],
  ['no file with a hit', {}, undefined],
])('nothing found in %s', async (_, where, told) => {
  const asked = { pattern: 'quite_another_word', ...where }
  for (const time of ['first', 'from memory']) {
    const answer = await ask(asked)
    expect([time, answer.total_hits, answer.go_on]).toEqual([time, 0, told])
    const lines = search.render(answer).split('\n')
    expect(lines[0]).toBe('nothing found')
    if (told !== undefined) expect(lines[1]).toBe(`(${told})`)
  }
})

test.each([
  ['an end of line before CRLF', { pattern: 'tax$', path: 'docs' }, ['1\tone tax', '3\ttax']],
  [
    'a beginning in a later file',
    { pattern: '^def', path: 'src' },
    ['in tax L1-2', '1\tdef tax(n):'],
  ],
  [
    'classes',
    { pattern: '\\btax\\(\\d\\)', path: 'src' },
    ['in Cart/total L4-6', '5\t    return tax(1)', 'in total L9-11', '10\t  return tax(2)'],
  ],
])('a pattern: %s', async (_, input, lines) => {
  const [, ...rest] = await text({ mode: 'regex', ...input })
  expect(rest).toEqual(lines)
})

describe('what says by its mark that it is UTF-16 is searched', async () => {
  const words = ['tax', 'a', 'Zürich', 'naïve *.ts', '漢字', 'ਊ', 'ċ\u0a0a', '𝒳y', '\\d+', 'a\tb']
  const encodings = { le: ['\ufeff', false], be: ['\ufeff', true] } as const
  const bytesOf = (text: string, isBig: boolean): Buffer => {
    const bytes = Buffer.from(text, 'utf16le')
    return isBig ? bytes.swap16() : bytes
  }
  const files = Object.fromEntries(
    words.flatMap((word, at) =>
      Object.entries(encodings).map(([name, [mark, isBig]]) => [
        `${at}.${name}.txt`,
        bytesOf(`${mark}first\r\nsecond ${word} there\r\n`, isBig),
      ]),
    ),
  )
  const others = await openGateway(await makeRepository(files))
  const one = await others.open('alice')
  const absent = await others.open('bob', { files: 'none' })
  const find = async (input: object): Promise<readonly FileHits[]> => {
    const answer = await search.run(others.gateway, { worktree: one.id, ...input }, context)
    return answer.kind === 'value' ? (answer.value as SearchAnswer).files : []
  }

  test.each(words)('%j', async word => {
    const pattern = word.replace(/[\\*.+]/g, '\\$&')
    const own = [`${words.indexOf(word)}.be.txt`, `${words.indexOf(word)}.le.txt`]
    for (const worktree of [one.id, absent.id]) {
      for (const input of [{ pattern: word }, { pattern, mode: 'regex' }]) {
        const found = await find({ ...input, worktree })
        const isOnlyTheirs = word.length > 1
        const paths = found.map(pathOf).filter(path => isOnlyTheirs || own.includes(path))
        expect([input, paths]).toEqual([input, own])
        const hit = found.find(({ path }) => path === own[0])?.hits[0]
        expect(hit).toMatchObject({ line: 2, column: 8, text: `second ${word} there` })
      }
    }
  })

  test('in any case too', async () => {
    expect((await find({ pattern: 'SECOND TAX', case: 'ignore' })).map(pathOf)).toEqual([
      '0.be.txt',
      '0.le.txt',
    ])
  })
})

describe('what stands in another encoding than its blob is searched as it is served', async () => {
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
  const many = Array.from({ length: 70 }, (_, at) => [
    `many/${at}.txt`,
    Buffer.from(`pêche ${at}\n`, 'latin1'),
  ])
  const others = await openGateway(
    await makeRepository({
      'deep/.gitattributes': '*.u16 text working-tree-encoding=UTF-16LE\n',
      'many/.gitattributes': '*.txt text working-tree-encoding=ISO-8859-1\n',
      'deep/a.u16': utf16('one\ntwo needle é\n'),
      'deep/b.txt': 'needle\n',
      ...Object.fromEntries(many),
    }),
  )
  const one = await others.open('alice')
  const find = async (input: object): Promise<SearchAnswer> => {
    const answer = await search.run(others.gateway, { worktree: one.id, ...input }, context)
    if (answer.kind !== 'value') throw new Error(answer.kind)
    return answer.value as SearchAnswer
  }
  const lines = ({ files }: SearchAnswer): readonly string[] =>
    files.flatMap(({ path, hits }) => hits.map(({ line, text }) => `${path}:${line}:${text}`))

  test.each([
    ['needle', 'literal', ['deep/a.u16:2:two needle é', 'deep/b.txt:1:needle']],
    ['needle é', 'literal', ['deep/a.u16:2:two needle é']],
    ['ne+dle', 'regex', ['deep/a.u16:2:two needle é', 'deep/b.txt:1:needle']],
    ['^one$', 'regex', ['deep/a.u16:1:one']],
  ])('%s, %s', async (pattern, mode, expected) => {
    const answer = await find({ pattern, mode, path: 'deep' })
    expect(lines(answer)).toEqual(expected)
    expect(answer).toMatchObject({ total_hits: expected.length, total_files: expected.length })
    expect(answer.files[0]?.rev).toBe(await one.rev('deep/a.u16'))
  })

  test('changed files and new ones, too', async () => {
    writeFileSync(join(one.path, 'deep/a.u16'), utf16('changed é\n'))
    writeFileSync(join(one.path, 'deep/new.u16'), utf16('new é\n'))
    const answer = await find({ pattern: 'é', path: 'deep' })
    expect(lines(answer)).toEqual(['deep/a.u16:1:changed é', 'deep/new.u16:1:new é'])
  })

  test('of very many some are not, and are counted', async () => {
    const answer = await find({ pattern: 'pêche', path: 'many', limit: 100 })
    expect(answer).toMatchObject({ total_files: 64, skipped: { encoded: 6 } })
    expect(search.render(answer as SearchAnswer & Told)).toContain(
      '(not shown: 6 files in an encoding that was not searched)',
    )
  })
})

test('lines around a hit are told once each', async () => {
  const { files } = await ask({ pattern: 'return tax', context: 2, path: 'src/cart.ts' })
  expect(files[0]?.hits.map(({ before, line, after }) => [before, line, after])).toEqual([
    [['export class Cart {', '  total(): number {'], 5, ['  }', '}']],
    [['', 'export function total(): number {'], 10, ['}']],
  ])
  expect((await text({ pattern: 'two', context: 1, path: 'docs' })).slice(1)).toEqual([
    '1-\tone tax',
    '2\ttwo',
    '3-\ttax',
  ])
})

test('a long line is cut around the hit', async () => {
  for (const mode of ['literal', 'regex']) {
    const { files } = await ask({ pattern: 'needle', mode })
    expect(files[0]?.hits[0]).toMatchObject({ line: 1, column: 5_001 })
    expect(files[0]?.hits[0]?.text).toMatch(/^…x{60}needley{174}…$/)
  }
})

describe('names of symbols that do not fit into one answer', async () => {
  const { worktree, apply } = await served.open('namesakes')
  const texts = ['function totalOf() {\n}\n', 'function total() {\n}\nfunction totalAll() {\n}\n']
  await apply(
    Array.from({ length: 30 }, (_, at) => ({
      op: 'write_file' as const,
      path: `names/${String(at).padStart(2, '0')}.js`,
      expected_rev: null,
      text: texts[at % 2] ?? '',
    })),
  )
  const names = { pattern: 'total', mode: 'symbols', path: 'names', worktree: worktree.id }

  test('are told one answer after another, those that fit best first', async () => {
    const whole = await ask({ ...names, limit: 1_000, max_bytes: 49_152 })
    expect(whole).toMatchObject({ total_hits: 45, total_files: 30, truncated: false })
    const seen: FileHits[] = []
    for (let after = ''; ; ) {
      const page = await ask({ ...names, after, limit: 8 })
      expect(page).toMatchObject({ total_hits: 45, total_files: 30 })
      expect(page.truncated).toBe(page.next !== undefined)
      seen.push(...page.files)
      if (page.next === undefined) break
      expect(page.go_on).toContain(`after=${page.next}`)
      after = page.next
    }
    expect(seen).toEqual(whole.files)
  })

  test('a file that is none of them is refused', async () => {
    const refused = await refusal(ask({ ...names, after: 'names/99.js' }))
    expect(refused).toMatchObject({ code: 'INVALID_ARGUMENTS', problems: [{ field: 'after' }] })
  })
})

test('names of symbols', async () => {
  expect(await text({ pattern: 'total', mode: 'symbols' })).toEqual([
    'src/cart.ts rev',
    '4-6 method Cart/total',
    '9-11 function total',
  ])
})

test.each([
  ['nothing', { pattern: '' }, 'INVALID_ARGUMENTS'],
  ['a line break', { pattern: 'a\nb' }, 'INVALID_ARGUMENTS'],
  ['NUL', { pattern: 'a\0b' }, 'INVALID_ARGUMENTS'],
  ['a bad pattern', { pattern: 'a(', mode: 'regex' }, 'INVALID_ARGUMENTS'],
  ['a break in a pattern', { pattern: 'a\\nb', mode: 'regex' }, 'INVALID_ARGUMENTS'],
  ['look-around', { pattern: '(?=a)b', mode: 'regex' }, 'INVALID_ARGUMENTS'],
  ['a back-reference', { pattern: '(a)\\1', mode: 'regex' }, 'INVALID_ARGUMENTS'],
  [
    'a pattern that would be huge',
    { pattern: '(a{1000}){1000}', mode: 'regex' },
    'INVALID_ARGUMENTS',
  ],
  ['a path that leads out', { pattern: 'tax', path: '../x' }, 'BAD_PATH'],
  ['a slash at the end', { pattern: 'tax', path: 'src/' }, 'BAD_PATH'],
  ['an absolute path', { pattern: 'tax', path: '/etc' }, 'BAD_PATH'],
  ["git's own files", { pattern: 'tax', path: '.git' }, 'PROTECTED_PATH'],
  ['a bad glob', { pattern: 'tax', glob: '{a,b}'.repeat(40) }, 'INVALID_ARGUMENTS'],
])('refused: %s', async (_, input, code) =>
  expect(await refusal(ask(input))).toMatchObject({ code }),
)

test('a refused pattern says what the engine says', async () => {
  const problem = async (pattern: string): Promise<unknown> =>
    (await refusal(ask({ pattern, mode: 'regex' }))).problems
  const told = (problem: unknown): unknown => [{ field: 'pattern', problem }]
  expect(await problem('a(')).toEqual(told('unclosed group'))
  expect(await problem('(?<!a)b')).toEqual(
    told(expect.stringMatching(/^look-around.* not supported/)),
  )
})

describe('what is on the disk is what is found', async () => {
  const { path: root, id, rev } = await served.open('drift')
  const outside = await makeRepository({ 'secret.ts': 'fresh secret\n' })
  const at = (name: string): string => join(root, name)
  writeFileSync(at('src/tax.py'), 'def fresh(n):\n    return n\n')
  writeFileSync(at('run.bat'), 'echo fresh\r\necho tax\r\n')
  writeFileSync(at('new.txt'), 'fresh\n')
  mkdirSync(at('new dir/below'), { recursive: true })
  writeFileSync(at('new dir/below/x.txt'), 'fresh below\n')
  writeFileSync(at('ignored.txt'), 'fresh ignored\n')
  mkdirSync(at('build'))
  writeFileSync(at('build/x.txt'), 'fresh build\n')
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff])]), 'fresh odd\n')
  symlinkSync(join(outside.path, 'secret.ts'), at('leak.ts'))
  renameSync(at('docs'), at('moved'))
  symlinkSync(outside.path, at('docs'))
  rmSync(at('src/cart.ts'))
  symlinkSync(join(outside.path, 'secret.ts'), at('src/cart.ts'))
  rmSync(at('latin1.txt'))
  rmSync(at('-dash.txt'))
  execFileSync('mkfifo', [at('-dash.txt'), at('pipe')])
  test.each(['literal', 'regex'])('PATH-3, PATH-7: %s', async mode => {
    const found = await text({ pattern: 'fresh', mode, worktree: id })
    expect(found).toEqual([
      'new dir/below/x.txt rev',
      '1\tfresh below',
      'new.txt rev',
      '1\tfresh',
      'run.bat rev',
      '1\techo fresh',
      'src/tax.py rev',
      'in fresh L1-2',
      '1\tdef fresh(n):',
      '(not shown: 1 file with names that are not UTF-8)',
    ])
    const { files, total_hits: total } = await ask({ pattern: 'fresh', mode, worktree: id })
    expect(total).toBe(4)
    for (const { path, rev: told } of files) expect(told).toBe(await rev(path))
    const behind = { pattern: 'fresh', mode, worktree: id, path: 'docs/secret.ts' }
    expect(await ask(behind)).toMatchObject({ files: [], total_hits: 0 })
    const tax = await ask({ pattern: 'tax', mode, worktree: id })
    expect(tax.files.map(pathOf)).toEqual([
      'a b/$(x).txt',
      'mac.txt',
      'moved/crlf.txt',
      'run.bat',
      'utf16.txt',
    ])
  })
})

describe('budgets', async () => {
  const { worktree, apply } = await served.open('many')
  const numbered = (count: number): string =>
    Array.from({ length: count }, (_, at) => `hit ${at}\n`).join('')
  await apply(
    Array.from({ length: 150 }, (_, at) => ({
      op: 'write_file' as const,
      path: `many/${String(at).padStart(3, '0')}.txt`,
      expected_rev: null,
      text: numbered(5),
    })),
  )
  const many = { pattern: 'hit', path: 'many', worktree: worktree.id }

  test.each(['literal', 'regex'])('%s: what is left is counted, and how to get it', async mode => {
    const first = await ask({ ...many, mode, limit: 20 })
    expect(first).toMatchObject({ shown_hits: 20, total_hits: 750, total_files: 150 })
    expect(first).toMatchObject({ truncated: true, next: 'many/006.txt' })
    expect(first.go_on).toContain('after=many/006.txt')
    expect(first.files[0]).toMatchObject({ path: 'many/000.txt', more_hits: 2 })
    const seen: string[] = []
    for (let after = ''; ; ) {
      const page = await ask({ ...many, mode, after, max_bytes: 4_000 })
      const { files, next } = page
      expect(search.render(page).length).toBeLessThanOrEqual(4_000)
      seen.push(...files.map(pathOf))
      if (next === undefined) break
      after = next
    }
    expect([seen.length, new Set(seen).size]).toEqual([150, 150])
  })

  test('one file is shown whole where it is asked for', async () => {
    const answer = await ask({ ...many, path: 'many/000.txt', limit: 5 })
    expect(answer).toMatchObject({ shown_hits: 5, truncated: false })
  })

  test('one hit is shown however small the budget', async () => {
    const answer = await ask({ pattern: 'needle', max_bytes: 500, context: 3 })
    expect(answer.shown_hits).toBe(1)
  })
})

test('DOS-3: a pattern takes as long as what it reads', async () => {
  const { worktree, apply } = await served.open('slow')
  const path = 'a.txt'
  await apply([{ op: 'write_file', path, expected_rev: null, text: `${'a'.repeat(3_000)}!\n` }])
  const patterns = ['(a+)+$', '(a|a)*b$', '(x+x+)+y', '([a-zA-Z]+)*[0-9]$', '(.*)*(.*)*(.*)*z']
  for (const pattern of patterns) {
    const { shown_hits: shown } = await ask({ pattern, mode: 'regex', path, worktree: worktree.id })
    expect([pattern, shown]).toEqual([pattern, 0])
  }
})

test('EXEC-1: what is searched has no say in how', async () => {
  const { path: root, id } = await served.open('planted')
  writeFileSync(join(root, '.rgignore'), '*\n')
  writeFileSync(join(root, '.ignore'), '*\n')
  writeFileSync(join(root, '.ripgreprc'), '--pre=touch\n--ignore-case\n--max-count=0\n')
  process.env.RIPGREP_CONFIG_PATH = join(root, '.ripgreprc')
  const { files, engine } = await ask({ pattern: 'tax\\(', mode: 'regex', worktree: id })
  delete process.env.RIPGREP_CONFIG_PATH
  expect([engine, files.length]).toEqual(['ripgrep', 2])
})

test('the same answer is not told twice to who still has it', async () => {
  const { result } = await ask({ pattern: 'tax' })
  const again = await ask({ pattern: 'tax', if_result: result })
  expect(again).toMatchObject({ pattern: 'tax', mode: 'literal', same: true, result })
  expect(search.render(again)).toMatch(/^same as before/)
  expect(await ask({ pattern: 'tax', if_result: 'other' })).toMatchObject({ result, files: {} })
})
