// A disk of its own in a file, whose power can be cut.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The system or this user does not allow what a power cut needs. */
export class NotAllowed extends Error {}

/** What `shutdown` runs: FS_IOC_SHUTDOWN with 2, which is without writing the journal. */
const shutdownProgram = [
  'import fcntl, os, struct, sys',
  "fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))",
].join('\n')

/** An ext4 file system on a loop device. */
export class Disk {
  /** @readonly */ place
  #image
  #isMounted = false

  /** @param {string} directory */
  constructor(directory) {
    this.#image = join(directory, 'disk.img')
    this.place = join(directory, 'disk')
    mkdirSync(this.place)
  }

  /** Makes it empty and mounts it. */
  make() {
    rmSync(this.#image, { force: true })
    writeFileSync(this.#image, '')
    truncateSync(this.#image, 256 * 1024 * 1024)
    allowed('mkfs.ext4', ['-q', this.#image])
    this.mount()
  }

  mount() {
    allowed('mount', ['-o', 'loop', this.#image, this.place])
    this.#isMounted = true
  }

  /** From now on nothing reaches the disk any more, and what had not reached it is lost. */
  async cut() {
    const child = spawn('python3', ['-c', shutdownProgram, this.place], { stdio: 'ignore' })
    const code = await new Promise(resolve => {
      child.once('error', () => resolve(undefined))
      child.once('close', resolve)
    })
    if (code !== 0) throw new NotAllowed(`python3: the file system cannot be shut down (${code})`)
  }

  /** Whoever worked there was killed before, and ends by and by. */
  async unmount() {
    for (let attempt = 1; this.#isMounted; attempt += 1) {
      try {
        allowed('umount', [this.place])
        this.#isMounted = false
      } catch (error) {
        if (attempt === 100) throw error
        await sleep(50)
      }
    }
  }

  /** All that was written so far is on the disk. */
  sync() {
    allowed('sync', ['-f', this.place])
  }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function allowed(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status === 0) return
  throw new NotAllowed(`${command}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`)
}
