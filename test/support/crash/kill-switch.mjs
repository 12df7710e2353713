// Preloaded with `node --import`: kills this process at a step of its work. A step is one call that changes
// the world: of node:fs, of a file handle, the start of a git that writes, or the bytes for such a git.
// `killSwitch.arm(at, when)` takes the number of the step, from 1, or its name, and when: `before` it, `after` it,
// `frozen` (after it, with the git that it writes to stopped, to go on when it is woken), or `paused`
// (after it the process is only stopped).
// Each step is told on standard output before it is done, and the process id of a git that was stopped.
// `killSwitch.fail(at, errno)` lets the step of node:fs with this number, or the first with this name, fail once instead, as the system would make it
// fail; with `SHORT` a write does but half of its work. `killSwitch.failed()` ends that and answers the steps until then
// and the one that failed.
import childProcess from 'node:child_process'
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { constants } from 'node:os'

const original = { ...fs }
const openFile = promises.open
const spawn = childProcess.spawn

/** @type {Map<number, string>} */
const names = new Map()
let [killAt, killWhen] = ['', '']
let isArmed = false
// Some calls of node:fs are made of others.
let isInside = false
let count = 0
/** @type {{ at: number | string, errno: string, steps: string[], name: string | undefined } | undefined} */
let failing

/** Counts steps from here, or no longer. */
Reflect.set(globalThis, 'killSwitch', {
  /**
   * @param {string} at
   * @param {string} when
   */
  arm: (at, when) => {
    killAt = at
    killWhen = when
    isArmed = true
  },
  disarm: () => {
    isArmed = false
  },
  /**
   * @param {number | string} at
   * @param {string} errno
   */
  fail: (at, errno) => {
    failing = { at, errno, steps: [], name: undefined }
  },
  failed: () => {
    const { steps = [], name } = failing ?? {}
    failing = undefined
    return { steps, name }
  },
})

class ShortWrite extends Error {}

/**
 * Does a step unless it is the one that is to fail.
 * @template T
 * @param {NonNullable<typeof failing>} fault
 * @param {string} name
 * @param {() => T} act
 * @returns {T}
 */
function failOrDo(fault, name, act) {
  const isGit = /^(start|tell) /.test(name)
  if (isGit || (fault.errno === 'SHORT' && !name.startsWith('write '))) return inside(act)
  fault.steps.push(name)
  const isIt = fault.steps.length === fault.at || (name === fault.at && fault.name === undefined)
  if (!isIt) return inside(act)
  fault.name = name
  if (fault.errno === 'SHORT') throw new ShortWrite()
  const [code] = name.split(' ')
  throw Object.assign(new Error(`${fault.errno}: made to fail, ${name}`), {
    code: fault.errno,
    errno: -constants.errno[/** @type {'EIO'} */ (fault.errno)],
    syscall: code,
  })
}

/**
 * @template T
 * @param {string} name
 * @param {() => T} act
 * @param {number} [git] the process that gets what the step writes
 * @returns {T}
 */
function step(name, act, git) {
  if (failing !== undefined && !isInside) return failOrDo(failing, name, act)
  if (!isArmed || isInside) return act()
  count += 1
  const isLast = name === killAt || String(count) === killAt
  tell({ step: count, name })
  if (isLast && killWhen === 'before') die()
  if (isLast && killWhen === 'frozen' && git !== undefined) {
    process.kill(git, 'SIGSTOP')
    tell({ stopped: git })
  }
  const result = inside(act)
  if (!isLast) return result
  if (result instanceof Promise) {
    return /** @type {T} */ (
      result.then(value => {
        die()
        return value
      })
    )
  }
  die()
  return result
}

/**
 * @template T
 * @param {() => T} act
 * @returns {T}
 */
function inside(act) {
  isInside = true
  try {
    return act()
  } finally {
    isInside = false
  }
}

/**
 * A step of a call that itself goes on where a write was short.
 * @param {string} name
 * @param {() => Promise<unknown>} act
 */
async function stepOrShort(name, act) {
  try {
    await step(name, act)
  } catch (error) {
    if (!(error instanceof ShortWrite)) throw error
    await act()
  }
}

/** @param {object} fact */
function tell(fact) {
  original.writeSync(1, `${JSON.stringify(fact)}\n`)
}

function die() {
  process.kill(process.pid, killWhen === 'paused' ? 'SIGSTOP' : 'SIGKILL')
}

/**
 * Where a path lies and its last name, with what is random in it replaced.
 * @param {unknown} path
 */
function place(path) {
  const text = String(path).replace(/^\/proc\/self\/fd\/(\d+)/, (_, fd) => linkOf(fd))
  const name = text.slice(text.lastIndexOf('/') + 1)
  return `${area(text)}/${name.replace(/[0-9a-f]{8,}|^[0-9a-f]{2}$|\d+/g, '*')}`
}

/** @param {string} fd */
function linkOf(fd) {
  return original.readlinkSync(`/proc/self/fd/${fd}`)
}

/** @param {string} path */
function area(path) {
  if (path.includes('/objects/')) return 'objects'
  if (path.includes('/.git/worktrees/')) return path.includes('/editlatch') ? 'ours' : 'gitdir'
  return path.includes('/.git/') ? 'common' : 'worktree'
}

/** @param {unknown} flags */
function writes(flags) {
  if (typeof flags !== 'number') return typeof flags === 'string' && flags !== 'r'
  return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) !== 0
}

/** @param {fs.PathLike} path */
function exists(path) {
  return original.lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

Object.assign(fs, {
  /** @param {Parameters<typeof fs.openSync>} args */
  openSync: (...args) => {
    const name = place(args[0])
    const fd = writes(args[1])
      ? step(`open ${name}`, () => original.openSync(...args))
      : original.openSync(...args)
    names.set(fd, name)
    return fd
  },
  // In two halves, so that one can be missing.
  /**
   * @param {number} fd
   * @param {string | NodeJS.ArrayBufferView} data
   * @param {number} [offset]
   * @param {unknown[]} rest
   */
  writeSync: (fd, data, offset = 0, ...rest) => {
    if (!isArmed && failing === undefined)
      return /** @type {(...args: unknown[]) => number} */ (original.writeSync)(
        fd,
        data,
        offset,
        ...rest,
      )
    const bytes = bytesOf(data).subarray(offset)
    const half = bytes.length >> 1
    const name = names.get(fd) ?? 'fd'
    let written = 0
    try {
      for (const part of [bytes.subarray(0, half), bytes.subarray(half)]) {
        step(`write ${name}`, () => writeAll(fd, part))
        written += part.length
      }
    } catch (error) {
      if (!(error instanceof ShortWrite)) throw error
    }
    return written
  },
  /**
   * @param {string | number} target
   * @param {string | NodeJS.ArrayBufferView} data
   * @param {{ flag?: string, mode?: number } | string} [options]
   */
  writeFileSync: (target, data, options) => {
    const { flag = 'w', mode = 0o666 } = typeof options === 'object' ? options : {}
    const fd = typeof target === 'number' ? target : fs.openSync(target, flag, mode)
    try {
      const bytes = bytesOf(data)
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at)
    } finally {
      if (fd !== target) original.closeSync(fd)
    }
  },
  /** @param {Parameters<typeof fs.rmSync>} args */
  rmSync: (...args) =>
    exists(args[0])
      ? step(`rm ${place(args[0])}`, () => original.rmSync(...args))
      : original.rmSync(...args),
  /** @param {[fs.PathLike, fs.MakeDirectoryOptions?]} args */
  mkdirSync: (...args) =>
    exists(args[0])
      ? original.mkdirSync(...args)
      : step(`mkdir ${place(args[0])}`, () => original.mkdirSync(...args)),
})

for (const name of /** @type {const} */ (['linkSync', 'renameSync', 'symlinkSync'])) {
  Object.assign(fs, {
    /** @param {[string, string]} args */
    [name]: (...args) =>
      step(`${name.slice(0, -4)} ${place(args[0])} ${place(args[1])}`, () =>
        original[name](...args),
      ),
  })
}
for (const name of /** @type {const} */ (['unlinkSync', 'rmdirSync', 'utimesSync', 'chmodSync'])) {
  const call = /** @type {(...args: unknown[]) => void} */ (original[name])
  Object.assign(fs, {
    /** @param {[string, ...unknown[]]} args */
    [name]: (...args) =>
      exists(args[0])
        ? step(`${name.slice(0, -4)} ${place(args[0])}`, () => call(...args))
        : call(...args),
  })
}
for (const name of /** @type {const} */ ([
  'fsyncSync',
  'futimesSync',
  'fchmodSync',
  'ftruncateSync',
])) {
  const call = /** @type {(...args: unknown[]) => void} */ (original[name])
  Object.assign(fs, {
    /** @param {unknown[]} args */
    [name]: (...args) =>
      step(`${name.slice(0, -4)} ${names.get(Number(args[0]))}`, () => call(...args)),
  })
}

Object.assign(promises, {
  /** @param {Parameters<typeof promises.open>} args */
  open: async (...args) => {
    const name = place(args[0])
    const file = writes(args[1] ?? 'r')
      ? await step(`open ${name}`, () => openFile(...args))
      : await openFile(...args)
    const sync = file.sync.bind(file)
    return Object.assign(file, {
      sync: async () => step(`fsync ${name}`, sync),
      /** @param {Buffer} data */
      writeFile: async data => {
        const half = data.length >> 1
        for (const part of [data.subarray(0, half), data.subarray(half)])
          await stepOrShort(`write ${name}`, () => file.write(part))
      },
    })
  },
})
for (const name of /** @type {const} */ (['link', 'rename', 'rm', 'unlink', 'mkdir', 'utimes'])) {
  const call = /** @type {(...args: unknown[]) => Promise<void>} */ (promises[name])
  Object.assign(promises, {
    /** @param {unknown[]} args */
    [name]: async (...args) => step(`${name} ${place(args[0])}`, () => call(...args)),
  })
}

const writingGits = ['update-ref', 'update-index', 'read-tree', 'worktree', 'merge-file']

Object.assign(childProcess, {
  /** @param {Parameters<typeof spawn>} args */
  spawn: (...args) => {
    const git = (args[1] ?? []).find(word => writingGits.includes(word))
    if (git === undefined) return spawn(...args)
    const child = step(`start ${git}`, () => spawn(...args))
    const { stdin } = child
    if (stdin === null) return child
    const [write, end] = [stdin.write.bind(stdin), stdin.end.bind(stdin)]
    /** @param {string | Uint8Array} chunk */
    const tellGit = chunk => step(`tell ${git} ${wordsOf(chunk)}`, () => write(chunk), child.pid)
    return Object.assign(child, {
      stdin: Object.assign(stdin, {
        write: tellGit,
        /** @param {string | Uint8Array} [chunk] */
        end: chunk => {
          if (chunk !== undefined && chunk.length > 0) tellGit(chunk)
          return end()
        },
      }),
    })
  },
})

/**
 * The first words of what a git is told, without names.
 * @param {string | Uint8Array} chunk
 */
function wordsOf(chunk) {
  const lines = Buffer.from(chunk).toString('latin1').split('\n')
  return lines
    .map(line => /^[a-z]+/.exec(line)?.[0])
    .filter(word => word !== undefined)
    .join(',')
}

/**
 * @param {number} fd
 * @param {Uint8Array} bytes
 */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length; ) at += original.writeSync(fd, bytes, at)
}

/** @param {string | NodeJS.ArrayBufferView} data */
function bytesOf(data) {
  return typeof data === 'string'
    ? Buffer.from(data)
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

syncBuiltinESMExports()
