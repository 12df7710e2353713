import { expect, test } from 'vitest'
import { makeRepository } from '../support/repository.js'
import { create, expectClean, openGateway, refusal } from '../support/gateway.js'

test('round', async () => {
  console.time('repo')
  const repository = await makeRepository({ 'a.txt': 'one\ntwo\nthree\n', 'd/b.txt': 'b\n' })
  console.timeEnd('repo')
  console.time('gw')
  const { open, gateway } = await openGateway(repository)
  console.timeEnd('gw')
  console.time('open')
  const w = await open('x')
  console.timeEnd('open')
  console.log(w.opened)
  console.time('edit')
  console.log(JSON.stringify(await w.replace('a.txt', 'two', 'TWO'), null, 1))
  console.timeEnd('edit')
  console.time('edit')
  console.log(JSON.stringify(await w.apply([create('new/x/y.txt', 'hey\n')]), null, 1))
  console.timeEnd('edit')
  console.time('clean')
  await expectClean(w)
  console.timeEnd('clean')
  console.log(await w.git('log', '--format=raw'))
  console.log(await w.worktree.state())
  console.log(await refusal(gateway.closeWorktree('x', { force: false })))
})
