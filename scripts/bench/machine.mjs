// Says what a benchmark ran on, and what the least that any engine can do costs there.
import { spawnSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { gitEnvironment, gitText } from '../replay/git.mjs'
import { renderMedian } from './medians.mjs'

const rounds = 21
const bytes = Buffer.alloc(8192, 'x')

/** The machine in one line. */
export function describeMachine() {
  const cores = cpus()
  const load = loadavg().map(one => one.toFixed(1))
  const memory = Math.round(totalmem() / 2 ** 30)
  const software = `Linux ${release()}, Node ${process.version}, ${gitText('/', ['--version'])}`
  return `${cores.length} x ${cores[0]?.model}, ${memory} GiB; ${software}; load ${load.join(' ')}`
}

/**
 * The kind of file system that holds a folder.
 * @param {string} folder
 */
export function fileSystemOf(folder) {
  const { type } = statfsSync(folder)
  return fileSystems.get(type) ?? `file system ${type.toString(16)}`
}

const fileSystems = new Map([
  [0x01021994, 'tmpfs'],
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlayfs'],
  [0x2fc12fc1, 'zfs'],
])

/**
 * What a spawn, a written file and a synced file cost in a folder, in one line.
 * @param {string} folder
 */
export function describeCosts(folder) {
  const spawned = times(() => spawnSync('git', ['--version'], { env: gitEnvironment }))
  const written = times(() => replaceFile(folder, () => undefined))
  const synced = times(() => replaceFile(folder, fsyncSync))
  return `spawn of git ${renderMedian(spawned)}, 8 KiB written and renamed ${renderMedian(written)}, with fsync ${renderMedian(synced)}`
}

/** @param {() => void} act */
function times(act) {
  return Array.from({ length: rounds }, () => {
    const started = performance.now()
    act()
    return performance.now() - started
  })
}

/**
 * @param {string} folder
 * @param {(file: number) => void} sync
 */
function replaceFile(folder, sync) {
  const [fresh, path] = [join(folder, 'cost.new'), join(folder, 'cost')]
  const file = openSync(fresh, 'w')
  writeSync(file, bytes)
  sync(file)
  closeSync(file)
  renameSync(fresh, path)
  rmSync(path)
}
