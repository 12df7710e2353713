import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { pack, run, unpack } from '../scripts/package/pack.mjs'
import { tool } from '../scripts/setup.mjs'

const place = mkdtempSync(join(tmpdir(), 'package-'))
afterAll(() => rmSync(place, { recursive: true }))

const packed = pack(place)
const directory = unpack(packed.tarball, place)
const paths = packed.files.map(({ path }) => path)
const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))

test('it holds what is built, and what says what it is', () => {
  const tops = [...new Set(paths.map(path => path.split('/')[0] ?? ''))].sort()
  const optional = ['server.json'].filter(name => existsSync(name))
  expect(tops).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', ...optional])
  const kinds = new Set(paths.map(path => /(?:\.d)?\.\w+$/.exec(path)?.[0] ?? path))
  expect([...kinds].sort()).toEqual(
    ['.d.ts', '.gz', '.js', '.json', '.map', '.md', 'LICENSE'].sort(),
  )
  console.log(`${paths.length} files, ${packed.size} bytes, unpacked ${packed.unpackedSize}`)
  expect(packed.size).toBeLessThan(5_000_000)
})

test('every source has its program and its types, and every grammar is there', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const built = sources
    .filter(path => path.endsWith('.ts'))
    .flatMap(path => ['.js', '.d.ts', '.js.map'].map(kind => path.replace(/\.ts$/, kind)))
  const grammars = sources.filter(path => /\.wasm\.gz$|NOTICE\.md$/.test(path))
  expect(grammars.length).toBeGreaterThan(10)
  expect(paths.filter(path => path.startsWith('dist/')).sort()).toEqual(
    [...built, ...grammars].map(path => `dist/${path}`).sort(),
  )
})

test('every map is asked for, and holds what it points to', () => {
  const maps = paths.filter(path => path.endsWith('.map'))
  const wrong = maps.filter(path => {
    const script = readFileSync(join(directory, path.replace(/\.map$/, '')), 'utf8')
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(directory, path), 'utf8'))
    const named = `//# sourceMappingURL=${path.slice(dirname(path).length + 1)}`
    return !script.endsWith(named) || sourcesContent?.length !== sources.length
  })
  expect(wrong).toEqual([])
})

test('its program can be run', () => {
  const { editlatch } = manifest.bin
  expect(readFileSync(join(directory, editlatch), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(packed.files.find(({ path }) => path === editlatch)?.mode).toBe(0o755)
  expect(run(join(directory, editlatch), ['--version'], place).trim()).toBe(manifest.version)
})

test('what it exports is found by those who import it, with its types', () => {
  writeFileSync(
    join(place, 'import.mts'),
    `import { Gateway, type GatewayOptions } from 'editlatch'
import manifest from 'editlatch/package.json' with { type: 'json' }
import { createClient, type EditlatchClient, EditlatchRefusal } from 'editlatch/client'
const open: (options: GatewayOptions) => Promise<Gateway> = Gateway.open
const client: EditlatchClient = createClient({ url: 'http://127.0.0.1:1', token: 't' })
console.log(typeof open, typeof client.open, EditlatchRefusal.name, manifest.version)
`,
  )
  const ways = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--types', 'node']
  run(process.execPath, [tool('typescript/bin/tsc'), ...ways, 'import.mts'], place)
  const printed = run(process.execPath, ['import.mjs'], place)
  expect(printed).toBe(`function function EditlatchRefusal ${manifest.version}\n`)
})

test('nothing else of it can be imported', () => {
  const script = "import('editlatch/dist/main.js').catch(error => console.log(error.code))"
  expect(run(process.execPath, ['--input-type=module', '-e', script], place)).toBe(
    'ERR_PACKAGE_PATH_NOT_EXPORTED\n',
  )
})
