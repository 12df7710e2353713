import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { type RepoPath, splitPath } from '../../core/repo-path.js'
import { isWithoutFiles } from '../checkout/absent-files.js'
import type { Checkout } from '../checkout/checkout.js'
import type { WorkingFile } from '../checkout/working-file.js'
import type { IdentifiedChange } from './plan-commits.js'

/**
 * The touched files, with whether each shall be absent when the changes have landed: one that is absent stays so, and
 * a new one is written only where its directory stands already or where it is moved from a file that does.
 */
export function withAbsence(
  checkout: Checkout,
  changes: readonly IdentifiedChange[],
  files: readonly WorkingFile[],
): readonly WorkingFile[] {
  const mayBeAbsent = isWithoutFiles(checkout)
  const source = new Map(changes.map(({ path, from }) => [path, from]))
  const wasAbsent = new Set(files.filter(({ absent }) => absent).map(({ path }) => path))
  return files.map(file => {
    const { path, head, disk } = file
    if (!mayBeAbsent) return { ...file, absent: false }
    if (head !== undefined || disk !== undefined || !source.has(path)) return file
    const from = source.get(path)
    const mayVanish = from === undefined || wasAbsent.has(from)
    return { ...file, absent: mayVanish && !directoryStands(checkout, path) }
  })
}

/** The top directory always stands, so it says nothing. */
function directoryStands({ path: root }: Checkout, path: RepoPath): boolean {
  const { directory } = splitPath(path)
  const stat = lstatSync(join(root, directory), { throwIfNoEntry: false })
  return directory !== '' && stat !== undefined
}
