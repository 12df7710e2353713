// A process of its own for the tests of races: `node race-child.mjs <what> <path> <outside>`.
import { closeSync, openSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , what = '', path = '', outside = ''] = process.argv
const lines = createInterface({ input: process.stdin })

function moveBack() {
  for (;;) {
    try {
      return renameSync(`${path}-real`, path)
    } catch {
      clear()
    }
  }
}

/** The other side may put something there while it is taken away. */
function clear() {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Whoever moves back looks again.
  }
}

/** @param {number} microseconds */
function pause(microseconds) {
  const end = performance.now() + microseconds / 1_000
  while (performance.now() < end);
}

/** @type {Readonly<Record<string, () => void>>} */
const parts = {
  /** Puts a link to the outside in the place of the directory and takes it away again, until told to stop. */
  swap() {
    let isRunning = true
    lines.once('line', () => {
      isRunning = false
    })
    const turn = () => {
      for (let round = 0; round < 20; round += 1) {
        renameSync(path, `${path}-real`)
        try {
          symlinkSync(outside, path)
        } catch {
          // The other side has made a directory in the gap.
        }
        clear()
        moveBack()
        pause(Math.random() * 200)
      }
      if (isRunning) setImmediate(turn)
      else lines.close()
    }
    process.stdout.write('ready\n')
    turn()
  },
  /** Overwrites the first byte of the file in place, as many microseconds after each line as it says. */
  write() {
    lines.on('line', line => {
      pause(Number(line))
      const file = openSync(path, 'r+')
      writeSync(file, '!', 0)
      closeSync(file)
      process.stdout.write('written\n')
    })
    process.stdout.write('ready\n')
  },
}

parts[what]?.()
