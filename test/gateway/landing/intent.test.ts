import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fixedLimits } from '#src/core/limits.js'
import { readIntent, removeIntent, writeIntent } from '#src/gateway/landing/intent.js'
import type { NewObject } from '#src/io/git/edit-tree.js'
import { hashObject } from '#src/io/git/hash-object.js'

const directory = mkdtempSync(join(tmpdir(), 'intent-'))
afterAll(() => rmSync(directory, { recursive: true }))

const object = (type: NewObject['type'], body: Buffer): NewObject => ({
  oid: hashObject('sha1', type, body),
  type,
  body,
})
const limit = fixedLimits.intentObjectBytes
const blob = (bytes: number, fill = 'x'): NewObject => object('blob', Buffer.alloc(bytes, fill))
const tree = object('tree', Buffer.from('100644 a\0'.padEnd(29, '\u0001'), 'latin1'))
const commit = object('commit', Buffer.from('tree\n\nmessage\n'))

test.each<[string, readonly NewObject[], readonly NewObject[]]>([
  ['none', [], []],
  ['an empty one', [blob(0), commit], [blob(0), commit]],
  [
    'bytes that look like another line',
    [object('blob', Buffer.from('\n{"ref":""}\n')), commit],
    [object('blob', Buffer.from('\n{"ref":""}\n')), commit],
  ],
  ['as many bytes as fit', [blob(limit)], [blob(limit)]],
  ['a byte more', [blob(limit + 1), tree, commit], [tree, commit]],
  [
    'many that do not fit together',
    [blob(limit - 100, 'a'), blob(200, 'b'), tree, commit],
    [blob(limit - 100, 'a'), tree, commit],
  ],
])('an intent holds the objects of a batch: %s', async (_title, objects, kept) => {
  const intent = { ref: 'refs/heads/agent/a', old: 'old', new: 'new', paths: [], objects }
  await writeIntent(directory, intent, 'process')
  const read = readIntent(directory)
  removeIntent(directory)
  expect(read).toMatchObject({ ref: intent.ref, old: 'old', new: 'new', paths: [] })
  expect(read?.objects.map(({ oid, type }) => [oid, type])).toEqual(
    kept.map(({ oid, type }) => [oid, type]),
  )
  const hashes = read?.objects.map(({ type, body }) => hashObject('sha1', type, body))
  expect(hashes).toEqual(kept.map(({ oid }) => oid))
})
