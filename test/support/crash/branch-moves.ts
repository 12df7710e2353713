import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { branch, type Desk } from './user-commands.js'
import type { BesideReport } from './user-git.js'

/** Where the acknowledged batches of a branch are, and how the gateway moved it. */
export interface Whereabouts {
  /** Acknowledged, and on the branch. */
  readonly onBranch: number
  /** Acknowledged, and on the branch as a commit that the user's own git made again of it. */
  readonly madeAgain: number
  /** Acknowledged, and taken off the branch by the user's own git: in a reflog or on another branch. */
  readonly setAside: number
  /** Acknowledged, and nowhere, or in no move of the gateway. */
  readonly lost: readonly string[]
  /** Moves of the gateway that did not go forward from where the branch stood. */
  readonly backward: readonly string[]
  /** Commits that the gateway put on the branch without saying so. */
  readonly denied: readonly string[]
}

/**
 * Follows the branch through its reflog, which says who moved it. Whatever left the branch must have left it by a
 * move that is not ours.
 */
export async function findBatches(
  { main }: Desk,
  { acknowledged }: BesideReport,
): Promise<Whereabouts> {
  const format = '%H %(trailers:key=Editlatch-Batch,valueonly,separator=%x20)'
  const known = await batches(main, '--all', '--reflog', `--format=${format}`)
  const onBranch = await batches(main, branch, `--format=${format}`)
  const idsOnBranch = new Set(onBranch.values())
  const moves = gatewayMoves(main.path)
  const ours = new Set(moves.map(({ to }) => to))
  const commits = acknowledged.map(([, commit]) => commit)
  const off = commits.filter(commit => !onBranch.has(commit))
  const isMadeAgain = (commit: string): boolean => idsOnBranch.has(known.get(commit) ?? 'none')
  const madeAgain = off.filter(isMadeAgain).length
  const backward = []
  for (const { from, to } of moves) {
    const isForward = await main.git('merge-base', '--is-ancestor', from, to).then(
      () => true,
      () => false,
    )
    if (!isForward) backward.push(`${from} ${to}`)
  }
  return {
    onBranch: commits.length - off.length,
    madeAgain,
    setAside: off.length - madeAgain,
    lost: commits.filter(commit => !known.has(commit) || !ours.has(commit)),
    backward,
    denied: [...ours].filter(commit => !commits.includes(commit)),
  }
}

/** Commits with the batches that they are of. */
async function batches(
  main: Desk['main'],
  ...args: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const lines = (await main.git('log', ...args)).split('\n')
  return new Map(lines.map(line => [line.slice(0, line.indexOf(' ')), line.split(' ')[1] ?? '']))
}

/** What the reflog of the branch says of the gateway. */
function gatewayMoves(path: string): readonly { readonly from: string; readonly to: string }[] {
  const log = readFileSync(join(path, '.git/logs/refs/heads', branch), 'utf8').trimEnd()
  return log.split('\n').flatMap(line => {
    const [, from = '', to = '', message] = /^(\S+) (\S+) .*\t(.*)$/.exec(line) ?? []
    return message === 'editlatch' ? [{ from, to }] : []
  })
}
