import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { type ClientName, clients } from '#src/faces/cli/clients.js'
import type { Doors } from '#src/faces/cli/doors.js'
import { runProgram } from '#src/faces/cli/program.js'
import { readJsonc } from '#src/formats/config/jsonc.js'
import { readClientFile, renderClientFile, writeClientFile } from '#src/io/state/client-file.js'
import type { Ran } from './run.js'

const names = Object.keys(clients) as readonly ClientName[]

const never = (): never => {
  throw new Error('not for this command')
}

const doors: Doors = {
  openGateway: never,
  openRefusalRecorder: never,
  readToken: never,
  readSettings: never,
  createHttpFace: never,
  serveMcpStdio: never,
  clientFiles: async () => ({
    render: renderClientFile,
    read: readClientFile,
    write: writeClientFile,
  }),
}

interface Place {
  readonly home: string
  readonly project: string
}

async function makePlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'clients-'))
  const place = { home: join(root, 'home'), project: join(root, 'project') }
  for (const directory of Object.values(place)) await mkdir(directory)
  return place
}

/** Runs the program in this process, as in a directory of its own. */
async function run({ home, project }: Place, args: readonly string[]): Promise<Ran> {
  const printed = { stdout: '', stderr: '' }
  const output = (name: keyof typeof printed) => ({
    write: (text: string | Uint8Array): void => {
      printed[name] += String(text)
    },
  })
  const code = await runProgram(
    {
      args: ['mcp-config', ...args],
      env: { HOME: home },
      cwd: project,
      platform: 'linux',
      stdin: (async function* () {})(),
      stdout: output('stdout'),
      stderr: output('stderr'),
      stopped: new AbortController().signal,
    },
    doors,
    '0',
  )
  return { code, ...printed }
}

/** Where each client looks, and how it says that there is a server. */
const files: Readonly<
  Record<
    ClientName,
    { readonly project: string; readonly user: string; readonly at: readonly string[] }
  >
> = {
  'claude-code': { project: '.mcp.json', user: '.claude.json', at: ['mcpServers'] },
  cursor: { project: '.cursor/mcp.json', user: '.cursor/mcp.json', at: ['mcpServers'] },
  vscode: { project: '.vscode/mcp.json', user: '.config/Code/User/mcp.json', at: ['servers'] },
  codex: { project: '.codex/config.toml', user: '.codex/config.toml', at: ['mcp_servers'] },
  opencode: {
    project: 'opencode.json',
    user: '.config/opencode/opencode.json',
    at: ['mcp', 'servers'],
  },
  zed: {
    project: '.zed/settings.json',
    user: '.config/zed/settings.json',
    at: ['context_servers'],
  },
  gemini: { project: '.gemini/settings.json', user: '.gemini/settings.json', at: ['mcpServers'] },
}

const variable = (name: string): string => `\${${name}}`
const isToml = (name: ClientName): boolean => name === 'codex'
const read = (name: ClientName, text: string): ReturnType<typeof JSON.parse> =>
  isToml(name) ? parseToml(text) : readJsonc(text)

function serversIn(name: ClientName, text: string): Readonly<Record<string, unknown>> {
  return files[name].at.reduce((inner, key) => inner?.[key], read(name, text)) ?? {}
}

/** A file with other servers, comments and what else people write. */
function busyFile(name: ClientName): string {
  if (isToml(name)) {
    return [
      'model = "best" # of all',
      '',
      '# mine',
      '[mcp_servers.other]',
      'command = "other"',
      'args = ["[mcp_servers.editlatch]"]',
      '',
      '[mcp_servers.other.env]',
      'A = """',
      '[not.a.table]',
      '"""',
      '# the end',
      '',
    ].join('\r\n')
  }
  const [outer = '', inner] = files[name].at
  const server = '"other": { "command": "x", "type": "stdio" } // mine'
  const servers =
    inner === undefined
      ? `{\n\t\t// first\n\t\t${server}\n\t}`
      : `{\n\t\t"${inner}": {\n\t\t\t${server}\n\t\t}\n\t}`
  return `// a head\n{\n\t"theme": "dark", /* why not */\n\t"${outer}": ${servers},\n\t"last": [1, 2,], // last\n}\n`
}

/** The lines that are not ours. */
function withoutOurs(text: string): readonly string[] {
  return text.split(/\r?\n/).map(line => line.replace(/,(?=\s*(?:\/\/.*)?$)/, ''))
}

describe.each(names)('%s', name => {
  const path = ({ project }: Place): string => join(project, files[name].project)

  async function placeWith(text: string | undefined): Promise<Place> {
    const place = await makePlace()
    if (text === undefined) return place
    await mkdir(dirname(path(place)), { recursive: true })
    await writeFile(path(place), text)
    return place
  }

  test('is told in a file that is not there', async () => {
    const place = await placeWith(undefined)
    const { code, stdout } = await run(place, [name, '--write'])
    expect([code, stdout]).toEqual([0, `created: editlatch in ${path(place)}\n`])
    const text = await readFile(path(place), 'utf8')
    expect(Object.keys(serversIn(name, text))).toEqual(['editlatch'])
    expect(JSON.stringify(serversIn(name, text).editlatch)).toContain('"editlatch","mcp"')
    const shown = await run(place, [name])
    expect([shown.stdout, shown.stderr]).toEqual([text, expect.stringContaining(path(place))])
  })

  test('is told in an empty file', async () => {
    const place = await placeWith(' \n')
    expect((await run(place, [name, '--write'])).stdout).toMatch(/^added/)
    const text = await readFile(path(place), 'utf8')
    expect(Object.keys(serversIn(name, text))).toEqual(['editlatch'])
  })

  test('keeps other servers, comments and everything else, once and for all', async () => {
    const before = busyFile(name)
    const place = await placeWith(before)
    await chmod(path(place), 0o640)
    expect((await run(place, [name, '--write'])).stdout).toMatch(/^added/)
    const text = await readFile(path(place), 'utf8')
    expect(Object.keys(serversIn(name, text))).toEqual(['other', 'editlatch'])
    const lines = withoutOurs(text)
    expect(withoutOurs(before).filter(line => !lines.includes(line))).toEqual([])
    expect(text.split('\n').filter(line => /\bmine\b/.test(line))).toHaveLength(1)
    expect(/\bother\b.*mine/.test(text) || isToml(name)).toBe(true)
    expect([(await lstat(path(place))).mode & 0o777, await readdir(dirname(path(place)))]).toEqual([
      0o640,
      expect.not.arrayContaining([expect.stringMatching(/\.[0-9a-f]{8,}$/)]),
    ])
    expect((await run(place, [name, '--write'])).stdout).toMatch(/^unchanged/)
    expect(await readFile(path(place), 'utf8')).toBe(text)
  })

  test('has another entry of the name replaced only where that is meant', async () => {
    const place = await placeWith(busyFile(name))
    await run(place, [name, '--write'])
    const before = await readFile(path(place), 'utf8')
    const refused = await run(place, [name, '--write', '--repo', place.project])
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringMatching(/INVALID_SETTINGS.*something else stands there.*--force/s),
    ])
    expect(await readFile(path(place), 'utf8')).toBe(before)
    const forced = await run(place, [name, '--write', '--repo', place.project, '--force'])
    expect(forced.stdout).toMatch(/^replaced/)
    const text = await readFile(path(place), 'utf8')
    expect(JSON.stringify(serversIn(name, text).editlatch)).toContain(place.project)
    expect(Object.keys(serversIn(name, text))).toEqual(['other', 'editlatch'])
    expect(withoutOurs(busyFile(name)).filter(line => !withoutOurs(text).includes(line))).toEqual(
      [],
    )
    const second = await run(place, [name, '--write', '--name', 'second'])
    expect(second.stdout).toMatch(/^added: second/)
  })

  test('keeps a file that cannot be read', async () => {
    const broken = isToml(name) ? 'a = 1\nb = = 2\n' : '{\n  "a": [}\n'
    const place = await placeWith(broken)
    const { code, stderr } = await run(place, [name, '--write', '--force'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('line 2 is not')])
    expect(stderr).toContain(`file: ${path(place)}`)
    expect(await readFile(path(place), 'utf8')).toBe(broken)
  })

  test('follows no link', async () => {
    const place = await placeWith(undefined)
    const elsewhere = join(place.home, 'elsewhere')
    await writeFile(elsewhere, '')
    await mkdir(dirname(path(place)), { recursive: true })
    await symlink(elsewhere, path(place))
    const { code, stderr } = await run(place, [name, '--write'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('it is a symbolic link')])
    expect(await readFile(elsewhere, 'utf8')).toBe('')
  })

  test('is told of a running server, and never the token', async () => {
    const place = await makePlace()
    const url = 'http://127.0.0.1:8080'
    const { stdout } = await run(place, [name, '--http', url, '--scope', 'user', '--json'])
    const { path: file, text } = JSON.parse(stdout)
    expect(file).toBe(join(place.home, files[name].user))
    const told = JSON.stringify(serversIn(name, text).editlatch)
    expect(told).toContain(`"${url}/mcp"`)
    expect(told).toMatch(/EDITLATCH_TOKEN|input:editlatch-token/)
  })
})

describe('what differs between clients', () => {
  test.each<[string, readonly string[], string | undefined]>([
    ['claude-code', [], 'claude mcp add --scope project editlatch -- npx -y editlatch mcp'],
    [
      'claude-code',
      ['--http', 'http://h:1/mcp', '--scope', 'user'],
      `claude mcp add --transport http --scope user editlatch http://h:1/mcp --header 'Authorization: Bearer ${variable('EDITLATCH_TOKEN')}'`,
    ],
    ['codex', [], undefined],
    [
      'codex',
      ['--scope', 'user', '--dialect', 'apply_patch,ops'],
      'codex mcp add editlatch -- npx -y editlatch mcp --dialects apply_patch,ops',
    ],
    [
      'codex',
      ['--scope', 'user', '--http', 'https://h'],
      'codex mcp add editlatch --url https://h/mcp --bearer-token-env-var EDITLATCH_TOKEN',
    ],
    ['cursor', [], undefined],
    ['vscode', [], undefined],
    [
      'vscode',
      ['--scope', 'user', '--name', 'e'],
      `code --add-mcp '{"name":"e","command":"npx","args":["-y","editlatch","mcp","\${workspaceFolder}"]}'`,
    ],
    [
      'opencode',
      ['--scope', 'user'],
      'opencode mcp add editlatch --global -- npx -y editlatch mcp',
    ],
    ['gemini', [], undefined],
    ['zed', [], undefined],
  ])('%s %j: its own command', async (name, args, command) => {
    const { stdout } = await run(await makePlace(), [name, '--json', ...args])
    expect(JSON.parse(stdout).command).toBe(command)
  })

  test('VS Code asks for the token itself, once', async () => {
    const place = await makePlace()
    const file = join(place.project, '.vscode/mcp.json')
    await mkdir(dirname(file))
    await writeFile(file, '{"inputs": [{"id": "other"}], "servers": {}}')
    for (const url of ['http://a', 'http://b']) {
      expect((await run(place, ['vscode', '--http', url, '--write', '--force'])).code).toBe(0)
    }
    const { inputs, servers } = read('vscode', await readFile(file, 'utf8'))
    expect(inputs.map(({ id }: { readonly id: string }) => id)).toEqual([
      'other',
      'editlatch-token',
    ])
    expect(servers.editlatch.headers).toEqual({
      Authorization: `Bearer ${variable('input:editlatch-token')}`,
    })
  })

  test('opencode 1 keeps its own form, and opencode.jsonc goes before opencode.json', async () => {
    const place = await makePlace()
    const file = join(place.project, 'opencode.jsonc')
    await writeFile(join(place.project, 'opencode.json'), '{}')
    await writeFile(file, '{"mcp": {"other": {"type": "local", "command": ["x"]}}}')
    await run(place, ['opencode', '--write'])
    const { mcp } = read('opencode', await readFile(file, 'utf8'))
    expect(mcp.editlatch).toEqual({ type: 'local', command: ['npx', '-y', 'editlatch', 'mcp'] })
  })

  test.each<[ClientName, string, string]>([
    ['cursor', '.cursor/mcp.json', '{"mcpServers": {}}\r\n'],
    ['codex', '.codex/config.toml', 'model = "best"\r\n'],
  ])('the file of %s keeps its byte order mark', async (name, file, text) => {
    const place = await makePlace()
    const path = join(place.project, file)
    await mkdir(dirname(path))
    await writeFile(path, `\ufeff${text}`)
    expect(await run(place, [name, '--write'])).toMatchObject({ code: 0 })
    const written = await readFile(path, 'utf8')
    expect(written.lastIndexOf('\ufeff')).toBe(0)
    expect(serversIn(name, written.slice(1))).toHaveProperty('editlatch')
  })

  test('Zed has no place for a variable, so nothing is written', async () => {
    const place = await makePlace()
    const { code, stderr } = await run(place, ['zed', '--http', 'http://h', '--write'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('YOUR_EDITLATCH_TOKEN')])
    expect(await readdir(place.project)).toEqual([])
  })
})

test.each([
  [['cursor', '--name', 'thirteen-char'], 2],
  [['cursor', '--name', 'a.b'], 2],
  [['emacs'], 2],
  [['cursor', '--dialect', 'luck'], 3],
  [['cursor', '--repo', 'nowhere'], 3],
  [['cursor', '--http', 'file:///etc/passwd'], 3],
  [['cursor', '--http', 'http://me:secret@h'], 3],
  [['cursor', '--http', 'http://h', '--dialect', 'ops'], 3],
])('%j is refused', async (args, code) => {
  expect((await run(await makePlace(), args)).code).toBe(code)
})
