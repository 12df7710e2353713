// Ways in which a block of lines is misremembered, for the benchmark of the ladder.

/** @typedef {{ int(from: number, to: number): number, pick<T>(list: readonly T[]): T }} Random */
/**
 * A misremembered block: its lines, and for each the line of the true block that it stands for.
 * @typedef {{ lines: string[], origins: (number | undefined)[] }} Remembered
 */

/** @type {readonly { name: string, mutate(block: readonly string[], random: Random): Remembered }[]} */
export const mutations = [
  { name: 'exact', mutate: block => same([...block]) },
  { name: 'trailing space', mutate: block => same(block.map(line => `${line}  `)) },
  { name: 'no trailing space', mutate: block => same(block.map(line => line.trimEnd())) },
  {
    name: 'indented deeper',
    mutate: block => same(block.map(line => (line === '' ? '' : `    ${line}`))),
  },
  { name: 'indented less', mutate: block => same(outdent(block)) },
  {
    name: 'tabs for spaces',
    mutate: block =>
      same(
        block.map(line => line.replace(/^ +/, spaces => '\t'.repeat(Math.ceil(spaces.length / 4)))),
      ),
  },
  {
    name: 'spaces for tabs',
    mutate: block =>
      same(block.map(line => line.replace(/^\t+/, tabs => '  '.repeat(tabs.length)))),
  },
  {
    name: 'spaces inside',
    mutate: (block, random) =>
      same(change(block, 2, random, line => line.replace(/(\S) (\S)/, '$1  $2'))),
  },
  {
    name: 'one typo',
    mutate: (block, random) => same(change(block, 1, random, line => typo(line, random))),
  },
  {
    name: 'three typos',
    mutate: (block, random) => same(change(block, 3, random, line => typo(line, random))),
  },
  {
    name: 'one word',
    mutate: (block, random) => same(change(block, 1, random, line => otherWord(line, random))),
  },
  {
    name: 'four words',
    mutate: (block, random) => same(change(block, 4, random, line => otherWord(line, random))),
  },
  {
    name: 'line left out',
    mutate: (block, random) => without(block, random.int(1, block.length - 1)),
  },
  {
    name: 'line made up',
    mutate: (block, random) => withExtra(block, random.int(1, block.length - 1)),
  },
  {
    name: 'half made up',
    mutate: (block, random) =>
      same(
        change(block, Math.ceil(block.length / 2), random, () => '  completely = different(thing)'),
      ),
  },
]

/** @param {string[]} lines @returns {Remembered} */
function same(lines) {
  return { lines, origins: lines.map((_, index) => index) }
}

/** @param {readonly string[]} block */
function outdent(block) {
  const told = block.filter(line => line.trim() !== '')
  const least = Math.min(...told.map(line => line.length - line.trimStart().length))
  return block.map(line => line.slice(Math.min(least, line.length)))
}

/**
 * Changes some lines between the first and the last.
 * @param {readonly string[]} block @param {number} count @param {Random} random @param {(line: string) => string} mutate
 */
function change(block, count, random, mutate) {
  const lines = [...block]
  for (let times = 0; times < count; times += 1) {
    const at = random.int(1, Math.max(2, block.length - 1))
    lines[at] = mutate(lines[at] ?? '')
  }
  return lines
}

/** @param {string} line @param {Random} random */
function typo(line, random) {
  const at = random.int(0, line.length + 1)
  return random.pick([
    () => line.slice(0, at) + line.slice(at + 1),
    () => `${line.slice(0, at)}x${line.slice(at)}`,
    () => `${line.slice(0, at)}z${line.slice(at + 1)}`,
  ])()
}

/** @param {string} line @param {Random} random */
function otherWord(line, random) {
  const words = [...line.matchAll(/[A-Za-z_]{3,}/g)]
  if (words.length === 0) return `${line} // note`
  const word = random.pick(words)
  return `${line.slice(0, word.index)}otherName${line.slice(word.index + word[0].length)}`
}

/** @param {readonly string[]} block @param {number} at @returns {Remembered} */
function without(block, at) {
  return { lines: block.toSpliced(at, 1), origins: block.map((_, index) => index).toSpliced(at, 1) }
}

/** @param {readonly string[]} block @param {number} at @returns {Remembered} */
function withExtra(block, at) {
  const indent = /^[ \t]*/.exec(block[at] ?? '')?.[0] ?? ''
  return {
    lines: block.toSpliced(at, 0, `${indent}prepare(everything)`),
    origins: /** @type {(number | undefined)[]} */ (block.map((_, index) => index)).toSpliced(
      at,
      0,
      undefined,
    ),
  }
}
