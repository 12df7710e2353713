import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import type { Receipt } from '#src/core/receipt.js'
import { type BatchInput, parseBatch } from '#src/edit/batch.js'
import { expectClean, openGateway, refusal, type TestWorktree } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

let agent: TestWorktree
beforeAll(async () => {
  const { open } = await openGateway(await makeRepository({ 'a.ts': 'a\r\nx', 'b.ts': 'b\n' }))
  agent = await open('speaker')
})

const say = (batch: BatchInput): Promise<Receipt> =>
  agent.worktree.apply(parseBatch(batch, defaultLimits))

const block = (search: string, replace: string): string =>
  `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`

async function fence(path: string, search: string, replace: string): Promise<string> {
  return `\`\`\`edit:${path} rev:${await agent.rev(path)}\n${block(search, replace)}\`\`\`\n`
}

test('a message is one commit', async () => {
  const message = `Both:\n${await fence('a.ts', 'a\n', 'A\n')}${await fence('b.ts', 'b\n', '')}`
  const { files } = await say({ dialect: 'markdown', patch: message })
  expect(files.map(({ path }) => path)).toEqual(['a.ts', 'b.ts'])
  expect([await agent.text('a.ts'), await agent.text('b.ts')]).toEqual(['A\r\nx', ''])
  await expectClean(agent)
})

test('one bad fence refuses the message', async () => {
  const head = await agent.git('rev-parse', 'HEAD')
  const message = `${await fence('a.ts', 'x\n', 'X\n')}${await fence('b.ts', 'nothing\n', '')}`
  const told = await refusal(say({ dialect: 'markdown', patch: message }))
  expect(told).toMatchObject({ code: 'ZERO_MATCHES', path: 'b.ts', patch_line: 9 })
  expect(await agent.git('rev-parse', 'HEAD')).toBe(head)
  await expectClean(agent)
})

test('an empty SEARCH creates a file without a revision', async () => {
  await say({ dialect: 'search_replace_blocks', patch: `d/new.ts\n${block('', 'new\n')}` })
  expect(await agent.text('d/new.ts')).toBe('new\n')
  await expectClean(agent)
})

test('a file of somebody else is not created over', async () => {
  await agent.write('mine.ts', 'mine\n')
  const patch = `mine.ts\n${block('', 'new\n')}`
  const told = await refusal(say({ dialect: 'search_replace_blocks', patch }))
  expect(told).toMatchObject({ code: 'PATH_EXISTS', path: 'mine.ts' })
  expect(readFileSync(join(agent.path, 'mine.ts'), 'utf8')).toBe('mine\n')
})
