import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepositoryAnswer } from '../../gateway/telling/answers.js'

/** Where a server listens and what opens it. */
export interface Ready {
  readonly url: string
  readonly token: string
}

/** A file to try things on. */
export interface Example {
  readonly repository: RepositoryAnswer
  readonly file: string
}

const likelyFiles = ['src/greet.ts', 'README.md', 'package.json', 'README'] as const

/** A file that repositories tend to have; undefined where the first one has none of them. */
export async function findExample(
  repositories: readonly RepositoryAnswer[],
): Promise<Example | undefined> {
  const [repository] = repositories
  if (repository === undefined) return undefined
  for (const file of likelyFiles) {
    const isThere = await access(join(repository.path, file)).then(
      () => true,
      () => false,
    )
    if (isThere) return { repository, file }
  }
  return undefined
}

/** What a person reads when the server has started: where it is and three lines to try. */
export function renderWelcome({ url, token }: Ready, example: Example | undefined): string {
  return [
    `Editlatch listens at ${url}`,
    `Server token: ${token}`,
    ...(example === undefined ? [] : ['', ...renderExample(url, token, example)]),
  ].join('\n')
}

function renderExample(url: string, token: string, example: Example): readonly string[] {
  const { repository, file } = example
  const curl = `curl -s -H 'Authorization: Bearer ${token}'`
  const post = `${curl} -H 'Content-Type: application/json' -d`
  const worktree = `'${url}/v1/worktrees/${encodeURIComponent(repository.name).replaceAll("'", '%27')}~alice`
  const rev = `"'$(git -C ${quoted(repository.path)} rev-parse HEAD:${file})'"`
  const edit = `"op":"append_lines","path":"${file}","expected_rev":${rev},"text":"// one line more"`
  return [
    "Open a worktree, read a file with its revision (git's blob id), and edit it:",
    `  ${post} ${quoted(JSON.stringify({ repo: repository.name, agent: 'alice' }))} ${url}/v1/worktrees`,
    `  ${curl} ${worktree}/file?path=${file}'`,
    `  ${post} '{"edits":[{${edit}}]}' ${worktree}/batches'`,
  ]
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`
}
