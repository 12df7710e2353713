import { existsSync, readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'

interface Instruction {
  readonly name: string
  readonly text: string
}

const file = readFileSync('Dockerfile', 'utf8')
const ignored = readFileSync('.dockerignore', 'utf8')
const instructions = parse(file)

test('the linter finds nothing', () => expect(messages(file)).toEqual([]))

test.each([
  ['an unknown instruction', 'FROM a\nCOPPY a b'],
  ['a copy from nowhere', 'FROM a\nCOPY a'],
  ['a health check without a command', 'FROM a\nHEALTHCHECK --interval=30s'],
])('the linter sees %s', (_, text) => expect(messages(text)).not.toEqual([]))

test('our own rules find nothing', () => expect(problemsIn(instructions, ignored)).toEqual([]))

describe('our own rules see', () => {
  test.each<[string, (text: string) => string, string, string]>([
    ['a single stage', text => text.replace(/^FROM .* AS build$/m, ''), '', 'two stages'],
    ['root', text => text.replace('USER node', 'USER root'), '', 'USER'],
    ['the user of the build only', text => text.replace('USER node', ''), '', 'USER'],
    ['no health check', text => text.replace('HEALTHCHECK', 'LABEL'), '', 'HEALTHCHECK'],
    [
      'a shell before the program',
      text => text.replace(/ENTRYPOINT \[.*/, 'ENTRYPOINT node a'),
      '',
      'ENTRYPOINT',
    ],
    ['a source that is not there', text => text.replace('COPY src', 'COPY sources'), '', 'sources'],
    ['a source that is ignored', text => text, '\nsrc\n', 'src'],
    [
      'a wildcard for git',
      text => text.replace('WORKDIR /app', "RUN git config --system safe.directory '*'"),
      '',
      'safe.directory',
    ],
  ])('%s', (_, change, more, told) => {
    const problems = problemsIn(parse(change(file)), ignored + more)
    expect(problems.join('\n')).toContain(told)
  })
})

function messages(text: string): readonly string[] {
  return validate(text).map(({ message }) => String(message))
}

function problemsIn(list: readonly Instruction[], ignoreFile: string): readonly string[] {
  const last = list.slice(list.map(({ name }) => name).lastIndexOf('FROM'))
  const user = last.findLast(({ name }) => name === 'USER')?.text
  return [
    ...(stages(list) === 2 ? [] : ['there are not two stages']),
    ...(user === undefined || /^(?:root|0)\b/.test(user) ? ['USER is root'] : []),
    ...(last.some(({ name }) => name === 'HEALTHCHECK') ? [] : ['there is no HEALTHCHECK']),
    ...(/^\["\/usr\/bin\/tini"/.test(textOf(last, 'ENTRYPOINT')) ? [] : ['ENTRYPOINT is not tini']),
    ...(textOf(last, 'STOPSIGNAL') === 'SIGTERM' ? [] : ['STOPSIGNAL is not SIGTERM']),
    ...list.filter(({ text }) => text.includes('safe.directory')).map(({ text }) => text),
    ...sourcesOf(list).flatMap(source => [
      ...(existsSync(source) ? [] : [`${source} is not there`]),
      ...(isIgnored(source, ignoreFile) ? [`${source} is ignored`] : []),
    ]),
  ]
}

function stages(list: readonly Instruction[]): number {
  return list.filter(({ name }) => name === 'FROM').length
}

function textOf(list: readonly Instruction[], wanted: string): string {
  return list.find(({ name }) => name === wanted)?.text ?? ''
}

/** What is copied from the checkout, not from another stage. */
function sourcesOf(list: readonly Instruction[]): readonly string[] {
  return list
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from='))
    .flatMap(({ text }) => text.split(/\s+/).slice(0, -1))
}

/** The last pattern that fits decides. Ours are plain paths and one `*`. */
function isIgnored(path: string, ignoreFile: string): boolean {
  const patterns = ignoreFile.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  const fitting = patterns.filter(pattern => {
    const name = pattern.replace(/^!/, '')
    return name === '*' || name === path || path.startsWith(`${name}/`)
  })
  return fitting.at(-1)?.startsWith('!') === false
}

function parse(text: string): readonly Instruction[] {
  const lines = text
    .split('\n')
    .filter(line => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter(line => line.trim() !== '')
  return lines.map(line => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    return { name, text: rest }
  })
}
