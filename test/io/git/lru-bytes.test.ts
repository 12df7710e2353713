import { expect, test } from 'vitest'
import { LruBytes } from '#src/io/git/lru-bytes.js'

test('those longest unused go first when the bound is passed', () => {
  const cache = new LruBytes<string>(10)
  for (const key of ['a', 'b', 'c']) cache.set(key, Buffer.alloc(4, key))
  expect(['a', 'b', 'c'].map(key => cache.get(key)?.toString())).toEqual([
    undefined,
    'bbbb',
    'cccc',
  ])
  cache.get('b')
  cache.set('d', Buffer.alloc(4, 'd'))
  expect(['b', 'c', 'd'].map(key => cache.get(key)?.toString())).toEqual([
    'bbbb',
    undefined,
    'dddd',
  ])
})

test('a value that takes the place of another counts once', () => {
  const cache = new LruBytes<string>(10)
  for (const text of ['one', 'three', 'seven']) cache.set('key', Buffer.from(text))
  cache.set('other', Buffer.from('fives'))
  expect([cache.get('key')?.toString(), cache.get('other')?.toString()]).toEqual(['seven', 'fives'])
})

test('a kept value holds no memory but its own', () => {
  const cache = new LruBytes<string>(1_000)
  const slice = Buffer.from('cut from a shared slab')
  expect(slice.buffer.byteLength).toBeGreaterThan(slice.length)
  cache.set('key', slice)
  const kept = cache.get('key')
  expect(kept?.buffer.byteLength).toBe(kept?.length)
  expect(kept?.equals(slice)).toBe(true)
})
