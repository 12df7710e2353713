// A program that keeps writing one file until its input ends: `node writer-child.mjs <how> <path>`. It tells how many
// times it has written; what it wrote the n-th time says so itself.
import { appendFileSync, closeSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [, , how = '', path = ''] = process.argv

/** @type {Readonly<Record<string, (text: string) => void>>} */
const ways = {
  /** Truncates and writes, as most programs save. */
  truncate: text => writeFileSync(path, text),
  /** Writes over the first bytes. */
  overwrite: text => {
    const file = openSync(path, 'r+')
    writeSync(file, text, 0)
    closeSync(file)
  },
  /** Puts a new file in its place, as careful programs save. */
  rename: text => {
    writeFileSync(`${path}~`, text)
    renameSync(`${path}~`, path)
  },
  append: text => appendFileSync(path, text),
}

let isOver = false
process.stdin.on('end', () => {
  isOver = true
})
process.stdin.resume()
process.stdout.write('ready\n')
let count = 0
while (!isOver) {
  for (let burst = 0; burst < 3; burst += 1) {
    count += 1
    ways[how]?.(`writer ${String(count).padStart(8, '0')}\n`)
  }
  await sleep(Math.random() * 10)
}
process.stdout.write(`${count}\n`)
