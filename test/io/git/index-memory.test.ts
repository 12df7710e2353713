import { expect, test } from 'vitest'
import { fixedLimits } from '#src/core/limits.js'
import { IndexMemory } from '#src/io/git/index-memory.js'
import { RunningChecksum } from '#src/io/git/running-checksum.js'

const checksum = new RunningChecksum('sha1')
const remember = (bytes: number): IndexMemory =>
  new IndexMemory({ bytes: Buffer.alloc(bytes), checksum })

test('the oldest goes where there is no room for all', () => {
  const third = Math.ceil(fixedLimits.indexMemoryBytes / 3)
  const memories = [1, 2, 3, 4].map(() => remember(third))
  const held = memories.map(({ bytes }) => bytes !== undefined)
  expect(held).toEqual([false, false, true, true])
})

test('an index that is larger than all the room is not kept', () => {
  expect(remember(fixedLimits.indexMemoryBytes + 1).bytes).toBeUndefined()
})

test('what was taken to be changed is there for nobody else', () => {
  const memory = remember(10)
  expect(memory.take()?.bytes.length).toBe(10)
  expect([memory.bytes, memory.take()]).toEqual([undefined, undefined])
})
