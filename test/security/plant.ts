import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { faultAsRefusal } from '#src/gateway/landing/faults.js'
import { create, openGateway, refusal } from '../support/gateway.js'
import { makeRepository, type TestRepository } from '../support/repository.js'
import { makePlace } from './hostile.js'

/** The files of the repository that something is planted in. */
export const files = { 'a.txt': 'a\n', 'b.txt': 'b\n' }

/** A repository, a place outside of it with a secret, and how to plant something. */
export async function makePlanted() {
  const repository = await makeRepository(files)
  const outside = makePlace('outside')
  writeFileSync(join(outside, 'secret.txt'), 'secret\n')
  const at = (name: string): string => join(repository.path, '.git', name)
  const room = (name: string): string => {
    rmSync(at(name), { recursive: true, force: true })
    mkdirSync(dirname(at(name)), { recursive: true })
    return at(name)
  }
  return {
    repository,
    outside,
    at,
    link: (name: string, target = outside) => symlinkSync(target, room(name)),
    fifo: (name: string) => expect(spawnSync('mkfifo', [room(name)]).status).toBe(0),
    put: (name: string, text: string | Uint8Array) => writeFileSync(room(name), text),
  }
}

/** Opens the repository and an agent's worktree and edits in it; answers the code of the first refusal, or `done`. */
export async function outcomeOf(repository: TestRepository): Promise<string> {
  try {
    const { open, close } = await openGateway(repository, { secondReader: false })
    try {
      const worktree = await open('alice')
      await worktree.replace('a.txt', 'a', 'A')
      await worktree.apply([create('n.txt', 'n\n')])
      await worktree.worktree.snapshot()
      await worktree.worktree.state()
      await worktree.worktree.unreported({ mark: true })
      return 'done'
    } finally {
      await close()
    }
  } catch (error) {
    const told = await refusal(Promise.reject(faultAsRefusal(error)))
    return String(told.code)
  }
}
