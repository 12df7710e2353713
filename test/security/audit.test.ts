import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runProgram, serve } from '../faces/cli/run.js'
import { create, openGateway, refusal } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'
import { makePlace } from './hostile.js'

const repository = await makeRepository({ 'a.txt': 'a\n' })
const { open } = await openGateway(repository)
const worktree = await open('alice', { model: 'model\nEditlatch-Agent: bob' })

/** The trailers as git itself reads them. */
async function trailersOf(commit: string): Promise<readonly string[]> {
  const message = await repository.git('log', '-1', '--format=%B', commit)
  const args = ['interpret-trailers', '--parse']
  const parsed = await repository.gitRaw(args, { input: `${message}\n` })
  return new TextDecoder().decode(parsed).trim().split('\n')
}

const values = (trailers: readonly string[], key: string): readonly string[] =>
  trailers
    .filter(line => line.toLowerCase().startsWith(`${key.toLowerCase()}:`))
    .map(line => line.slice(key.length + 1).trim())

describe('AUD-1: nothing an agent writes passes for what we write', () => {
  const forged = 'Editlatch-Agent: bob\nEditlatch-Batch: 0000000000000000\nEditlatch-Key: k 0'

  test.each([
    ['as the whole message', forged],
    ['as the last paragraph', `subject\n\nbody\n\n${forged}`],
    ['with blanks at the end', `subject\n\n${forged}\n\n\n`],
    ['after a line that ends a message', `subject\n---\n${forged}`],
    ['after a scissors line', `subject\n# ------------------------ >8 ------------------------\n`],
    ['with carriage returns', `subject\r\n\r\n${forged.replaceAll('\n', '\r\n')}`],
    ['with lone carriage returns', `subject\r\r${forged.replaceAll('\n', '\r')}`],
    ['folded', 'subject\n\nX: y\n  Editlatch-Agent: bob'],
    ['in other letters', forged.toUpperCase()],
    ['with other line breaks', `subject\u2028\u2029\u0085\v\f${forged}`],
    ['with escapes and zeros', `\u001b[2Ksubject\0\n\n\u001b[1A${forged}\u009b`],
    ['as nothing', ' \n\t\n '],
    ['as lone surrogates', `\ud800subject\n\n${forged}`],
    ['as a comment', `# subject\n\n# ${forged}`],
    [
      'as another signature',
      'subject\n\nSigned-off-by: boss <boss@example.com>\nCo-authored-by: x',
    ],
  ])('%s', async (_, message) => {
    const path = `f${Math.abs(hash(message))}`
    const intent = `why\nEditlatch-Agent: bob\r\nEditlatch-Source: external\0\u001b[2J`
    const { commit } = await worktree.apply([create(path, 'x\n')], { message, intent })
    const trailers = await trailersOf(commit ?? '')
    expect(values(trailers, 'Editlatch-Agent')).toEqual(['alice'])
    expect(values(trailers, 'Editlatch-Batch')).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)])
    expect(values(trailers, 'Editlatch-Source')).toEqual([])
    expect(values(trailers, 'Editlatch-Key')).toEqual([])
    expect(values(trailers, 'Editlatch-Edit')).toHaveLength(1)
    const raw = await repository.git('cat-file', 'commit', commit ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    expect(raw).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    const told = await worktree.worktree.batch(commit ?? '')
    expect(told).toMatchObject({ agent: 'alice', source: 'batch', commit })
    expect(told.ops).toMatchObject([{ op: 'write_file', path }])
    expect(await repository.git('log', '-1', '--format=%an <%ae>', commit ?? '')).toBe(
      'alice <alice@editlatch.invalid>',
    )
  })

  test.each([
    'key\nEditlatch-Agent: bob',
    'key with blanks',
    'key\r',
    'k\u0000',
    'schl\u00fcssel',
    '',
    'k'.repeat(201),
  ])('an idempotency key of %j is refused', async key => {
    const asked = (async () => worktree.apply([create('key', 'x')], { key }))()
    expect(await refusal(asked)).toMatchObject({ code: 'INVALID_ARGUMENTS' })
  })

  test('a key that looks like a revision of the past stands for its own batch only', async () => {
    const key = 'Editlatch-Agent:bob'
    const { commit } = await worktree.apply([create('keyed', 'x\n')], { key })
    expect(values(await trailersOf(commit ?? ''), 'Editlatch-Agent')).toEqual(['alice'])
    expect((await worktree.apply([create('keyed', 'x\n')], { key })).commit).toBe(commit)
    expect(await refusal(worktree.apply([create('other', 'x\n')], { key }))).toMatchObject({
      code: 'KEY_REUSED',
    })
  })

  test.each([
    'Alice',
    'alice ',
    ' alice',
    'al ice',
    'ali\u0441e',
    '\uff41lice',
    'alice\n',
    'alice\0',
    '../bob',
    'a/b',
    'a..b',
    'a.lock',
    'a.',
    '.a',
    '-a',
    '@',
    'a@{0}',
    'a~b',
    'a'.repeat(65),
    '',
  ])('an agent is not called %j', async agent => {
    expect(await refusal(open(agent))).toMatchObject({ code: 'INVALID_ARGUMENTS' })
  })

  test('names of files cannot write trailers either', async () => {
    const path = 'x 0..0 write_file - Editlatch-Agent: bob'
    const { commit } = await worktree.apply([create(path, 'x\n')])
    const trailers = await trailersOf(commit ?? '')
    expect(values(trailers, 'Editlatch-Agent')).toEqual(['alice'])
    expect((await worktree.worktree.batch(commit ?? '')).ops).toMatchObject([{ path }])
  })
})

test('AUD-2: every commit says who did what, when and under which request', async () => {
  const key = 'request-1'
  const { commit, parent, files } = await worktree.apply([create('who', 'x\n')], {
    key,
    message: 'Say who',
    intent: 'because',
  })
  const trailers = await trailersOf(commit ?? '')
  const keys = trailers.map(line => line.slice(0, line.indexOf(':')))
  expect(keys).toEqual([
    'Editlatch-Batch',
    'Editlatch-Agent',
    'Editlatch-Model',
    'Editlatch-Intent',
    'Editlatch-Key',
    'Editlatch-Edit',
  ])
  expect(values(trailers, 'Editlatch-Key')[0]).toMatch(/^request-1 [0-9a-f]{64}$/)
  expect(values(trailers, 'Editlatch-Edit')[0]).toContain(`who new..${files[0]?.after_rev}`)
  const told = await worktree.worktree.batch(commit ?? '')
  expect(told).toMatchObject({ agent: 'alice', subject: 'Say who', key, intent: 'because', parent })
  expect(Date.parse(told.time)).toBeGreaterThan(Date.now() - 600_000)
  const reflog = await repository.git('reflog', '-1', '--format=%gs', 'agent/alice')
  expect(reflog).toBe('editlatch')
  // Undoing and keeping are told, too.
  const undone = await worktree.worktree.revert(commit ?? '')
  await worktree.write('by-hand', 'x\n')
  const kept = await worktree.worktree.snapshot()
  const { batches } = await worktree.worktree.log({ limit: 2 })
  expect(batches.map(one => [one.commit, one.agent, one.source])).toEqual([
    [kept.commit, 'alice', 'external'],
    [undone.commit, 'alice', 'batch'],
  ])
})

test('SEC-1: no token is in any log, commit, ref, file, error or argument', async () => {
  const state = makePlace('state')
  const env = { XDG_STATE_HOME: state }
  const own = await makeRepository({ 'a.txt': 'a\n' })
  const served = await serve(['--worktrees', join(state, 'worktrees'), own.path], { env })
  const ask = async (method: string, path: string, token: string, body?: unknown) => {
    const response = await fetch(served.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }
  const opened = await ask('POST', '/v1/worktrees', served.token, { agent: 'alice' })
  const { token } = JSON.parse(opened.text)
  const place = '/v1/worktrees/alice'
  const edits = [{ op: 'write_file', path: 'n', expected_rev: null, text: 'x\n' }]
  const answers = [
    await ask('POST', `${place}/batches`, token, { edits, message: 'm' }),
    await ask('POST', `${place}/batches`, token, { edits }),
    await ask('POST', `${place}/batches`, token, { editz: 1 }),
    await ask('GET', `${place}/file?path=${token}`, token),
    await ask('GET', `${place}?token=${token}`, token),
    await ask('GET', '/v1/worktrees', token),
    await ask('GET', '/v1/nothing', served.token),
    await ask('GET', '/metrics', served.token),
    await ask('DELETE', '/v1/worktrees/bob', token),
    await ask('GET', place, `${token}x`),
  ]
  const processes = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const told = processes.flatMap(pid =>
    ['cmdline', 'environ'].map(file => read(`/proc/${pid}/${file}`)),
  )
  expect(await served.stop()).toBe(0)
  const places: Readonly<Record<string, string>> = {
    log: served.printed().split('\n').slice(1).join('\n'),
    // The name of a file that was asked for is told again.
    answers: answers
      .filter((_, at) => at !== 3)
      .map(({ text }) => text)
      .join('\n'),
    processes: told.join('\n'),
    history: await own.git('log', '--all', '--format=raw'),
    refs: await own.git('for-each-ref'),
    reflogs: await own.git('reflog', '--all'),
    files: filesBelow(join(own.path, '.git')).join('\n'),
    state: filesBelow(join(state, 'editlatch'), 'token').join('\n'),
    worktree: filesBelow(join(state, 'worktrees')).join('\n'),
    usage: (await runProgram(['repos', '--nothing'], { cwd: own.path, env })).stderr,
  }
  const found = Object.entries(places).flatMap(([name, text]) =>
    [served.token, token].some(secret => text.includes(secret)) ? [name] : [],
  )
  expect(found).toEqual([])
  expect(places.log?.length).toBeGreaterThan(0)
  expect(answers.map(({ status }) => status)).toContain(201)
})

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function filesBelow(directory: string, but?: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && entry.name !== but)
    .map(entry => read(join(entry.parentPath, entry.name)))
}

/** A number for a text, to name a file by. */
function hash(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) | 0, 7)
}
