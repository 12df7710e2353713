import { expect, test } from 'vitest'
import type { CommandContext } from '#src/commands/command.js'
import { read } from '#src/commands/read.js'
import type { ManyFilesAnswer } from '#src/report/read-answers.js'
import { openGateway } from '../support/gateway.js'
import { makeRepository } from '../support/repository.js'

const script = [
  'a = "~" /* ~ */',
  'function wanted() {',
  '  // ~ x',
  '  one()',
  '  return "~"',
  '}',
]
const after = ['', 'function next() {', '  return 2', '}']
/** Sources in which lines 2 to 6 declare something; `~` is a place for something odd. */
const sources: Readonly<Record<string, readonly string[]>> = {
  ts: [...script, ...after],
  js: [...script, ...after],
  'broken.js': [...script, '', 'function next() {{', '  return ((2', '}'],
  py: [
    'a = "~" # ~ x',
    'def wanted():',
    '    # ~ x',
    '    x = "~"',
    '    y = 1',
    '    return x',
    '',
  ],
  go: ['package a // ~ x', 'func wanted() int {', '\t// ~ x', '\tone()', '\treturn 1', '}', ''],
  rb: ['a = "~" # ~ x', 'def wanted', '  # ~ x', '  one', '  1', 'end', '', 'def last', 'end'],
  vue: ['<script>', ...script.slice(1), ...after, '</script>', '<template>~</template>'],
  sh: ['a="~" # ~ x', 'wanted() {', '  # ~ x', '  one', '  two', '}', '', 'last() {', '}'],
}

/** What editors or languages may take for a break, and we do not. */
const signs = ['', '\f', '\v', '\u2028', '\u2029', '\u0085', '😀', '\r']
const breaks = ['\n', '\r\n', '\r']
const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'UTF-8': text => Buffer.from(text),
  'UTF-8 with a mark': text => Buffer.from(`\ufeff${text}`),
  'UTF-16LE': text => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16BE': text => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
}

interface Written {
  readonly what: string
  readonly path: string
  readonly bytes: Uint8Array
  /** The declaration without its breaks. */
  readonly declaration: readonly string[]
}

const files: readonly Written[] = Object.entries(sources).flatMap(([ending, plain]) =>
  signs.flatMap(sign => {
    const lines = plain.map(line => line.replaceAll('~', sign))
    const declaration = lines.slice(1, 6)
    const texts = breaks
      // Where every break is a CR it is none that is odd.
      .filter(end => end !== sign)
      .map(end => [end, lines.map(line => line + end).join('')] as const)
    const mixed = lines.map((line, at) => line + (at % 2 === 0 ? '\r\n' : '\n')).join('')
    return [...texts, ['mixed', mixed] as const].flatMap(([end, text]) =>
      Object.entries(encodings)
        .filter(([encoding]) => encoding === 'UTF-8' || ['', '\u2028'].includes(sign))
        .map(([encoding, encode]) => ({
          what: `${ending} with ${JSON.stringify([sign, end])} in ${encoding}`,
          path: `${encoding}/${signs.indexOf(sign)}/${[...breaks, 'mixed'].indexOf(end)}.${ending}`,
          bytes: encode(text),
          declaration,
        })),
    )
  }),
)

const repository = await makeRepository(
  Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])),
)
const { gateway, open } = await openGateway(repository)
const { id: worktree } = await open('alice')
const context: CommandContext = {
  caller: { kind: 'server' },
  signal: new AbortController().signal,
}

async function shown(paths: readonly string[]): Promise<readonly unknown[]> {
  const answer = await read.run(gateway, { worktree, paths: [...paths] }, context)
  if (answer.kind !== 'value') throw new Error('no files')
  const { files: told } = answer.value as ManyFilesAnswer
  return told.map(file => ('text' in file ? file.text : file))
}

test(`around a line stands its declaration, whatever breaks the lines of ${files.length} files`, async () => {
  const wrong: unknown[] = []
  for (const { what, path, bytes, declaration } of files) {
    const [around, symbol] = await shown([`${path}@4`, `${path}::wanted`])
    const all = new TextDecoder(
      /^UTF-16../.exec(what.split(' in ')[1] ?? '')?.[0] ?? 'utf-8',
    ).decode(bytes)
    const isPart = typeof around === 'string' && all.includes(around) && around === symbol
    const seen = isPart ? around.split(all.includes('\n') ? /\r?\n/ : '\r').slice(0, -1) : around
    if (JSON.stringify(seen) !== JSON.stringify(declaration)) wrong.push([what, around, symbol])
  }
  expect(wrong).toEqual([])
})
