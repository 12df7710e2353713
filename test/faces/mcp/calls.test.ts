import { describe, expect, test } from 'vitest'
import { toolList } from '#src/commands/tool-list.js'
import { Refusal } from '#src/core/errors.js'
import { fixedLimits } from '#src/core/limits.js'
import { refusalResult, toolResult } from '#src/faces/mcp/tool-result.js'
import { openGateway } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'
import { connect } from './client.js'

const long = Array.from({ length: 9_000 }, (_, at) => `line ${at} of a long file`).join('\n')
const repository = await makeRepository({
  'a.txt': 'one\ntwo\nthree\n',
  'long.txt': `${long}\n`,
  'icon.bin': new Uint8Array([0, 255, 1]),
})
const { gateway, open } = await openGateway(repository)
const { call, client } = await connect(gateway)
const repo = repository.path.slice(repository.path.lastIndexOf('/') + 1)
const own = `${repo}~test-client`

const edit = (rev: string, find: string, replace: string): Record<string, unknown> => ({
  edits: [{ op: 'replace_text', path: 'a.txt', expected_rev: rev, find, replace }],
})

describe('a worktree of its own', () => {
  test('is there from the first edit on, without any ceremony, and named in each answer', async () => {
    const rev = await repository.git('rev-parse', 'HEAD:a.txt')
    const first = await call('edit_files', edit(rev, 'one', 'eins'))
    expect(first.text).toMatch(
      `worktree ${own} (opened just now: branch agent/test-client, directory `,
    )
    expect(first.data).toMatchObject({ worktree: own, files: [{ path: 'a.txt' }] })
    const second = await call('edit_files', edit(first.data.files[0].after_rev, 'two', 'zwei'))
    expect(second.text).toMatch(`worktree ${own}\ncommit ${second.data.commit.slice(0, 12)}\n`)
    expect(await repository.git('show', 'agent/test-client:a.txt')).toBe('eins\nzwei\nthree')
  })

  test('is not taken where another is named', async () => {
    const { id } = await open('named')
    const answer = await call('read_file', { worktree: id, path: 'a.txt' })
    expect([answer.data.worktree, answer.data.text]).toEqual([undefined, 'one\ntwo\nthree\n'])
  })

  test.each([
    ['Claude Code (beta)', 'claude-code-beta'],
    ['../../x', 'x'],
    ['ΑΒΓ opencode', 'opencode'],
    ['x'.repeat(300), 'x'.repeat(64)],
  ])('is called after the client %j', async (name, agent) => {
    const other = await connect(gateway, { name })
    expect((await other.call('worktree_state')).data).toMatchObject({
      worktree: `${repo}~${agent}`,
    })
  })

  test('is the one that the client stands in', async () => {
    const bob = await open('bob')
    const other = await connect(gateway, { directory: `${bob.path}/src` })
    expect((await other.call('worktree_state')).data).toMatchObject({ worktree: bob.id })
  })

  test('cannot be told for a client without a name', async () => {
    const other = await connect(gateway, { name: '???' })
    const answer = await other.call('read_file', { path: 'a.txt' })
    expect([answer.isError, answer.data.code, answer.data.problem]).toEqual([
      true,
      'INVALID_ARGUMENTS',
      'this client has not said its name: open a worktree with open_worktree and name its id as worktree',
    ])
  })
})

test('of several repositories it is the one around the client', async () => {
  const [one, two] = [
    await makeRepository({ 'x.txt': '1\n' }),
    await makeRepository({ 'x.txt': '2\n' }),
  ]
  const served = await openGateway([one, two])
  const inside = await connect(served.gateway, { directory: two.path })
  expect((await inside.call('read_file', { path: 'x.txt' })).data.text).toBe('2\n')
  const outside = await connect(served.gateway, { directory: '/' })
  expect((await outside.call('read_file', { path: 'x.txt' })).data.problem).toMatch(
    'several repositories',
  )
})

test('opening tells no token', async () => {
  const answer = await call('open_worktree', { agent: 'carol' })
  expect(answer.data).toMatchObject({ id: `${repo}~carol`, branch: 'agent/carol' })
  expect(JSON.stringify(answer)).not.toContain(gateway.tokenFor(answer.data.id, 'edit'))
  expect(JSON.stringify(answer)).not.toContain('token')
})

describe('a refusal', () => {
  const refusals: readonly (readonly [string, string, Record<string, unknown>, string, RegExp])[] =
    [
      [
        'an unknown file',
        'read_file',
        { path: 'no.txt' },
        'FILE_NOT_FOUND',
        /create it with edit_files, op write_file and expected_rev "new"/,
      ],
      [
        'no revision',
        'edit_files',
        { edits: [{ op: 'append_lines', path: 'a.txt', text: 'x' }] },
        'CONTENT_REV_REQUIRED',
        /\("new" for a new file\)/,
      ],
      [
        'a file that stands there',
        'edit_files',
        { edits: [{ op: 'write_file', path: 'a.txt', expected_rev: 'new', text: 'x' }] },
        'PATH_EXISTS',
        /Read the file with read_file/,
      ],
      [
        'an unknown field',
        'read_file',
        { path: 'a.txt', file: 'x' },
        'INVALID_ARGUMENTS',
        /problem: there is no field file here/,
      ],
      [
        'an unknown op',
        'edit_files',
        { edits: [{ op: 'x', path: 'a.txt' }] },
        'INVALID_ARGUMENTS',
        /Unknown op; known are replace_text/,
      ],
      ['a wrong type', 'list_batches', { limit: 'x' }, 'INVALID_ARGUMENTS', /limit/],
      [
        'a worktree that is not there',
        'worktree_state',
        { worktree: 'nobody' },
        'NOT_FOUND',
        /List what there is/,
      ],
      [
        'a field that the tool decides',
        'get_diff',
        { mark: false },
        'INVALID_ARGUMENTS',
        /there is no field mark here/,
      ],
    ]

  test.each(refusals)('of %s speaks of what the client has', async (_, tool, args, code, words) => {
    const { isError, data, text } = await call(tool, args)
    expect([isError, data.code]).toEqual([true, code])
    expect(text).toMatch(words)
    expect(text).toMatch(new RegExp(`^${code}: .+\nnext_action: ${data.next_action}\n`))
  })

  test('of a tool that is not there is a fault of the protocol', async () => {
    await expect(call('no_tool')).rejects.toMatchObject({ code: -32602 })
  })

  test('is short, and says what it leaves out', () => {
    const refusal = new Refusal('ZERO_MATCHES', {
      path: 'a.txt',
      patch: `${'x'.repeat(50)}\n`.repeat(400),
    })
    const { content, structuredContent } = refusalResult(refusal)
    expect(structuredContent).toMatchObject({
      code: 'ZERO_MATCHES',
      path: 'a.txt',
      omitted: ['patch'],
    })
    const lengths = [content[0]?.text.length ?? 0, JSON.stringify(structuredContent).length]
    expect(Math.max(...lengths)).toBeLessThan(10_000)
    expect(content[0]?.text).toMatch(
      /x\n\(cut here: \d+ more characters; ask for less at once\)\n$/,
    )
  })
})

describe('an answer', () => {
  test('says so where there are no batches', async () => {
    const fresh = await connect(gateway, { name: 'fresh' })
    await fresh.call('worktree_state')
    expect((await fresh.call('list_batches')).text).toBe(`worktree ${repo}~fresh\nno commits here`)
  })

  test('tells what is wrong with one of several files in the words of tools', async () => {
    const { data, text } = await call('read_file', { paths: ['a.txt', 'no.txt'] })
    const [, { refused }] = data.files
    expect(refused.code).toBe('FILE_NOT_FOUND')
    for (const told of [refused.message, text]) {
      expect(told).toContain('create it with edit_files, op write_file and expected_rev "new"')
    }
  })

  test('is never longer than clients keep', async () => {
    const { text, data } = await call('read_file', { path: 'long.txt', lines: '1-' })
    expect(Math.max(text.length, JSON.stringify(data).length)).toBeLessThan(50_000)
    expect(data.truncated).toBe(true)
    expect(text).toMatch(new RegExp(`\n\\(?cut here: read on from line ${data.next_line}\\)?\n$`))
    const rest = await call('read_file', { path: 'long.txt', lines: `${data.next_line}-` })
    expect(rest.data.start_line).toBe(data.next_line)
  })

  test('leaves the longest patch out first', () => {
    const tool = toolList({}).find(({ name }) => name === 'get_diff')
    const files = [300, 280, 1].map((lines, at) => ({
      path: `${at}.txt`,
      status: 'added',
      after_rev: '0'.repeat(40),
      ranges: [],
      patch: `+${'x'.repeat(99)}\n`.repeat(lines),
    }))
    if (tool === undefined) throw new Error('there is no such tool')
    const value = { summary: 'three files', files }
    const answer = { kind: 'value', status: 200, headers: {}, value } as const
    const { content, structuredContent } = toolResult(tool, answer, undefined)
    const { patch: _longest, ...first } = files[0] ?? {}
    expect(structuredContent).toEqual({
      ...value,
      files: [{ ...first, patch_truncated: true }, ...files.slice(1)],
    })
    expect(content[0]?.text).toContain('(patch left out)')
    expect(JSON.stringify(structuredContent).length).toBeLessThan(50_000)
  })

  test('to a revision that is held is one line', async () => {
    const { rev, worktree } = (await call('read_file', { path: 'a.txt' })).data
    const held = await call('read_file', { path: 'a.txt', if_rev: rev.slice(0, 12) })
    expect(held.text).toBe(`worktree ${worktree}\na.txt ${rev.slice(0, 12)} not modified\n`)
  })
})

test('the first digits of a commit that text shows are enough to vouch for files', async () => {
  const { text } = await call('edit_files', {
    edits: [{ op: 'write_file', path: 'short.txt', expected_rev: 'new', text: 'one\n' }],
  })
  const [, head = ''] = /\ncommit ([0-9a-f]{12})\n/.exec(text) ?? []
  const patch = '*** Begin Patch\n*** Update File: short.txt\n@@\n-one\n+two\n*** End Patch'
  const patched = { dialect: 'apply_patch', expected_head: head, patch }
  expect((await call('apply_patch', patched)).isError).toBe(false)
  expect((await call('read_file', { path: 'short.txt' })).data.text).toBe('two\n')
})

test('null is what is left out, and a revision that says that there is no file', async () => {
  const edits = [
    { op: 'write_file', path: 'null.txt', expected_rev: null, text: 'x\n', content_base64: null },
  ]
  expect((await call('edit_files', { edits, message: null, worktree: '' })).isError).toBe(false)
})

test('the diff that was told counts as reported, but not to one who only reads', async () => {
  const dave = await open('dave')
  await dave.replace('a.txt', 'one', 'uno')
  const reader = await connect(gateway, {
    caller: { kind: 'worktree', id: dave.id, scope: 'read' },
  })
  expect((await reader.call('get_diff')).data.files).toHaveLength(1)
  expect((await call('get_diff', { worktree: 'dave' })).data.files).toHaveLength(1)
  expect((await call('get_diff', { worktree: 'dave' })).data.files).toHaveLength(0)
  expect((await reader.call('edit_files', edit('new', 'a', 'b'))).data.code).toBe('FORBIDDEN')
})

test('our own fault tells nothing but where the log says more', async () => {
  const logged: unknown[] = []
  const broken = await connect(gateway, { logged })
  const { worktree } = gateway
  gateway.worktree = () => Promise.reject(new TypeError('a secret detail'))
  try {
    const answer = await broken.call('worktree_state', { worktree: own })
    expect(answer.text).toMatch(
      /^INTERNAL_ERROR: .*urn:uuid:[-0-9a-f]+\.\nnext_action: ask_user\n$/,
    )
    expect([answer.isError, logged.length, JSON.stringify(answer)]).toEqual([
      true,
      1,
      expect.not.stringContaining('secret'),
    ])
  } finally {
    gateway.worktree = worktree
  }
})

describe('a call that is cancelled', () => {
  test('before the commit point changes nothing', async () => {
    const eve = await open('eve')
    const head = await eve.git('rev-parse', 'HEAD')
    const leaving = new AbortController()
    const { held, release } = holding()
    const alone = eve.worktree.alone(() => held)
    const calling = call(
      'edit_files',
      { ...edit(await eve.rev('a.txt'), 'one', 'x'), worktree: eve.id },
      leaving.signal,
    )
    leaving.abort()
    await expect(calling).rejects.toThrow()
    release()
    await alone
    await eve.worktree.alone(async () => undefined)
    expect(await eve.git('rev-parse', 'HEAD')).toBe(head)
  })

  test('after it stands, and the list of batches says so', async () => {
    const fay = await open('fay')
    const leaving = new AbortController()
    const stop = gateway.events.subscribe(({ type, worktree }) => {
      if (type === 'batch' && worktree === fay.id) leaving.abort()
    })
    await expect(
      call(
        'edit_files',
        { ...edit(await fay.rev('a.txt'), 'one', 'x'), worktree: fay.id, message: 'Landed' },
        leaving.signal,
      ),
    ).rejects.toThrow()
    stop()
    const { batches } = (await call('list_batches', { worktree: fay.id })).data
    expect(batches).toMatchObject([
      { commit: await fay.git('rev-parse', 'HEAD'), subject: 'Landed' },
    ])
  })
})

test('long work says that it goes on', async () => {
  const guy = await open('guy')
  const { held, release } = holding()
  const alone = guy.worktree.alone(() => held)
  const told: unknown[] = []
  const onprogress = (progress: unknown): void => {
    told.push(progress)
    release()
  }
  const args = { ...edit(await guy.rev('a.txt'), 'one', 'x'), worktree: guy.id }
  const result = await client.callTool({ name: 'edit_files', arguments: args }, { onprogress })
  await alone
  expect(told[0]).toMatchObject({
    progress: fixedLimits.progressMs / 1_000,
    message: 'edit_files: 1 s',
  })
  expect(result.isError).toBeUndefined()
})

describe('resources', () => {
  const at = (rest: string): string => `editlatch://worktree/${own}/${rest}`

  test('are the states of worktrees and their files', async () => {
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain(at('state'))
    const state = await client.readResource({ uri: at('state') })
    expect(JSON.parse(textIn(state))).toMatchObject({ id: own })
    expect(textIn(await client.readResource({ uri: at('file/a.txt') }))).toBe('eins\nzwei\nthree\n')
    const { contents } = await client.readResource({ uri: at('file/icon.bin') })
    expect(contents).toEqual([{ uri: at('file/icon.bin'), blob: 'AP8B' }])
  })

  test.each([
    at('file/no.txt'),
    at('file/../a.txt'),
    at('file/%2e%2e/a.txt'),
    at('file/%zz'),
    at('nothing'),
    'editlatch://worktree/nobody/state',
    'file:///etc/passwd',
    'editlatch://worktree//state',
  ])('%s is none', async uri =>
    expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 }),
  )

  test('of others are not told to the token of one worktree', async () => {
    const hal = await open('hal')
    const other = await connect(gateway, {
      caller: { kind: 'worktree', id: hal.id, scope: 'edit' },
    })
    expect((await other.client.listResources()).resources).toHaveLength(1)
    await expect(other.client.readResource({ uri: at('state') })).rejects.toThrow('FORBIDDEN')
  })
})

function textIn({ contents }: { readonly contents: readonly object[] }): string {
  const [content] = contents
  return content !== undefined && 'text' in content ? String(content.text) : ''
}

/** A promise, and what settles it. */
function holding(): { readonly held: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  return { held, release: () => release() }
}
