// Builds a bare repository of a given number of text files with a past, the same for the same number.
import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gitEnvironment, gitText } from '../replay/git.mjs'
import { randomFrom } from '../torture/random.mjs'

const commits = 300
const words =
  'and as at be by const else export file for from function if import in is let line new not of on or read return string that the then this to tree value when with write'.split(
    ' ',
  )

/**
 * @param {string} directory
 * @param {number} files
 */
export async function buildRepository(directory, files) {
  gitText('/', ['init', '--quiet', '--bare', '-b', 'main', directory])
  const args = ['fast-import', '--quiet', '--force', '--depth=5']
  const options = /** @type {const} */ (['pipe', 'ignore', 'inherit'])
  const child = spawn('git', args, { cwd: directory, env: gitEnvironment, stdio: [...options] })
  const ended = new Promise(resolve => child.once('exit', resolve))
  await pipeline(Readable.from(history(files)), child.stdin)
  if ((await ended) !== 0) throw new Error('git fast-import failed')
}

/** @param {number} files */
function* history(files) {
  const random = randomFrom(files)
  for (let commit = 0; commit < commits; commit += 1) {
    yield `commit refs/heads/main\ncommitter A Person <person@example.com> ${1_700_000_000 + commit * 3600} +0000\n`
    yield data(`commit ${commit}`)
    const count = commit === 0 ? files : 1 + random(5)
    for (let index = 0; index < count; index += 1) {
      const file = commit === 0 ? index : random(files)
      yield `M 100644 inline ${pathOf(file, files)}\n${data(textOf(random))}`
    }
    yield '\n'
  }
}

/** @param {string} text */
function data(text) {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

/**
 * About a dozen files in a directory and a dozen directories in a directory.
 * @param {number} file
 * @param {number} files
 */
function pathOf(file, files) {
  const names = [`file-${file % 12}.ts`]
  for (let left = Math.floor(file / 12), all = files / 12; all > 1; all /= 12) {
    names.unshift(`part-${left % 12}`)
    left = Math.floor(left / 12)
  }
  return names.join('/')
}

/** @param {(below: number) => number} random */
function textOf(random) {
  const lines = Array.from({ length: 10 + random(90) }, () => {
    const line = Array.from({ length: 1 + random(9) }, () => words[random(words.length)])
    return `${' '.repeat(2 * random(4))}${line.join(' ')}\n`
  })
  return lines.join('')
}
