/** @typedef {{ find: string, replace: string }} Edit */
/**
 * The same edit is said as a patch too, in the format of apply_patch, where that is how it is to be said.
 * @typedef {{ name: string, path: string, edit: Edit, patch?: string }} MatchCase
 */

/**
 * A file of functions, no two alike.
 * @param {number} lines
 */
export function codeFile(lines) {
  const text = []
  for (let index = 0; text.length < lines; index += 1) text.push(...functionLines(index))
  return `${text.slice(0, lines).join('\n')}\n`
}

/** @param {number} index */
function functionLines(index) {
  return [
    `export function handle${index}(request, options) {`,
    `  const limit = options.limit${index % 7} ?? ${index}`,
    `  if (request.size > limit) {`,
    `    throw new RangeError("request ${index} is larger than " + limit)`,
    `  }`,
    `  const entries = request.entries.filter(entry => entry.kind === "kind${index}")`,
    `  return entries.map(entry => transform${index}(entry, limit))`,
    `}`,
    ``,
    `const transform${index} = (entry, limit) => ({ ...entry, limit, index: ${index} })`,
  ]
}

/**
 * The same edit of a function in the middle of the file, said ever less exactly.
 * @param {number} lines
 * @returns {readonly MatchCase[]}
 */
export function matchCases(lines) {
  const index = Math.floor(lines / 20)
  const block = functionLines(index).slice(0, 8)
  /** @param {(line: string, at: number) => string} distort */
  const said = distort => block.map(distort)
  /** @param {string} name @param {readonly string[]} wanted @param {string} path @returns {MatchCase} */
  const make = (name, wanted, path = 'a.js') => ({
    name,
    path,
    edit: {
      find: wanted.join('\n'),
      replace: wanted.with(6, `${wanted[6]}.reverse()`).join('\n'),
    },
  })
  /** @param {string} name @param {readonly string[]} wanted @returns {MatchCase} */
  const makePatch = (name, wanted) => ({ ...make(name, wanted), patch: patchOf(wanted) })
  const misremembered = said((line, at) =>
    line.replace(/handle\d+/, 'handleNone').replace(/^ {2}/, at === 5 ? '  await ' : '  '),
  )
  return [
    make('exact', block),
    make(
      'trailing',
      said(line => `${line} `),
      'a.py',
    ),
    make(
      'trimmed',
      said(line => line.replace(/^ +/, spaces => spaces.repeat(2))),
    ),
    make(
      'normalised',
      said(line => line.replaceAll(' = ', '  =  ').replaceAll(' > ', '  >  ')),
    ),
    make(
      'shifted',
      said(line => `    ${line}`),
      'a.py',
    ),
    make(
      'block',
      said(line => line.replace('larger than', 'greater than')),
    ),
    make('no match', misremembered),
    make('nothing like it', [
      'first line that is nowhere',
      '  second line',
      'third line',
      'fourth',
      'fifth',
      'sixth',
      'seventh',
      'eighth',
    ]),
    makePatch('V4A', block),
    makePatch(
      'V4A trailing',
      said(line => `${line} `),
    ),
    makePatch(
      'V4A trimmed',
      said(line => line.replace(/^ +/, spaces => spaces.repeat(2))),
    ),
    makePatch('V4A no match', misremembered),
  ]
}

/**
 * A patch of one hunk that changes the seventh of these lines.
 * @param {readonly string[]} wanted
 */
function patchOf(wanted) {
  const lines = wanted.flatMap((line, at) =>
    at === 6 ? [`-${line}`, `+${line}.reverse()`] : [` ${line}`],
  )
  const section = ['*** Begin Patch', '*** Update File: a.js', '@@', ...lines, '*** End Patch']
  return `${section.join('\n')}\n`
}
