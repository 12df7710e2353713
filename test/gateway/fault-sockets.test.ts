import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../faces/cli/run.js'
import { expectClean } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const can = spawnSync('prlimit', ['--version']).status === 0
if (!can) console.log('not run: there is no prlimit here')

test.skipIf(!can)(
  'FAULT-3: a server whose clients take all its files refuses, lives, and works again',
  async () => {
    const repository = await makeRepository({ 'a.txt': 'first\n' })
    const state = await mkdtemp(join(tmpdir(), 'sockets-'))
    const server = await serve([repository.path], { env: { XDG_STATE_HOME: state, HOME: state } })
    onTestFinished(async () => {
      expect(await server.stop(), server.printed()).toBe(0)
      await rm(state, { recursive: true })
    })
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
    const ask = async (
      path: string,
      body?: object,
    ): Promise<{ status: number; body: Record<string, unknown> }> => {
      const answer = await fetch(`${server.url}/v1/worktrees${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: JSON.parse(await answer.text()) }
    }
    const opened = await ask('', { agent: 'ada' })
    expect(opened.status).toBe(201)
    const batch = (name: string): ReturnType<typeof ask> =>
      ask('/ada/batches', {
        edits: [{ op: 'write_file', path: `${name}.txt`, expected_rev: null, text: `${name}\n` }],
        idempotency_key: name,
      })
    expect((await batch('before')).status).toBe(201)
    const counts = new Map<string, number>()
    for (let room = 1; room <= 14; room += 1) {
      const inUse = readdirSync(`/proc/${server.pid}/fd`).length
      setLimit(server.pid, inUse + room)
      const { status, body } = await batch(`tight-${room}`)
      const told = `${status} ${status === 201 ? '' : body.code}`.trim()
      counts.set(told, (counts.get(told) ?? 0) + 1)
      expect(['201', '503 IO_FAULT']).toContain(told)
      setLimit(server.pid, 1_024)
      // Once more with the same key: done once.
      expect([200, 201]).toContain((await batch(`tight-${room}`)).status)
    }
    const sockets = await takeAll(server.url, server.pid)
    const late = batch('late')
    for (const socket of sockets) socket.destroy()
    expect([201, 503]).toContain((await late.catch(() => ({ status: 503 }))).status)
    setLimit(server.pid, 1_024)
    expect([200, 201]).toContain((await batch('late')).status)
    expect((await batch('after')).status).toBe(201)
    console.log(
      'a server with ever more files left:',
      Object.fromEntries(counts),
      `${sockets.length} sockets`,
    )
    expect(counts.get('503 IO_FAULT')).toBeGreaterThan(0)
    await expectClean({ path: String(opened.body.path) })
  },
)

function setLimit(pid: number, files: number): void {
  const { status, stderr } = spawnSync('prlimit', [`--pid=${pid}`, `--nofile=${files}:4096`], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}

/** Opens connections until the process may open no more. */
async function takeAll(url: string, pid: number): Promise<readonly Socket[]> {
  const limit = readdirSync(`/proc/${pid}/fd`).length + 40
  setLimit(pid, limit)
  const sockets: Socket[] = []
  for (let number = 0; number < 60; number += 1) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await new Promise(resolve => socket.once('connect', resolve))
    sockets.push(socket)
  }
  return sockets
}
