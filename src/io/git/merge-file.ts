import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GitPlace, runGit } from './run-git.js'

/** The three sides of a merge: what stands, what both came from, and what is to be brought in. */
export interface MergeSides {
  readonly ours: Uint8Array
  readonly base: Uint8Array
  readonly theirs: Uint8Array
}

/** Merges line by line with `git merge-file`; undefined where both sides changed the same place, or for binary content. */
export async function mergeFile(
  place: GitPlace,
  scratchDir: string,
  sides: MergeSides,
): Promise<Buffer | undefined> {
  const directory = join(scratchDir, `merge-${randomBytes(6).toString('hex')}`)
  mkdirSync(directory, { recursive: true })
  try {
    const names = ['ours', 'base', 'theirs'] as const
    const files = names.map(name => join(directory, name))
    for (const [index, name] of names.entries()) writeFileSync(files[index] ?? '', sides[name])
    // Up to 127 it is the number of conflicts; 255 is an error, such as binary content.
    const { stdout, exitCode } = await runGit(place, ['merge-file', '-p', '-q', ...files], {
      exitCodes: conflictCodes,
    })
    return exitCode === 0 ? stdout : undefined
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const conflictCodes = [...Array.from({ length: 127 }, (_, index) => index + 1), 255]
