import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseOid } from '#src/core/oid.js'
import type { Parsers } from '#src/core/parsers.js'
import { packOutline } from '#src/formats/code/pack-outline.js'
import { emptyOutline, outlineByLines } from '#src/formats/code/read-outline.js'
import { type PlacedBlob, SymbolIndex } from '#src/gateway/repository/symbol-index.js'
import { RecordFile } from '#src/io/state/record-file.js'

const place = await mkdtemp(join(tmpdir(), 'symbols-'))
afterAll(() => rm(place, { recursive: true }))

const bounds = { fileBytes: 2 ** 24, recordBytes: 2 ** 20, records: 10_000 }
let stores = 0

/** Reads by lines, and counts what it was asked. */
function counting(): { readonly parsers: Parsers; readonly asked: string[] } {
  const asked: string[] = []
  const parsers: Parsers = {
    outline: async sources => {
      asked.push(...sources.map(({ path }) => path))
      return sources.map(source =>
        packOutline(
          source.text.includes('bomb')
            ? emptyOutline('typescript', 'too_complex')
            : outlineByLines(source),
        ),
      )
    },
  }
  return { parsers, asked }
}

function storeAt(path: string): RecordFile {
  return new RecordFile(() => Promise.resolve(path), bounds)
}

function newStore(): string {
  stores += 1
  return join(place, `store-${stores}`)
}

function blob(path: string, text: string): PlacedBlob {
  const bytes = Buffer.from(text)
  const oid = parseOid(createHash('sha1').update(`blob ${bytes.length}\0${text}`).digest('hex'))
  return { path, oid, bytes }
}

const blobs = [
  blob('a.ts', 'export function first() {}\n'),
  blob('b.py', 'def second():\n    pass\n'),
  blob('c.bin', 'x\0y'),
  blob('d.unknown', 'third\n'),
]

test('what one process read, the next knows without its bytes', async () => {
  const path = newStore()
  const [first, second] = [counting(), counting()]
  const index = new SymbolIndex(first.parsers, storeAt(path))
  const outlines = await index.outlines(blobs)
  await index.stop()
  const next = new SymbolIndex(second.parsers, storeAt(path))
  expect(await next.known(blobs)).toEqual([outlines[0], outlines[1], undefined, undefined])
  expect(await next.unread(blobs)).toEqual([])
  expect(await next.unread([blob('e.ts', 'new'), blob('f.unknown', 'new')])).toHaveLength(1)
  expect(await next.outlines(blobs)).toEqual(outlines)
  expect(outlines[0]?.symbols.map(({ name }) => name)).toEqual(['first'])
  expect({ first: first.asked, second: second.asked }).toEqual({
    first: ['a.ts', 'b.py'],
    second: [],
  })
})

test('equal bytes are read once for each language', async () => {
  const { parsers, asked } = counting()
  const index = new SymbolIndex(parsers, storeAt(newStore()))
  const text = 'export class One {}\n'
  await index.outlines([blob('a.ts', text), blob('b/c.ts', text), blob('d.py', text)])
  await index.outlines([blob('e.ts', text)])
  expect(asked).toEqual(['a.ts', 'd.py'])
})

test('what was too much for this machine is tried again by the next process', async () => {
  const path = newStore()
  const bomb = [blob('bomb.ts', 'bomb\n')]
  const [first, second] = [counting(), counting()]
  const index = new SymbolIndex(first.parsers, storeAt(path))
  await index.outlines(bomb)
  await index.outlines(bomb)
  await index.stop()
  await new SymbolIndex(second.parsers, storeAt(path)).outlines(bomb)
  expect([first.asked, second.asked]).toEqual([['bomb.ts'], ['bomb.ts']])
})

test('a store that cannot be used costs no answer', async () => {
  const { parsers } = counting()
  const index = new SymbolIndex(parsers, storeAt(place))
  const [outline] = await index.outlines(blobs)
  expect(outline?.symbols.map(({ name }) => name)).toEqual(['first'])
  expect(await index.known(blobs.slice(0, 1))).toEqual([outline])
  await index.stop()
})
