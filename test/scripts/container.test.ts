import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { programArguments } from '../../scripts/container/arguments.mjs'
import { isRepository, mountPoints, vouchedFor } from '../../scripts/container/mounts.mjs'
import { namesRepository, switches } from '../../scripts/names-repository.mjs'
import { runProgram } from '../faces/cli/run.js'
import { makeRepository } from '../support/repository.js'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'container-')))
afterAll(() => rmSync(place, { recursive: true }))

test('mounts are read as the kernel writes them', () => {
  const mountinfo = [
    '22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
    '36 22 98:0 /mnt1 /home/me/my\\040project rw,noatime master:1 - ext3 /dev/root rw',
    '37 22 0:5 / /proc rw - proc proc rw',
    '38 22 98:0 /a\\134b /home/me/a\\134b rw - ext3 /dev/root rw',
    '',
  ].join('\n')
  expect(mountPoints(mountinfo)).toEqual(['/home/me/my project', '/proc', '/home/me/a\\b'])
})

describe('the command line of the container', () => {
  test.each<[string, readonly string[], readonly string[], readonly string[] | undefined]>([
    ['nothing serves what is mounted', [], ['/a', '/b'], ['serve', '/a', '/b']],
    ['so does serve', ['serve'], ['/a'], ['serve', '/a']],
    ['a path alone is served', ['/b'], ['/a'], ['serve', '/b']],
    ['what is named is served alone', ['serve', '/b'], ['/a'], ['serve', '/b']],
    ['flags are kept, and come last', ['--port', '9'], ['/a'], ['serve', '--port', '9', '/a']],
    [
      'a value is no repository',
      ['serve', '--token-file', '/t'],
      ['/a'],
      ['serve', '--token-file', '/t', '/a'],
    ],
    [
      'a repository after a switch is one',
      ['serve', '--no-watch', '/b'],
      ['/a'],
      ['serve', '--no-watch', '/b'],
    ],
    ['mcp', ['mcp'], ['/a'], ['mcp', '/a']],
    ['without a repository there is nothing to do', ['serve'], [], undefined],
    ['help needs none', ['serve', '--help'], [], ['serve', '--help']],
    ['the version needs none', ['--version'], [], ['--version']],
    ['other commands stay as they are', ['doctor', '--json'], ['/a'], ['doctor', '--json']],
  ])('%s', (_, args, mounted, expected) => {
    expect(programArguments(args, mounted)).toEqual(expected)
  })
})

test('the switches are those that the program has', async () => {
  const { stdout } = await runProgram(['serve', '--help'])
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)( <)?/gm)]
  const alone = flags.filter(([, , value]) => value === undefined).map(([, flag = '']) => flag)
  expect(flags.length).toBeGreaterThan(alone.length)
  expect(alone.filter(flag => namesRepository([flag, '/a']) === false)).toEqual([])
  expect(alone).toEqual(expect.arrayContaining(switches.filter(flag => flag !== '--version')))
})

describe('the start of the container is the program', () => {
  const start = (args: readonly string[], input = ''): string => {
    const env = { ...process.env, XDG_STATE_HOME: join(place, 'state') }
    const script = ['scripts/container/entry.mjs', ...args]
    const { stdout, stderr } = spawnSync(process.execPath, script, { env, input })
    return `${stdout}${stderr}`
  }

  test('which says its version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(start(['--version'])).toBe(`${version}\n`)
  })

  test('which serves a client over its standard streams', async () => {
    const { path } = await makeRepository({ 'a.txt': 'a' })
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const asked = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    expect(start(['mcp', path], `${JSON.stringify(asked)}\n`)).toContain('"name":"editlatch"')
  })
})

test('a checkout and a bare repository are repositories', () => {
  const checkout = makeCheckout('checkout')
  const bare = join(place, 'bare.git')
  for (const name of ['objects', 'refs']) mkdirSync(join(bare, name), { recursive: true })
  expect(isRepository(bare)).toBe(false)
  writeFileSync(join(bare, 'HEAD'), '')
  const places = [place, checkout, bare, join(checkout, 'file'), join(place, 'gone')]
  expect(places.map(isRepository)).toEqual([false, true, true, false, false])
})

describe.skipIf(process.getuid?.() !== 0)('whose repositories are declared safe', () => {
  test.each<[string, mount: number, checkout: number, gitDir: number, us: number, boolean]>([
    ['one of the owner of the mount', 1001, 1001, 1001, 1000, true],
    ['our own needs no declaration', 1000, 1000, 1000, 1000, false],
    ['one of a third person', 1001, 1002, 1002, 1000, false],
    ['one whose git directory is of a third person', 1001, 1001, 1002, 1000, false],
    ['one of a third person in what is ours', 1000, 1002, 1002, 1000, false],
  ])('%s', async (name, mountOwner, owner, gitOwner, us, isSafe) => {
    const mount = join(place, name)
    const checkout = makeCheckout(join(name, 'below'))
    await chown(mount, mountOwner, 0)
    await chown(checkout, owner, 0)
    await chown(join(checkout, '.git'), gitOwner, 0)
    expect(vouchedFor([checkout], [mount], us)).toEqual(isSafe ? [checkout] : [])
  })

  test.each<[string, gitDir: number, commonDir: number, boolean]>([
    ['all of the owner of the mount', 1001, 1001, true],
    ['its directory of a third person', 1002, 1001, false],
    ['what it is linked to of a third person', 1001, 1002, false],
  ])('one whose .git is a file: %s', async (name, gitOwner, commonOwner, isSafe) => {
    const mount = join(place, name)
    const checkout = join(mount, 'below')
    const [gitDir, commonDir] = [join(mount, 'git'), join(mount, 'common')]
    for (const directory of [checkout, gitDir, commonDir]) mkdirSync(directory, { recursive: true })
    writeFileSync(join(checkout, '.git'), 'gitdir: ../git\n')
    writeFileSync(join(gitDir, 'commondir'), '../common\n')
    for (const part of [mount, checkout, join(checkout, '.git')]) await chown(part, 1001, 0)
    await chown(gitDir, gitOwner, 0)
    await chown(commonDir, commonOwner, 0)
    expect(vouchedFor([checkout], [mount], 1000)).toEqual(isSafe ? [checkout] : [])
  })

  test('none whose name stands for all beside it', async () => {
    const checkout = makeCheckout('star/*')
    const parts = [join(place, 'star'), checkout, join(checkout, '.git')]
    for (const part of parts) await chown(part, 1001, 0)
    expect(vouchedFor([checkout], [join(place, 'star')], 1000)).toEqual([])
  })

  test('none that is not mounted, or not there', async () => {
    const checkout = makeCheckout('image')
    await chown(checkout, 1001, 0)
    await chown(join(checkout, '.git'), 1001, 0)
    expect(vouchedFor([checkout, join(place, 'gone')], ['/elsewhere'], 1000)).toEqual([])
  })
})

function makeCheckout(name: string): string {
  const checkout = join(place, name)
  mkdirSync(join(checkout, '.git'), { recursive: true })
  writeFileSync(join(checkout, 'file'), '')
  return checkout
}
