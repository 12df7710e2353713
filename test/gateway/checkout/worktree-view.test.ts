import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Command } from '#src/commands/command.js'
import { edit } from '#src/commands/edit.js'
import { open } from '#src/commands/open.js'
import { read } from '#src/commands/read.js'
import { state } from '#src/commands/state.js'
import { write } from '#src/commands/write.js'
import { openGateway, refusal, type TestGateway } from '../../support/gateway.js'
import { makeRepository, type TestRepository } from '../../support/repository.js'

const caller = { kind: 'server' } as const
const context = { caller, signal: new AbortController().signal }

type Answered = Readonly<Record<string, unknown>>

let repository: TestRepository
let served: TestGateway
beforeAll(async () => {
  repository = await makeRepository({ 'a.txt': 'let x = 1;\nlet y = 2;\n', 'empty.txt': '' })
  served = await openGateway(repository)
  await ask(open, { agent: 'anchored', view: 'hashline' })
  await ask(open, { agent: 'plain' })
})

async function ask(command: Command, input: object, gateway = served.gateway): Promise<Answered> {
  const answer = await command.run(gateway, input, context)
  if (answer.kind === 'bytes') return { bytes: Buffer.from(answer.bytes).toString('utf8') }
  if (answer.kind !== 'value') throw new Error(answer.kind)
  return answer.value as Answered
}

const readA = (worktree: string, more: object = {}): Promise<Answered> =>
  ask(read, { worktree, path: 'a.txt', ...more })

describe('a worktree with anchors', () => {
  test('shows every line after its anchor, and its state says so', async () => {
    expect(await readA('anchored')).toMatchObject({
      text: '1:rsj:lgd→let x = 1;\n2:rte:lgd→let y = 2;',
      total_lines: 2,
      final_newline: true,
    })
    expect(await readA('anchored', { view: 'hashline', lines: '2' })).toMatchObject({
      text: '2:rte:lgd→let y = 2;',
      start_line: 2,
    })
    expect(await ask(state, { worktree: 'anchored' })).toMatchObject({
      view: 'hashline',
      anchors: 'chunk',
    })
  })

  test('takes edits by anchors, and by anything else', async () => {
    const { agent } = await ask(open, { agent: 'editing', view: 'hashline' })
    const worktree = String(agent)
    const { text, rev } = await readA(worktree)
    const [anchor] = String(text).split('→')
    const edits = [{ path: 'a.txt', expected_rev: rev, op: 'replace', anchor, content: 'let z;' }]
    const receipt = await ask(edit, { worktree, dialect: 'hashline', edits })
    expect(receipt).toMatchObject({
      ops: [{ op: 'replace_anchored', lines: [{ start: 1, end: 1 }] }],
    })
    expect(await readA(worktree, { raw: true })).toEqual({ bytes: 'let z;\nlet y = 2;\n' })
    const plain = { old_string: 'let z;', new_string: 'let q;', path: 'a.txt' }
    const { rev: now } = await readA(worktree)
    const mixed = [{ ...plain, expected_rev: now }]
    expect(await ask(edit, { worktree, dialect: 'search_replace', edits: mixed })).toHaveProperty(
      'commit',
    )
  })

  test('gets fresh anchors of what it changed, so that the next edit needs no read', async () => {
    await ask(open, { agent: 'again', view: 'hashline' })
    const { text, rev } = await readA('again')
    const anchor = String(text).split('→')[0]
    const change = (expected: unknown, more: object): Promise<Answered> =>
      ask(edit, {
        worktree: 'again',
        dialect: 'hashline',
        edits: [{ path: 'a.txt', expected_rev: expected, ...more }],
      })
    const first = await change(rev, { op: 'insert_after', anchor, content: 'let n;' })
    const [file] = first.files as readonly Answered[]
    const lines = String(file?.anchored).split('\n')
    const whole = String((await readA('again')).text)
    expect({ anchored: lines.join('\n'), patch: file?.patch }).toEqual({ anchored: whole })
    const next = { op: 'replace', anchor: lines[1]?.split('→')[0], content: 'let m;' }
    await change(file?.after_rev, next)
    expect(await readA('again', { raw: true })).toEqual({
      bytes: 'let x = 1;\nlet m;\nlet y = 2;\n',
    })
  })

  test('wants the revision as every edit does', async () => {
    const edits = [{ path: 'a.txt', op: 'delete', anchor: '1:rsj:lgd' }]
    const asked = ask(edit, { worktree: 'anchored', dialect: 'hashline', edits })
    expect(await refusal(asked)).toMatchObject({ code: 'CONTENT_REV_REQUIRED' })
  })

  test('shows nothing of an empty file, and takes lines at its end', async () => {
    await ask(open, { agent: 'empty', view: 'hashline' })
    const { text, rev } = await ask(read, { worktree: 'empty', path: 'empty.txt' })
    expect(text).toBe('')
    const step = { op: 'insert_after', anchor: 'EOF', content: 'x' }
    const edits = { path: 'empty.txt', expected_rev: rev, edits: [step] }
    await ask(edit, { worktree: 'empty', dialect: 'hashline', edits })
    expect(await ask(read, { worktree: 'empty', path: 'empty.txt', raw: true })).toEqual({
      bytes: 'x\n',
    })
  })

  test.each(['plain', 'numbered'])('has no view %s', async view => {
    expect(await refusal(readA('anchored', { view }))).toMatchObject({
      code: 'UNSUPPORTED_OP',
      view,
      reason: 'this worktree was opened with view hashline, and has only that one',
    })
  })

  test('keeps its view when it is opened again, and by another process', async () => {
    const other = await openGateway(repository, { anchors: 'content' })
    const answer = await ask(open, { agent: 'anchored' }, other.gateway)
    expect(answer).toMatchObject({ view: 'hashline', anchors: 'chunk' })
    expect(await refusal(ask(open, { agent: 'anchored', view: 'plain' }))).toEqual({
      code: 'WORKTREE_EXISTS',
      status: 409,
      worktree: answer.id,
      view: 'hashline',
      asked: 'plain',
    })
    const own = await ask(open, { agent: 'by-content', view: 'hashline' }, other.gateway)
    expect(own).toMatchObject({ anchors: 'content' })
    const seen = await ask(read, { worktree: 'by-content', path: 'a.txt' }, other.gateway)
    expect(seen).toMatchObject({ text: '1:rsj→let x = 1;\n2:rte→let y = 2;' })
    await other.close()
  })
})

describe('a plain worktree', () => {
  test('is what one is that nobody asked to be otherwise', async () => {
    expect(await ask(open, { agent: 'plain', view: 'plain' })).not.toHaveProperty('view')
    expect(await readA('plain')).toMatchObject({ text: 'let x = 1;\nlet y = 2;\n' })
    expect(await readA('plain', { view: 'numbered' })).toMatchObject({
      text: '1\tlet x = 1;\n2\tlet y = 2;',
    })
  })

  test('has no anchors, neither to read nor to edit by', async () => {
    const { rev } = await readA('plain')
    expect(await refusal(readA('plain', { view: 'hashline' }))).toMatchObject({
      code: 'UNSUPPORTED_OP',
      use: ['plain', 'numbered'],
    })
    const edits = [{ path: 'a.txt', expected_rev: rev, op: 'delete', anchor: '1:rsj:lgd' }]
    const asked = ask(edit, { worktree: 'plain', dialect: 'hashline', edits })
    expect(await refusal(asked)).toMatchObject({ code: 'UNSUPPORTED_OP', index: 0 })
    expect(await refusal(ask(open, { agent: 'plain', view: 'hashline' }))).toMatchObject({
      code: 'WORKTREE_EXISTS',
      view: 'plain',
    })
  })

  test('refuses text that was pasted with its anchors', async () => {
    const edits = [{ op: 'replace_text', path: 'a.txt', find: '1:rsj:lgd→let x', replace: 'y' }]
    expect(await refusal(ask(edit, { worktree: 'plain', edits }))).toMatchObject({
      code: 'UNSUPPORTED_OP',
      field: 'find',
    })
  })

  test('is what one is whose record says nothing that is known', async () => {
    const { path } = await served.open('odd', { view: 'hashline' })
    const gitDir = (await repository.git('-C', path, 'rev-parse', '--absolute-git-dir')).trim()
    await writeFile(join(gitDir, 'editlatch', 'anchors'), '../../etc\n')
    const other = await openGateway(repository)
    expect(await ask(open, { agent: 'odd' }, other.gateway)).not.toHaveProperty('view')
    await other.close()
  })
})

test('a whole file may hold lines that look like anchors, as bytes', async () => {
  const bytes = new TextEncoder().encode('1:abc:def→a\n')
  await ask(open, { agent: 'bytes' })
  const input = { worktree: 'bytes', path: 'new.txt', content: bytes, must_not_exist: true }
  expect(await ask(write, input)).toHaveProperty('commit')
})
