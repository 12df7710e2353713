import { opendirSync, rmdirSync } from 'node:fs'
import { doneUnless } from './io-refusal.js'
import { type OpenDirectory, openChild } from './safe-walk.js'

/** Removes a directory that holds nothing but empty directories. False where anything else is in it. */
export function removeIfEmpty(parent: OpenDirectory, name: string, path: string): boolean {
  const directory = openChild(parent, name, 'leave', path)
  if (directory === undefined) return true
  try {
    const children = listDirectories(directory)
    if (!children?.every(child => removeIfEmpty(directory, child, path))) return false
  } finally {
    directory.close()
  }
  return doneUnless(['ENOTEMPTY', 'EEXIST', 'ENOTDIR'], () => rmdirSync(parent.at(name)))
}

// Undefined at the first thing that is no directory, however many there are.
function listDirectories(directory: OpenDirectory): readonly string[] | undefined {
  const names: string[] = []
  const listing = opendirSync(directory.self)
  try {
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      if (!entry.isDirectory()) return undefined
      names.push(entry.name)
    }
    return names
  } finally {
    listing.closeSync()
  }
}
