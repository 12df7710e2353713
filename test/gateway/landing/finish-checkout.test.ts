import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectClean, openGateway, refusal } from '../../support/gateway.js'
import { makeRepository } from '../../support/repository.js'

test.each(['sha1', 'sha256'] as const)(
  'a worktree whose files could not all be written is refused until they are, in %s',
  async objectFormat => {
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}.txt`, `${n}\n`]))
    const repository = await makeRepository(files, { objectFormat })
    const { open } = await openGateway(repository, { secondReader: false })
    const oid = await repository.git('rev-parse', 'HEAD:f7.txt')
    const object = join(repository.path, '.git', 'objects', oid.slice(0, 2), oid.slice(2))
    await rename(object, `${object}.away`)
    expect(await refusal(open('alice'))).toMatchObject({ code: 'OBJECT_MISSING' })
    expect(await refusal(open('alice'))).toMatchObject({ code: 'OBJECT_MISSING' })
    await rename(`${object}.away`, object)
    const worktree = await open('alice')
    await expectClean(worktree)
    expect(await worktree.text('f7.txt')).toBe('7\n')
  },
)
