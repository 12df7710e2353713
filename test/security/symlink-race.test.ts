import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { materialise } from '#src/gateway/materialise.js'
import { bodyOf, startServer } from '../faces/http/server.js'
import { openGateway } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'
import { digestOf, makePlace } from './hostile.js'

const swapper = fileURLToPath(new URL('../io/files/race-child.mjs', import.meta.url))

/** Starts to swap a directory for a link to another one, and answers how to end that. */
async function swap(directory: string, outside: string): Promise<() => Promise<void>> {
  const args = [swapper, 'swap', directory, outside]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  await once(createInterface({ input: child.stdout }), 'line')
  return async () => {
    child.stdin.write('stop\n')
    await gone
  }
}

test('PATH-4: a directory that is swapped for a link meanwhile is never left, by any route', async () => {
  const server = await startServer({ 'd/read.txt': 'inside\n', 'a.txt': 'a\n' })
  const { path: root } = await (await server.gateway.worktree('alice')).describe()
  const outside = makePlace('outside')
  for (const name of ['read.txt', 'gone.txt']) writeFileSync(join(outside, name), 'outside\n')
  const before = digestOf(outside)
  const stop = await swap(join(root, 'd'), outside)

  const counts: Record<string, number> = { escaped: 0 }
  const add = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const place = '/v1/worktrees/alice'
  const ask = async (method: string, path: string, json?: unknown) => {
    const response = await server.ask(method, place + path, json === undefined ? {} : { json })
    const body = await bodyOf(response)
    add(`${method} ${response.status}${body.code === undefined ? '' : ` ${body.code}`}`)
    if (JSON.stringify(body).includes('outside\\n')) add('escaped')
    return body
  }
  const edit = (edits: unknown): ReturnType<typeof ask> => ask('POST', '/batches', { edits })
  const end = performance.now() + 3_000
  for (let round = 0; performance.now() < end; round += 1) {
    const path = `d/new-${round}.txt`
    const made = await edit([{ op: 'write_file', path, expected_rev: null, text: 'x\n' }])
    const { rev } = await ask('GET', '/file?path=d/read.txt')
    if (rev !== undefined) {
      const base = { path: 'd/read.txt', expected_rev: rev }
      await edit([{ ...base, op: 'append_lines', text: `${round}` }])
    }
    if (made.commit !== undefined) {
      const expected_rev = made.files[0].after_rev
      await edit([{ op: 'move_file', path, to: `d/sub/${round}.txt`, expected_rev }])
      await edit([{ op: 'delete_file', path: 'd/gone.txt', expected_rev }])
    }
    await ask('GET', '/files?prefix=d/')
  }
  await stop()
  console.info('HTTP beside a swapper:', counts)
  expect(digestOf(outside)).toBe(before)
  expect(readdirSync(outside).sort()).toEqual(['gone.txt', 'read.txt'])
  expect(readFileSync(join(outside, 'read.txt'), 'utf8')).toBe('outside\n')
  expect(counts.escaped).toBe(0)
  for (const what of ['POST 201', 'GET 200', 'POST 403 SYMLINK']) {
    expect([what, counts[what] ?? 0]).not.toEqual([what, 0])
  }
  expect(server.logged.filter(line => line.includes('unexpected'))).toEqual([])
})

test('PATH-4: files that are written later do not leave it either', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `d/${at % 2 === 0 ? '' : 'sub/'}f${at}`)
  const files = Object.fromEntries(names.map(name => [name, 'x\n']))
  const { open } = await openGateway(await makeRepository({ 'a.txt': 'a\n', ...files }))
  const outside = makePlace('outside')
  const counts: Record<string, number> = {}
  for (const agent of ['one', 'two', 'three', 'four', 'five', 'six']) {
    const { worktree, path } = await open(agent, { files: 'none' })
    mkdirSync(join(path, 'd'))
    const stop = await swap(join(path, 'd'), outside)
    for (let time = 0; time < 3; time += 1) {
      const told = await materialise(worktree, {}).catch((error: unknown) => error)
      const what = told instanceof Error ? `failed: ${told.message}` : 'done'
      counts[what] = (counts[what] ?? 0) + 1
    }
    await stop()
  }
  console.info('materialising beside a swapper:', counts)
  expect(readdirSync(outside)).toEqual([])
  expect(counts.done).toBeGreaterThan(0)
})
