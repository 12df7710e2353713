import {
  constants,
  copyFileSync,
  type Dirent,
  linkSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { Refusal } from '../../core/errors.js'
import { noHardLinks } from './displaced-file.js'
import { doneUnless, errnoOf, withRefusals } from './io-refusal.js'
import { type OpenDirectory, openByNames } from './safe-walk.js'

/** Between two looks at what else there is to do. */
const placedAtOnce = 200

/**
 * Gives everything below a directory of ours its place below `root`, none over what stands there. Directories are
 * walked without following a link, also one that somebody puts there meanwhile. Answers what found no place. Names have
 * one character a byte, since they need not be UTF-8.
 */
export async function placeFiles(ours: string, root: string): Promise<readonly string[]> {
  const left: string[] = []
  let placed = 0
  const placeBelow = async (directory: string): Promise<void> => {
    const entries = readdirSync(bytePath(ours, directory), {
      withFileTypes: true,
      encoding: 'latin1',
    })
    for (let at = 0; at < entries.length || at === 0; at += placedAtOnce) {
      const some = entries.slice(at, at + placedAtOnce).filter(entry => !entry.isDirectory())
      left.push(...withRefusals(() => placeSome(ours, root, directory, some)))
      placed += some.length
      if (placed >= placedAtOnce) {
        placed = 0
        await breathe()
      }
    }
    for (const entry of entries) {
      if (entry.isDirectory()) await placeBelow(joined(directory, entry.name))
    }
  }
  await placeBelow('')
  return left
}

/** Entries of one directory, which is made where it is missing. */
function placeSome(
  ours: string,
  root: string,
  directory: string,
  entries: readonly Dirent[],
): readonly string[] {
  const names = entries.map(({ name }) => name)
  try {
    const steps = directory === '' ? [] : directory.split('/').map(toBytes)
    const opened = openByNames(root, steps, 'create', directory)
    if (opened === undefined) return names.map(name => joined(directory, name))
    try {
      const isLeft = (name: string): boolean =>
        !isPlaced(bytePath(ours, joined(directory, name)), opened, name)
      return names.filter(isLeft).map(name => joined(directory, name))
    } finally {
      opened.close()
    }
  } catch (error) {
    // Something else than a directory is in the way.
    if (!(error instanceof Refusal) || !['SYMLINK', 'NOT_REGULAR'].includes(error.code)) throw error
    return names.map(name => joined(directory, name))
  }
}

function isPlaced(source: Buffer, directory: OpenDirectory, name: string): boolean {
  const target = directory.at(toBytes(name))
  const place = lstatSync(source).isSymbolicLink()
    ? () => symlinkSync(readlinkSync(source, { encoding: 'buffer' }), target)
    : () => linkOrCopy(source, target)
  // The directory may have been removed since it was opened.
  return doneUnless(['EEXIST', 'ENOENT'], place)
}

function linkOrCopy(source: Buffer, target: Buffer): void {
  try {
    linkSync(source, target)
  } catch (error) {
    if (![...noHardLinks, 'EXDEV'].includes(errnoOf(error) ?? '')) throw error
    copyFileSync(source, target, constants.COPYFILE_EXCL)
  }
}

function bytePath(root: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), toBytes(name)])
}

function toBytes(name: string): Buffer {
  return Buffer.from(name, 'latin1')
}

function joined(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}
