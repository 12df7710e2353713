import { makeRepository, type TestRepository } from './repository.js'

/** What is in the repository, and the attributes and settings that it passes on its way to the disk. */
export interface Stored {
  readonly attributes?: string
  readonly config?: Readonly<Record<string, string>>
  readonly blob: string
}

/** A repository whose `a.txt` is exactly this blob, past every conversion, and on the disk what git makes of it. */
export async function makeStored({ attributes, config, blob }: Stored): Promise<TestRepository> {
  const repository = await makeRepository(
    attributes === undefined ? {} : { '.gitattributes': attributes },
    config && { config },
  )
  const input = Buffer.from(blob, 'latin1')
  const oid = await repository.gitRaw(['hash-object', '-w', '--stdin', '--no-filters'], { input })
  const info = `100644 ${new TextDecoder().decode(oid).trim()}\ta.txt\n`
  await repository.gitRaw(['update-index', '--add', '--index-info'], { input: info })
  await repository.git('commit', '--quiet', '-m', 'blob')
  await repository.git('checkout', '--quiet', '--force', '.')
  return repository
}
