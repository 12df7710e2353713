import { describe, expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { defaultLimits } from '#src/core/limits.js'
import { type Layer, resolveSettings } from '#src/settings/layers.js'
import { repositoryOptions } from '#src/settings/options-of.js'
import { readDocument } from '#src/settings/read-document.js'
import { readEnvironment, strangersIn } from '#src/settings/read-environment.js'
import { settingNames, settingOf, settings, variableOf } from '#src/settings/table.js'

const read = (from: 'user' | 'repository', text: string): Layer =>
  readDocument({ file: '/f', from, bytes: new TextEncoder().encode(text) })

function refusedWith(work: () => unknown): Readonly<Record<string, unknown>> {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, ...error.data }
    throw error
  }
  return { code: 'not refused' }
}

describe('the table', () => {
  test.each(settingNames)('%s has a default that fits, a flag and a variable of its own', name => {
    const { initial, kind, flag, about, initially } = settingOf(name)
    if (initial !== undefined) expect(kind.schema.safeParse(initial).success).toBe(true)
    expect([flag, about, initially]).not.toContain('')
    expect(settingNames.filter(other => settingOf(other).flag === flag)).toEqual([name])
    expect(variableOf(name)).toMatch(/^EDITLATCH_[A-Z_]+$/)
  })

  test('a repository never says who may ask, what may run, or where something lies', () => {
    const said = settingNames.filter(name => settings[name].files === 'user and repository')
    expect(said).toEqual([
      'max_level',
      'min_similarity',
      'fold_unicode',
      'dialects',
      'anchors',
      'syntax_check',
      'maintenance',
      'index',
      'watch',
      'branch_prefix',
    ])
  })
})

describe('a file', () => {
  test('says what it says, with its schema at will', () => {
    const text = '{"$schema": "x", "max_level": "exact", "limits": {"readBytes": 7}}'
    expect(read('user', text)).toEqual({
      from: 'user',
      file: '/f',
      values: { max_level: 'exact', limits: { readBytes: 7 } },
    })
  })

  test.each([
    ['not JSON', '{', { problem: 'the file ends early', expected: 'a JSON object' }],
    ['no object', '[]', { problem: 'the file must be a JSON object', expected: 'a JSON object' }],
    ['a comment', '{} // no', { problem: 'the file is not JSON', expected: 'a JSON object' }],
    [
      'a key twice',
      '{"port": 1, "p\\u006frt": 2}',
      { problem: 'a key stands twice in one object', expected: 'a JSON object' },
    ],
    ['a slip', '{"maxLevel": "exact"}', { key: 'maxLevel', did_you_mean: 'max_level' }],
    ['another slip', '{"similarity": 1}', { key: 'similarity', did_you_mean: 'min_similarity' }],
    ['a stranger', '{"zzz": 1}', { key: 'zzz', known: expect.arrayContaining(['port']) }],
    [
      'a word for a number',
      '{"port": "80"}',
      { key: 'port', expected: 'a whole number from 0 to 65535' },
    ],
    ['a number too large', '{"port": 70000}', { key: 'port' }],
    ['a word for a toggle', '{"watch": "no"}', { key: 'watch', expected: 'true or false' }],
    ['null', '{"watch": null}', { key: 'watch' }],
    ['an unknown level', '{"max_level": "luck"}', { key: 'max_level' }],
    ['an unknown limit', '{"limits": {"luck": 1}}', { key: 'limits' }],
    ['a limit below zero', '{"limits": {"readBytes": -1}}', { key: 'limits', at: 'readBytes' }],
    ['no dialect', '{"dialects": []}', { key: 'dialects' }],
    ['a dialect twice', '{"dialects": ["ops", "ops"]}', { key: 'dialects' }],
    ['a line break', '{"host": "a\\nb"}', { key: 'host' }],
    ['a path from nowhere', '{"worktrees": "../w"}', { key: 'worktrees' }],
    ['two paths, one from nowhere', '{"trusted": ["/a", "b"]}', { key: 'trusted' }],
    ['a way out', '{"branch_prefix": "../../x"}', { key: 'branch_prefix' }],
    ['an end of git’s', '{"branch_prefix": "a/b.lock"}', { key: 'branch_prefix' }],
    ['a secret', '{"token": "t"}', { key: 'token', expected: 'a variable or a flag' }],
    ['__proto__', '{"__proto__": {}}', { problem: 'a key is called __proto__' }],
    ['a method of objects', '{"constructor": 1}', { key: 'constructor' }],
  ])('with %s is refused', (_, text, told) => {
    expect(refusedWith(() => read('user', text))).toMatchObject({
      code: 'INVALID_SETTINGS',
      file: '/f',
      ...told,
    })
  })

  test.each(settingNames.filter(name => settings[name].files !== 'user and repository'))(
    'of a repository may not say %s',
    name => {
      const text = JSON.stringify({ [name]: settingOf(name).initial ?? 'x' })
      expect(refusedWith(() => read('repository', text))).toMatchObject({
        code: 'INVALID_SETTINGS',
        key: name,
        problem: 'this file may not say it',
      })
    },
  )
})

describe('the environment', () => {
  test('says settings as text', () => {
    const environment = {
      EDITLATCH_PORT: '80',
      EDITLATCH_WATCH: 'no',
      EDITLATCH_DIALECTS: 'opencode, ops',
      EDITLATCH_ALLOW_PROTECTED: '.github/**,{a,b}.md',
      EDITLATCH_LIMITS: 'readBytes=7,batchOps=3',
      EDITLATCH_HOST: '',
      PORT: '81',
    }
    expect(readEnvironment(environment).values).toEqual({
      port: 80,
      watch: false,
      dialects: ['opencode', 'ops'],
      allow_protected: ['.github/**', '{a,b}.md'],
      limits: { readBytes: 7, batchOps: 3 },
    })
  })

  test.each([
    ['EDITLATCH_PORT', '0x50'],
    ['EDITLATCH_WATCH', 'perhaps'],
    ['EDITLATCH_LIMITS', 'luck=1'],
    ['EDITLATCH_LIMITS', 'readBytes'],
    ['EDITLATCH_DIALECTS', 'ops,luck'],
    ['EDITLATCH_MIN_SIMILARITY', '1.5'],
  ])('%s=%s is refused', (variable, said) => {
    expect(refusedWith(() => readEnvironment({ [variable]: said }))).toMatchObject({
      code: 'INVALID_SETTINGS',
      variable,
      expected: expect.any(String),
    })
  })

  test('variables that only look like ours are told', () => {
    const strangers = strangersIn({
      EDITLATCH_MAXLEVEL: 'x',
      EDITLATCH_PORT: '1',
      EDITLATCH_Q: 'y',
      EDITLATCH_EMPTY: '',
    })
    expect(strangers).toEqual([
      { variable: 'EDITLATCH_MAXLEVEL', nearest: 'EDITLATCH_MAX_LEVEL' },
      { variable: 'EDITLATCH_Q' },
    ])
  })
})

describe('of several layers', () => {
  const flags: Layer = { from: 'flags', values: { max_level: 'exact', limits: { readBytes: 1 } } }
  const environment: Layer = { from: 'environment', values: { port: 80, max_level: 'exact' } }
  const repository: Layer = {
    from: 'repository',
    file: '/r',
    values: { max_level: 'line_trimmed' },
  }
  const user: Layer = {
    from: 'user',
    file: '/u',
    values: { port: 81, host: '::1', limits: { readBytes: 2, batchOps: 3 } },
  }
  const resolved = resolveSettings([flags, environment, repository, user])

  test('the first that says a setting decides, and limits one by one', () => {
    expect(resolved.settings).toMatchObject({
      max_level: 'exact',
      port: 80,
      host: '::1',
      limits: { readBytes: 1, batchOps: 3 },
      durability: 'power',
    })
  })

  test('who said it is known', () => {
    expect(resolved.sources).toMatchObject({
      max_level: 'flag --max-level',
      port: 'environment EDITLATCH_PORT',
      host: 'file /u',
      limits: 'flag --limit, file /u',
      durability: 'default',
    })
  })

  test('what is overridden by something else is told, and nothing that agrees', () => {
    const told = resolved.overrides.map(({ name, by, over }) => [name, by, over])
    expect(told).toEqual([
      ['port', 'environment EDITLATCH_PORT', 'file /u'],
      ['limits', 'flag --limit', 'file /u'],
      ['max_level', 'flag --max-level', 'file /r'],
    ])
  })

  test('a default is there to be overridden, and what a command never does is nobody’s choice', () => {
    const layers: readonly Layer[] = [
      { from: 'face', values: { watch: false } },
      { from: 'flags', values: { token_file: '/a' } },
      { from: 'user', file: '/u', values: { watch: true } },
      { from: 'defaults', values: { token_file: '/b' } },
    ]
    const { settings: chosen, overrides } = resolveSettings(layers)
    expect([chosen.token_file, chosen.watch, overrides]).toEqual(['/a', false, []])
  })

  test('a secret is told by nobody', () => {
    const layers: readonly Layer[] = [
      { from: 'flags', values: { token: 'hush' } },
      { from: 'environment', values: { token: 'other' } },
    ]
    expect(resolveSettings(layers).overrides).toEqual([])
  })

  test('without any the defaults hold', () => {
    const { settings: plain, sources } = resolveSettings([])
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']))
    expect(repositoryOptions(plain)).toEqual({
      branchPrefix: 'agent',
      matching: { maxLevel: 'block_anchor', minSimilarity: 0.7, unicode: false },
      anchors: 'chunk',
      syntaxMs: 150,
      maintenance: true,
      indexing: true,
      watching: true,
    })
    expect({ ...defaultLimits, ...plain.limits }).toEqual(defaultLimits)
  })
})
